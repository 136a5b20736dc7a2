import { useEffect, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { z } from "zod";
import type { FieldErrors } from "#shared/errors.ts";
import type { FormProblem } from "#shared/ui/form-error-summary.tsx";
import { resolverOf, whenLeft } from "#shared/ui/form-resolver.ts";
import { findHint, hasKeptUser } from "#shared/ui/session-record.ts";
import { Buyer } from "../../contract.ts";
import { findDraft } from "../draft-storage.ts";
import { findMember } from "./member.ts";
import type { KeptDraft } from "./use-kept-draft.ts";

export type BuyerField = keyof Buyer;

/** The names of the controls, as the specification has them (TIC-3). */
export const controls = {
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

/** The contract's own rules. */
const resolver = resolverOf<Typed>(
  z.object(Object.fromEntries(fields.map((name) => [controls[name], Buyer.shape[name]]))),
);

const DEFAULT_COUNTRY = "Australia";
const untouched = Object.fromEntries(
  fields.map((name) => [controls[name], name === "country" ? DEFAULT_COUNTRY : ""]),
) as Typed;

/** Who buys; kept in the tab as it is typed, and never over what was typed before the page's script ran. */
export function useBuyer(slug: string, kept: KeptDraft) {
  const form = useForm<Typed>({ resolver, shouldFocusError: false });
  const { register, getValues, setValue, clearErrors, formState } = form;
  const { errors } = formState;
  const [typed, setTyped] = useState(untouched);
  const faults = useFaults(form);

  const note = () => {
    const values = { ...untouched, ...getValues() };
    setTyped(values);
    kept.keep({ buyer: Object.fromEntries(fields.map((name) => [name, values[controls[name]]])) });
  };
  const fill = (known: Known) => {
    for (const name of fields) {
      const value = getValues(controls[name]) ?? "";
      const isUntouched = value === "" || value === untouched[controls[name]];
      if (isUntouched) setValue(controls[name], known[name] || untouched[controls[name]]);
    }
    clearErrors();
    note();
  };
  useKnown(slug, fill);
  const options = (control: Control) => {
    const left = whenLeft(form, control);
    const onChange = () => {
      note();
      left.onChange();
    };
    return { ...left, onChange };
  };
  const checked = Buyer.safeParse(Object.fromEntries(fields.map((name) => [name, typed[controls[name]]])));
  return {
    ...faults,
    /** As the contract has it, once nothing is missing. */
    buyer: checked.success ? checked.data : undefined,
    /** The first of what is wrong with the form as it stands on the page, in its field's words. */
    missing: fields.flatMap((name) => checked.error?.issues.find(({ path }) => path[0] === name)?.message ?? [])[0],
    /** Whether something optional is filled in, or wrong. */
    hasOptional: optional.some((name) => typed[controls[name]] !== "" || errors[controls[name]] !== undefined),
    /** Attributes of a control that is a line of text. */
    field: (name: Exclude<BuyerField, "country">) => ({
      id: controls[name],
      error: errors[controls[name]]?.message,
      "aria-required": required.includes(name) ? (true as const) : undefined,
      ...register(controls[name], options(controls[name])),
    }),
    country: {
      id: controls.country,
      name: controls.country,
      value: typed[controls.country],
      error: errors[controls.country]?.message,
      onChange(value: string) {
        setValue(controls.country, value);
        options(controls.country).onChange();
      },
    },
  };
}

export type BuyerForm = ReturnType<typeof useBuyer>;

/** What the last press of a button, or the server, found wrong; focus goes to it whenever `shownAt` changes. */
function useFaults({ trigger, setError, getFieldState, formState: { errors } }: UseFormReturn<Typed>) {
  const [shown, setShown] = useState<{ ids: readonly Control[]; at: number }>({ ids: [], at: 0 });
  const show = (ids: readonly Control[]) => setShown(({ at }) => ({ ids, at: at + 1 }));
  return {
    /** Says beside every field what is wrong with it, and leads there. */
    async showFaults() {
      await trigger();
      show(fields.map((name) => controls[name]).filter((control) => getFieldState(control).invalid));
    },
    /** The same for what the server found. */
    showFound(found: FieldErrors): void {
      const wrong = fields.filter((name) => found[name]?.[0] !== undefined);
      for (const name of wrong) setError(controls[name], { message: found[name]![0]! });
      if (wrong.length > 0) show(wrong.map((name) => controls[name]));
    },
    /** Those that still are. */
    problems: shown.ids.flatMap((fieldId): FormProblem[] => {
      const message = errors[fieldId]?.message;
      return message === undefined ? [] : [{ fieldId, message }];
    }),
    shownAt: shown.at,
  };
}

type Known = Readonly<Partial<Record<BuyerField, string>>>;

/** Fills in what this tab has kept, else what is known of whoever is logged in. */
function useKnown(slug: string, fill: (known: Known) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page takes over from the server's markup
  useEffect(() => {
    const before = withoutEmpty(findDraft(slug)?.buyer);
    fill({ ...findMember(), ...before });
    // A new tab of somebody logged in: the server says who it is (LOG-17).
    if (Object.keys(before).length > 0 || findHint() === undefined || hasKeptUser()) return;
    loadFilling().then(
      () => fill(findMember()),
      () => undefined,
    );
  }, []);
}

const required: readonly BuyerField[] = ["email", "firstName", "lastName", "country"];
const optional = fields.filter((name) => !required.includes(name));

/** Whether what the server found wrong is shown beside the fields. */
export function isAboutBuyer(found: FieldErrors): boolean {
  const wrong = Object.keys(found);
  return wrong.length > 0 && wrong.every((name) => name in controls);
}

const withoutEmpty = (typed: Readonly<Record<string, string>> | undefined) =>
  Object.fromEntries(Object.entries(typed ?? {}).filter(([, value]) => value !== ""));

const loadFilling = () => import("#shared/ui/fill-user.ts").then(({ fillUser }) => fillUser());
