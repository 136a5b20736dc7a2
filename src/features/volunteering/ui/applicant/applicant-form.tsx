import "#shared/ui/form-without-eval.ts";
import { useState } from "react";
import { DEFAULT_COUNTRY } from "#shared/places/ui/form-place.tsx";
import { whileLoading } from "#shared/ui/feedback.ts";
import { useOneAtATime } from "#shared/ui/form-actions.tsx";
import { ErrorSummary, FormRefusal, useErrorTitle, useFormProblems } from "#shared/ui/form-error-summary.tsx";
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

/** The form's state. It is sent once, however often the button is pressed. */
function useChange({ id, details, onSaved }: ApplicantFormProps, hasOther: boolean) {
  const defaults = { ...details, emergencyCountry: DEFAULT_COUNTRY };
  const form = useForm<ChangeFields>(hasOther ? WithEmergency : Details, defaults);
  const { show, ...shown } = useFormProblems((name: keyof ChangeFields) => form.errors[name]);
  const { run } = useOneAtATime();
  const save = async (fields: ChangeFields) => {
    const { isDone, text, fields: faults = {} } = await whileLoading(changeApplication(id, fields));
    if (isDone) return onSaved(text);
    const wrong = order.flatMap((name) => (faults[name] === undefined ? [] : [[name, faults[name][0] ?? ""]]));
    form.addErrors(Object.fromEntries(wrong));
    show(order, wrong.length > 0 ? undefined : text);
  };
  const submit = form.submit(
    (fields) => run(() => save(fields)),
    () => show(order),
  );
  return { form, ...shown, submit };
}
