import "#shared/ui/form-without-eval.ts";
import { useRef, useState } from "react";
import { DEFAULT_COUNTRY } from "#shared/places/ui/form-place.tsx";
import { whileLoading } from "#shared/ui/feedback.ts";
import { ErrorSummary, type FormProblem, FormRefusal, useErrorTitle } from "#shared/ui/form-error-summary.tsx";
import { LegalNote } from "#shared/ui/form-legal.tsx";
import { useForm } from "#shared/ui/use-form.ts";
import { Details, EmergencyContact } from "../../applicant.ts";
import { changeApplication } from "./applicant-calls.ts";
import { type ChangeFields, EmergencyFields, OwnFields } from "./applicant-fields.tsx";

const WithEmergency = Details.extend(EmergencyContact.shape);
/** In page order; the names are also the ids of the controls. */
const order = Object.keys(WithEmergency.shape) as (keyof ChangeFields)[];

type ApplicantFormProps = {
  readonly id: string;
  readonly details: Details;
  readonly onSaved: (message: string) => void;
};

/** The form for corrections. The emergency contact is entered again in full, or left as it is. */
export function ApplicantForm(props: ApplicantFormProps) {
  const [hasOther, setOther] = useState(false);
  const { form, problems, refusal, shownAt, submit } = useChange(props, hasOther);
  useErrorTitle(problems.length > 0 || refusal !== undefined);
  return (
    <form method="post" noValidate aria-label="Correct a detail" onSubmit={submit}>
      <ErrorSummary problems={problems} shownAt={shownAt} />
      {refusal !== undefined && <FormRefusal text={refusal} shownAt={shownAt} />}
      <OwnFields form={form} />
      <label className="check other-contact">
        <input type="checkbox" checked={hasOther} onChange={({ target }) => setOther(target.checked)} />
        <span>Change the emergency contact</span>
      </label>
      {hasOther && <EmergencyFields form={form} />}
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

/** The form's state. It is sent once, however often the button is pressed. */
function useChange({ id, details, onSaved }: ApplicantFormProps, hasOther: boolean) {
  const defaults = { ...details, emergencyCountry: DEFAULT_COUNTRY };
  const form = useForm<ChangeFields>(hasOther ? WithEmergency : Details, defaults);
  const [{ refusal, shownAt }, setShown] = useState<Shown>({ refusal: undefined, shownAt: 0 });
  const isBusy = useRef(false);
  const show = (text?: string) => setShown((before) => ({ refusal: text, shownAt: before.shownAt + 1 }));
  const save = async (fields: ChangeFields) => {
    if (isBusy.current) return;
    isBusy.current = true;
    const { isDone, text, fields: faults = {} } = await whileLoading(changeApplication(id, fields));
    isBusy.current = false;
    if (isDone) return onSaved(text);
    const wrong = order.flatMap((name) => (faults[name] === undefined ? [] : [[name, faults[name][0] ?? ""]]));
    form.addErrors(Object.fromEntries(wrong));
    show(wrong.length > 0 ? undefined : text);
  };
  const problems: FormProblem[] = order.flatMap((fieldId) => {
    const message = shownAt === 0 ? undefined : form.errors[fieldId];
    return message === undefined ? [] : [{ fieldId, message }];
  });
  return { form, problems, refusal, shownAt, submit: form.submit(save, () => show()) };
}
