import { type ChangeEvent, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { ErrorSummary, type FormProblem } from "#shared/ui/form-error-summary.tsx";
import { TextField } from "#shared/ui/form-field.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { firstFault, resolverOf, whenLeft } from "#shared/ui/form-resolver.ts";
import type { Personal } from "../../draft.ts";
import { laterSteps } from "./later.ts";
import { anonymised, nobody, PersonalForm } from "./personal.ts";
import type { Donation } from "./use-donation.ts";

const order = ["firstName", "lastName", "email", "postcode"] as const;

/** The contract's own rules. */
const resolver = resolverOf<Personal>(PersonalForm);

/** Step 1 (DON-4, DON-5). What is typed before the page's script runs is kept. */
export function PersonalStep({ donation, onProblems }: { donation: Donation; onProblems: (has: boolean) => void }) {
  const { flow, visitor, isReady, tell } = donation;
  /** The fields that the last press of Next found wrong. */
  const [found, setFound] = useState<readonly (typeof order)[number][]>([]);
  const [shownAt, setShownAt] = useState(0);
  const form = useForm<Personal>({ resolver, shouldFocusError: false });
  const { register, formState, getValues, setValue, trigger, handleSubmit } = form;
  const { errors } = formState;
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

  const chooseAnonymous = (event: ChangeEvent<HTMLInputElement>) => {
    const next = anonymised(getValues(), event.target.checked);
    for (const name of order) setValue(name, next[name]);
    form.clearErrors();
    setFound([]);
    onProblems(false);
    setValue("isAnonymous", next.isAnonymous, { shouldValidate: false });
    tell({ type: "typed", personal: next });
    if (getValues("email") !== "") trigger("email");
  };
  const next = handleSubmit(donation.goOn, (wrong) => {
    setFound(order.filter((name) => name in wrong));
    setShownAt(shownAt + 1);
    onProblems(true);
  });
  const field = (name: (typeof order)[number]) => {
    const left = whenLeft(form, name);
    const onChange = () => {
      tell({ type: "typed", personal: getValues() });
      left.onChange();
    };
    return { id: name, error: errors[name]?.message, "aria-required": true, ...register(name, { ...left, onChange }) };
  };
  const problems = found.flatMap((fieldId): FormProblem[] => {
    const message = errors[fieldId]?.message;
    return message === undefined ? [] : [{ fieldId, message }];
  });
  const fault = firstFault(PersonalForm, flow.personal);
  return (
    // The code of the later steps comes while this one is being filled in.
    <form method="post" noValidate onSubmit={next} onFocus={laterSteps.load} aria-labelledby="personal-heading">
      <ErrorSummary problems={problems} shownAt={shownAt} />
      <p className="muted instruction">Answer every question unless it says optional.</p>
      <div className="field-row">
        <TextField {...field("firstName")} label="First Name" autoComplete="given-name" disabled={isAnonymous} />
        <TextField {...field("lastName")} label="Last Name" autoComplete="family-name" disabled={isAnonymous} />
      </div>
      <TextField
        {...field("email")}
        label="Email"
        hint={
          isAnonymous
            ? "We will not show your name. We still need your email to send you the receipt."
            : "We send your receipt here."
        }
        type="email"
        autoComplete="email"
        spellCheck={false}
        className="w-md"
      />
      <TextField
        {...field("postcode")}
        label="Post Code"
        autoComplete="postal-code"
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
          aria-disabled={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : "personal-why"}
        >
          {flow.isChanging ? "Save and go back to Preview" : "Next"}
        </button>
        {fault !== undefined && (
          <span className="why" id="personal-why">
            {fault}
          </span>
        )}
      </div>
    </form>
  );
}
