import { type ComponentType, useEffect, useRef, useState } from "react";
import { showOnNextPage, showToast, whileLoading } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { Details } from "../../applicant.ts";
import type { ApplicantForm } from "./applicant-form.tsx";

const NOT_LOADED = "That did not load. Please check your connection and try again.";

export type ApplicantActionsProps = {
  readonly id: string;
  readonly details: Details;
  /** Shows the page as it is now, and the message on it. */
  readonly reload?: (message: string) => void;
};

/** What applicants may do with an application that is open: correct a detail, or withdraw. */
export function ApplicantActions({ id, details, reload = reloadWith }: ApplicantActionsProps) {
  return (
    <div className="needs-script applicant-actions">
      <Correction id={id} details={details} onSaved={reload} />
      <Withdrawal id={id} onWithdrawn={reload} />
    </div>
  );
}

type Form = typeof ApplicantForm extends ComponentType<infer Props> ? ComponentType<Props> : never;
type CorrectionProps = Pick<ApplicantActionsProps, "id" | "details"> & { onSaved: (message: string) => void };

/** The form is fetched when somebody asks for it. */
function Correction(props: CorrectionProps) {
  const box = useRef<HTMLDetailsElement>(null);
  const [Form, setForm] = useState<Form>();
  const open = async () => {
    if (Form !== undefined || !box.current?.open) return;
    const loaded = await import("./applicant-form.tsx").catch(() => undefined);
    if (loaded === undefined) showToast(NOT_LOADED, "bad");
    else setForm(() => loaded.ApplicantForm);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it may have been opened before this script ran
  useEffect(() => void open(), []);
  return (
    <details className="plain-card details" ref={box} onToggle={open}>
      <summary>Correct a detail</summary>
      {Form !== undefined && <Form {...props} />}
    </details>
  );
}

function reloadWith(message: string): void {
  showOnNextPage(message);
  location.reload();
}

/** Asks once more, because pictures that are deleted do not come back. */
function Withdrawal({ id, onWithdrawn }: { id: string; onWithdrawn: (message: string) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const withdraw = async () => {
    if (isBusy) return;
    setBusy(true);
    setRefusal(undefined);
    const asked = import("./applicant-calls.ts").then((calls) => calls.withdrawApplication(id));
    const outcome = await whileLoading(asked).catch(() => ({ isDone: false, says: NOT_LOADED }));
    setBusy(false);
    if (outcome.isDone) onWithdrawn(outcome.says);
    else setRefusal(outcome.says);
  };
  return (
    <section className="plain-card" aria-labelledby="withdrawal-title">
      <h2 id="withdrawal-title">Do you no longer wish to volunteer?</h2>
      <p>You can withdraw at any time, without a reason.</p>
      <button type="button" className="btn btn-danger" onClick={() => dialog.current?.showModal()}>
        Withdraw my application
      </button>
      <dialog ref={dialog} className="close-dialog" aria-labelledby="withdrawal-dialog-title">
        <div className="strip-ajrak" aria-hidden="true" />
        <div className="dlg">
          <h2 id="withdrawal-dialog-title">Withdraw your application?</h2>
          <p>Your photo and signature are deleted at once, and nobody looks at it any more. This cannot be undone.</p>
          {refusal !== undefined && (
            <p className="err" role="alert">
              <Icon name="alert" />
              <span>{refusal}</span>
            </p>
          )}
          <div className="form-actions">
            <button type="button" className="btn btn-danger" aria-disabled={isBusy} onClick={withdraw}>
              Yes, withdraw it
            </button>
            <button type="button" className="btn btn-quiet" onClick={() => dialog.current?.close()}>
              Keep my application
            </button>
          </div>
        </div>
      </dialog>
    </section>
  );
}
