import { type ComponentType, useRef, useState } from "react";
import { Confirmation } from "#shared/ui/confirmation.tsx";
import { NOT_LOADED, reloadWith, showToast, whileLoading } from "#shared/ui/feedback.ts";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import type { Details } from "../../applicant.ts";
import type { ApplicantForm } from "./applicant-form.tsx";

type ApplicantActionsProps = {
  readonly id: string;
  readonly details: Details;
  /** Whether the application is approved, so that they have roles and perhaps places in shifts. */
  readonly isVolunteer: boolean;
  /** Reloads the page and shows the message on it. */
  readonly reload?: (message: string) => void;
};

/** Lets applicants correct or withdraw an open application. */
export function ApplicantActions({ id, details, isVolunteer, reload = reloadWith }: ApplicantActionsProps) {
  return (
    <div className="needs-script applicant-actions">
      <Correction id={id} details={details} onSaved={reload} />
      <Withdrawal id={id} isVolunteer={isVolunteer} onWithdrawn={reload} />
    </div>
  );
}

type Form = typeof ApplicantForm extends ComponentType<infer Props> ? ComponentType<Props> : never;
type CorrectionProps = Pick<ApplicantActionsProps, "id" | "details"> & { onSaved: (message: string) => void };

/** Loads the form on demand. */
function Correction(props: CorrectionProps) {
  const box = useRef<HTMLDetailsElement>(null);
  const [Form, setForm] = useState<Form>();
  const open = async () => {
    if (Form !== undefined || !box.current?.open) return;
    const loaded = await import("./applicant-form.tsx").catch(() => undefined);
    if (loaded === undefined) showToast(NOT_LOADED, "bad");
    else setForm(() => loaded.ApplicantForm);
  };
  // It may have been opened before this script ran.
  useOnMount(() => void open());
  return (
    <details className="plain-card details" ref={box} onToggle={open}>
      <summary>Correct a detail</summary>
      {Form !== undefined && <Form {...props} />}
    </details>
  );
}

/** Asks for confirmation, because deleted pictures cannot be restored. */
function Withdrawal({
  id,
  isVolunteer,
  onWithdrawn,
}: Pick<ApplicantActionsProps, "id" | "isVolunteer"> & { onWithdrawn: (message: string) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const withdraw = async () => {
    const asked = import("./applicant-calls.ts").then((calls) => calls.withdrawApplication(id));
    const outcome = await whileLoading(asked).catch(() => ({ isDone: false, text: NOT_LOADED }));
    if (!outcome.isDone) return outcome.text;
    onWithdrawn(outcome.text);
    return undefined;
  };
  return (
    <section className="plain-card" aria-labelledby="withdrawal-title">
      <h2 id="withdrawal-title">No longer want to volunteer?</h2>
      <p>You can withdraw at any time. You do not need to give a reason.</p>
      <button type="button" className="btn btn-danger" onClick={() => dialog.current?.showModal()}>
        Withdraw my application
      </button>
      <Confirmation
        dialog={dialog}
        titleId="withdrawal-dialog-title"
        title="Withdraw your application?"
        confirm="Yes, withdraw it"
        keep="Keep my application"
        act={withdraw}
      >
        <p>
          {isVolunteer
            ? "You will leave your roles and lose your places in coming shifts. We will delete your photo and signature immediately. This cannot be undone."
            : "We will delete your photo and signature immediately and stop reviewing your application. This cannot be undone."}
        </p>
      </Confirmation>
    </section>
  );
}
