import { type ChangeEvent, useEffect, useEffectEvent } from "react";
import { ErrorSummary, useFormProblems } from "#shared/ui/form-error-summary.tsx";
import { TextField } from "#shared/ui/form-field.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { firstFault, useForm } from "#shared/ui/use-form.ts";
import type { Personal } from "../../draft.ts";
import { lazySteps } from "./lazy-steps.ts";
import { anonymised, emptyPersonal, PersonalForm } from "./personal.ts";
import { StepActions } from "./step-actions.tsx";
import type { DonationForm } from "./use-donation.ts";

const order = ["firstName", "lastName", "email", "postcode"] as const;

type DonorStepProps = { readonly donation: DonationForm; readonly onProblems: (has: boolean) => void };

/** Step 1 (DON-4, DON-5). */
export function DonorStep({ donation, onProblems }: DonorStepProps) {
  const { flow, visitor, isReady } = donation;
  const { field, problems, shownAt, chooseAnonymous, next } = useDonorFields(donation, onProblems);
  const isAnonymous = flow.personal.isAnonymous;
  const offersAnonymous = visitor.kind !== "member";
  const fault = firstFault(PersonalForm, flow.personal);
  return (
    // Loads the later steps' code while the donor fills in this one.
    <form method="post" noValidate onSubmit={next} onFocus={lazySteps.load} aria-labelledby="personal-heading">
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
            ? "We won’t show your name. We still need your email to send you the receipt."
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
            <span className="hint">We don’t keep your name with this donation.</span>
          </span>
        </label>
      )}
      <LegalNote />
      <StepActions donation={donation} reasonId="personal-why" reason={fault} type={isReady ? "submit" : "button"} />
    </form>
  );
}

/** The donor's details. Keeps what was typed before the script ran. */
function useDonorFields({ flow, isReady, dispatch, goOn }: DonationForm, onProblems: DonorStepProps["onProblems"]) {
  const { register, errors, values, setValue, clearErrors, check, submit } = useForm<Personal>(PersonalForm);
  const { problems, shownAt, show } = useFormProblems((name: (typeof order)[number]) => errors[name]);

  const takeOver = useEffectEvent(() => {
    const typed = { ...emptyPersonal, ...values() };
    for (const name of order) if (!typed[name]) setValue(name, flow.personal[name]);
    setValue("isAnonymous", flow.personal.isAnonymous);
    clearErrors();
    dispatch({ type: "typed", personal: values() });
  });
  useEffect(() => {
    if (isReady) takeOver();
  }, [isReady]);

  const chooseAnonymous = (event: ChangeEvent<HTMLInputElement>) => {
    const next = anonymised(values(), event.target.checked);
    for (const name of order) setValue(name, next[name]);
    clearErrors();
    show([]);
    onProblems(false);
    setValue("isAnonymous", next.isAnonymous);
    dispatch({ type: "typed", personal: next });
    if (next.email !== "") check("email");
  };
  const next = submit(goOn, (wrong) => {
    show(order.filter((name) => name in wrong));
    onProblems(true);
  });
  const field = (name: (typeof order)[number]) => {
    const onChange = () => dispatch({ type: "typed", personal: values() });
    return { id: name, error: errors[name], "aria-required": true, ...register(name, { onChange }) };
  };
  return { field, problems, shownAt, chooseAnonymous, next };
}
