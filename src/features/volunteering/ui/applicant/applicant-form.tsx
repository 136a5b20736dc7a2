import "#shared/ui/form-without-eval.ts";
import { useEffect, useRef, useState } from "react";
import { type DefaultValues, type Path, useForm } from "react-hook-form";
import { DEFAULT_COUNTRY } from "#shared/places/ui/form-place.tsx";
import { whileLoading } from "#shared/ui/feedback.ts";
import { ErrorSummary, type FormProblem, useErrorTitle } from "#shared/ui/form-error-summary.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { resolverOf, whenLeft } from "#shared/ui/form-resolver.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { Details, EmergencyContact } from "../../applicant.ts";
import { changeApplication } from "./applicant-calls.ts";
import { type ChangeFields, EmergencyFields, OwnFields } from "./applicant-fields.tsx";

const WithEmergency = Details.extend(EmergencyContact.shape);
/** As they stand in the form; the ids of the controls. */
const order = Object.keys(WithEmergency.shape) as (keyof ChangeFields)[];

type ApplicantFormProps = {
  readonly id: string;
  readonly details: Details;
  readonly onSaved: (message: string) => void;
};

/** All that an applicant may correct. The emergency contact is entered anew, or left as it is. */
export function ApplicantForm(props: ApplicantFormProps) {
  const [hasOther, setOther] = useState(false);
  const { form, problems, refusal, shownAt, submit } = useChange(props, hasOther);
  useErrorTitle(problems.length > 0 || refusal !== undefined);
  const fields = {
    register: (name: Path<ChangeFields>) => form.register(name, whenLeft(form, name)),
    errors: form.formState.errors,
  };
  return (
    <form method="post" noValidate aria-label="Correct a detail" onSubmit={submit}>
      <ErrorSummary problems={problems} shownAt={shownAt} />
      {refusal !== undefined && <Refusal says={refusal} shownAt={shownAt} />}
      <OwnFields {...fields} />
      <label className="check other-contact">
        <input type="checkbox" checked={hasOther} onChange={({ target }) => setOther(target.checked)} />
        <span>Change the emergency contact</span>
      </label>
      {hasOther && <EmergencyFields {...fields} />}
      <LegalNote />
      <div className="form-actions">
        <button className="btn" type="submit">
          Save changes
        </button>
      </div>
    </form>
  );
}

type Shown = { readonly refusal: string | undefined; readonly shownAt: number };

/** The doings of the form; it is sent once, however often the button is pressed. */
function useChange({ id, details, onSaved }: ApplicantFormProps, hasOther: boolean) {
  const form = useForm<ChangeFields>({
    resolver: resolverOf<ChangeFields>(hasOther ? WithEmergency : Details),
    defaultValues: { ...details, emergencyCountry: DEFAULT_COUNTRY } as DefaultValues<ChangeFields>,
    shouldFocusError: false,
  });
  const { errors } = form.formState;
  const [{ refusal, shownAt }, setShown] = useState<Shown>({ refusal: undefined, shownAt: 0 });
  const isBusy = useRef(false);
  const show = (says?: string) => setShown((before) => ({ refusal: says, shownAt: before.shownAt + 1 }));
  const save = async (fields: ChangeFields) => {
    if (isBusy.current) return;
    isBusy.current = true;
    const { isDone, says, fields: faults = {} } = await whileLoading(changeApplication(id, fields));
    isBusy.current = false;
    if (isDone) return onSaved(says);
    const wrong = order.filter((name) => faults[name] !== undefined);
    for (const name of wrong) form.setError(name, { type: "server", message: faults[name]?.[0] ?? "" });
    show(wrong.length > 0 ? undefined : says);
  };
  const problems: FormProblem[] = order.flatMap((fieldId) => {
    const message = shownAt === 0 ? undefined : errors[fieldId]?.message;
    return message === undefined ? [] : [{ fieldId, message }];
  });
  return { form, problems, refusal, shownAt, submit: form.handleSubmit(save, () => show()) };
}

/** Why it was not saved; takes focus each time it is said. */
function Refusal({ says, shownAt }: { says: string; shownAt: number }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal takes focus anew
  useEffect(() => box.current?.focus(), [shownAt]);
  return (
    <div className="error-summary refusal" role="alert" tabIndex={-1} ref={box}>
      <p className="err">
        <Icon name="alert" />
        <span>{says}</span>
      </p>
    </div>
  );
}
