import { useState } from "react";
import { z } from "zod";
import type { FieldErrors } from "#shared/errors.ts";
import { openStorage } from "#shared/ui/browser-storage.ts";
import { useFormProblems } from "#shared/ui/form-error-summary.tsx";
import { findHint, hasKeptUser, USER_KEY } from "#shared/ui/session-record.ts";
import { type Form, useForm } from "#shared/ui/use-form.ts";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import { Buyer } from "../../contract.ts";
import { findDraft } from "../draft-storage.ts";
import type { KeptDraft } from "./use-kept-draft.ts";

type BuyerField = keyof Buyer;

/** The names of the form controls, from the specification (TIC-3). */
const controls = {
  email: "CheckOutEmail",
  firstName: "CheckOutFirstName",
  lastName: "CheckOutLastName",
  phone: "CheckOutPhoneNumber",
  country: "CheckOutSelectedCountry",
  address: "CheckOutAddress",
  suburb: "CheckOutSuburb",
  postcode: "CheckOutPostalCode",
} as const satisfies Record<BuyerField, string>;

const fields = Object.keys(controls) as BuyerField[];
type Control = (typeof controls)[BuyerField];
type Typed = Record<Control, string>;

const BuyerForm = z.object(Object.fromEntries(fields.map((name) => [controls[name], Buyer.shape[name]])));

const DEFAULT_COUNTRY = "Australia";
const untouched = Object.fromEntries(
  fields.map((name) => [controls[name], name === "country" ? DEFAULT_COUNTRY : ""]),
) as Typed;

/** The buyer form. It is kept in the tab as it is typed, and never overwrites what was typed before the script ran. */
export function useBuyer(slug: string, kept: KeptDraft) {
  const form = useForm<Typed>(BuyerForm);
  const { register, errors, setValue, clearErrors } = form;
  const [typed, setTyped] = useState(untouched);
  const faults = useFaults(form);

  const note = () => {
    const values = { ...untouched, ...form.values() };
    setTyped(values);
    kept.keep({ buyer: Object.fromEntries(fields.map((name) => [name, values[controls[name]]])) });
  };
  const fill = (known: Known) => {
    for (const name of fields) {
      const value = form.values()[controls[name]] ?? "";
      const isUntouched = value === "" || value === untouched[controls[name]];
      if (isUntouched) setValue(controls[name], known[name] || untouched[controls[name]]);
    }
    clearErrors();
    note();
  };
  useKnown(slug, fill);
  const checked = Buyer.safeParse(Object.fromEntries(fields.map((name) => [name, typed[controls[name]]])));
  return {
    ...faults,
    /** The buyer for the contract, once the form is valid. */
    buyer: checked.success ? checked.data : undefined,
    /** The first error in the form, in its field's words. */
    missing: fields.flatMap((name) => checked.error?.issues.find(({ path }) => path[0] === name)?.message ?? [])[0],
    /** Whether an optional field is filled in or wrong. */
    hasOptional: optional.some((name) => typed[controls[name]] !== "" || errors[controls[name]] !== undefined),
    field: (name: Exclude<BuyerField, "country">) => ({
      id: controls[name],
      error: errors[controls[name]],
      "aria-required": required.includes(name) ? (true as const) : undefined,
      ...register(controls[name], { onChange: note }),
    }),
    country: {
      id: controls.country,
      name: controls.country,
      value: typed[controls.country],
      error: errors[controls.country],
      onChange(value: string) {
        form.change(controls.country, value);
        note();
      },
    },
  };
}

export type BuyerFormState = ReturnType<typeof useBuyer>;

/** Errors that the last submission or the server found; focus moves to them whenever `shownAt` changes. */
function useFaults(form: Form<Typed>) {
  const { problems, shownAt, show } = useFormProblems((control: Control) => form.errors[control]);
  return {
    /** Shows every field's error, and moves focus there. */
    showFaults() {
      form.check(...Object.values(controls));
      show(Object.values(controls).filter((control) => form.errors[control] !== undefined));
    },
    showFound(found: FieldErrors): void {
      const wrong = fields.filter((name) => found[name]?.[0] !== undefined);
      form.addErrors(Object.fromEntries(wrong.map((name) => [controls[name], found[name]?.[0]])));
      if (wrong.length > 0) show(wrong.map((name) => controls[name]));
    },
    problems,
    shownAt,
  };
}

type Known = Readonly<Partial<Record<BuyerField, string>>>;

/** Fills in what this tab has kept, or else what is known about the person logged in. */
function useKnown(slug: string, fill: (known: Known) => void) {
  useOnMount(() => {
    const before = withoutEmpty(findDraft(slug)?.buyer);
    fill({ ...findMember(), ...before });
    // A new tab of a person who is logged in: the server knows them (LOG-17).
    if (Object.keys(before).length > 0 || findHint() === undefined || hasKeptUser()) return;
    loadFilling().then(
      () => fill(findMember()),
      () => undefined,
    );
  });
}

const required: readonly BuyerField[] = ["email", "firstName", "lastName", "country"];
const optional = fields.filter((name) => !required.includes(name));

/** Whether all of the server's errors are shown beside the fields. */
export function isAboutBuyer(found: FieldErrors): boolean {
  const wrong = Object.keys(found);
  return wrong.length > 0 && wrong.every((name) => name in controls);
}

const withoutEmpty = (typed: Readonly<Record<string, string>> | undefined) =>
  Object.fromEntries(Object.entries(typed ?? {}).filter(([, value]) => value !== ""));

const loadFilling = () => import("#shared/ui/fill-user.ts").then(({ fillUser }) => fillUser());

/** The logged-in person as the header keeps them in session storage, under the wire's names; never trusted (LOG-17). */
const SessionUser = z.object({
  first_name: z.string().default(""),
  last_name: z.string().default(""),
  email: z.string().default(""),
  /** Dial code and number, digits only. */
  mobile: z.string().default(""),
  country: z.string().default(""),
  city: z.string().default(""),
  postal_code: z.string().default(""),
});

/** What is known about the person who seems to be logged in. */
function findMember(): Partial<Buyer> {
  const user = openStorage("tab", USER_KEY).find((text) => SessionUser.safeParse(JSON.parse(text ?? "null")).data);
  if (user === undefined) return {};
  const { first_name: firstName, last_name: lastName, email, mobile, country, city, postal_code: postcode } = user;
  return {
    firstName,
    lastName,
    email,
    phone: mobile && `+${mobile.replace(/^\+/, "")}`,
    country,
    suburb: city,
    postcode,
  };
}
