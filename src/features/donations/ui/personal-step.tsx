import { type ChangeEvent, useEffect, useState } from "react";
import { type FieldErrors, useForm } from "react-hook-form";
import { ErrorSummary, type FormProblem } from "#shared/ui/form-error-summary.tsx";
import { TextField } from "#shared/ui/form-field.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { resolverOf } from "#shared/ui/form-resolver.ts";
import type { Personal } from "../draft.ts";
import { laterSteps } from "./later.ts";
import { anonymised, nobody, PersonalForm } from "./personal.ts";
import type { Donation } from "./use-donation.ts";

const order = ["firstName", "lastName", "email", "postcode"] as const;

/** The contract's own rules. */
const resolver = resolverOf<Personal>(PersonalForm);

const problemsOf = (errors: FieldErrors<Personal>): FormProblem[] =>
  order.flatMap((name) => {
    const message = errors[name]?.message;
    return message === undefined ? [] : [{ fieldId: name, message }];
  });

/** Step 1 (DON-4, DON-5). What is typed before the page's script runs is kept. */
export function PersonalStep({ donation, onProblems }: { donation: Donation; onProblems: (has: boolean) => void }) {
  const { flow, visitor, isReady, tell } = donation;
  const [summary, setSummary] = useState<readonly FormProblem[]>([]);
  const [shownAt, setShownAt] = useState(0);
  const form = useForm<Personal>({ resolver, shouldFocusError: false });
  const { register, formState, getValues, setValue, trigger, handleSubmit } = form;
  const isAnonymous = flow.personal.isAnonymous;
  const offersAnonymous = visitor.kind !== "member";

  // biome-ignore lint/correctness/useExhaustiveDependencies: only as the page takes over from the server's markup
  useEffect(() => {
    if (!isReady) return;
    const typed = { ...nobody, ...getValues() };
    for (const name of order) if (!typed[name]) setValue(name, flow.personal[name]);
    setValue("isAnonymous", flow.personal.isAnonymous, { shouldValidate: true });
    form.clearErrors();
    tell({ type: "typed", personal: { ...getValues() } });
  }, [isReady]);

  const keep = (name: (typeof order)[number]) => {
    tell({ type: "typed", personal: getValues() });
    if (formState.errors[name] !== undefined) trigger(name);
  };
  const chooseAnonymous = (event: ChangeEvent<HTMLInputElement>) => {
    const next = anonymised(getValues(), event.target.checked);
    for (const name of order) setValue(name, next[name]);
    form.clearErrors();
    setSummary([]);
    onProblems(false);
    setValue("isAnonymous", next.isAnonymous, { shouldValidate: false });
    tell({ type: "typed", personal: next });
    if (getValues("email") !== "") trigger("email");
  };
  const next = handleSubmit(donation.goOn, (errors) => {
    setSummary(problemsOf(errors));
    setShownAt(shownAt + 1);
    onProblems(true);
  });
  const field = (name: (typeof order)[number]) => ({
    id: name,
    error: formState.errors[name]?.message,
    "aria-required": true,
    ...register(name, { onChange: () => keep(name) }),
  });
  const email = field("email");
  const checkEmail = (event: Parameters<typeof email.onBlur>[0]) => {
    email.onBlur(event);
    if (getValues("email").trim() !== "") trigger("email");
  };
  const isOpen = PersonalForm.safeParse(flow.personal).success;
  return (
    // The code of the later steps comes while this one is being filled in.
    <form noValidate onSubmit={next} onFocus={laterSteps.load} aria-labelledby="personal-heading">
      <ErrorSummary problems={summary.filter(({ fieldId }) => fieldId in formState.errors)} shownAt={shownAt} />
      <p className="muted instruction">Answer every question unless it says optional.</p>
      <div className="field-row">
        <TextField {...field("firstName")} label="First Name" autoComplete="given-name" disabled={isAnonymous} />
        <TextField {...field("lastName")} label="Last Name" autoComplete="family-name" disabled={isAnonymous} />
      </div>
      <TextField
        {...email}
        onBlur={checkEmail}
        label="Email"
        hint={
          isAnonymous
            ? "We will not show your name. We still need your email to send you the receipt."
            : "We send your receipt here."
        }
        type="email"
        autoComplete="email"
        spellCheck={false}
        maxLength={254}
        className="w-md"
      />
      <TextField
        {...field("postcode")}
        label="Post Code"
        autoComplete="postal-code"
        maxLength={12}
        disabled={isAnonymous}
        className="w-xs"
      />
      {offersAnonymous && (
        <label className="check anonymous">
          <input type="checkbox" checked={isAnonymous} onChange={chooseAnonymous} />
          <span>
            Donate anonymously <span className="opt">(optional)</span>
            <span className="hint">We do not keep your name with this donation.</span>
          </span>
        </label>
      )}
      <LegalNote />
      <div className="form-actions">
        <button
          className="btn"
          type={isReady ? "submit" : "button"}
          aria-disabled={!isOpen}
          aria-describedby={isOpen ? undefined : "personal-why"}
        >
          {flow.isChanging ? "Save and go back to Preview" : "Next"}
        </button>
        {!isOpen && (
          <span className="why" id="personal-why">
            {isAnonymous
              ? "Fill in a valid email to go on."
              : "Fill in your first name, last name, email and post code to go on."}
          </span>
        )}
      </div>
    </form>
  );
}
