import { type ReactNode, type RefObject, useState } from "react";
import { ProblemLine, useOneAtATime } from "./form-actions.tsx";

type ConfirmationProps = {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly titleId: string;
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly keep: string;
  /** Resolves to the reason for a failure, or undefined. */
  readonly act: () => Promise<string | undefined>;
};

/** Asks for confirmation before something final. If that fails, it stays open and says why. */
export function Confirmation({ dialog, titleId, title, children, confirm, keep, act }: ConfirmationProps) {
  const [refusal, setRefusal] = useState<string>();
  const { isBusy, run } = useOneAtATime();
  const press = async () => {
    setRefusal(undefined);
    setRefusal(await act());
  };
  return (
    <dialog ref={dialog} className="close-dialog" aria-labelledby={titleId} onClose={() => setRefusal(undefined)}>
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="dlg">
        <h2 id={titleId}>{title}</h2>
        {children}
        <ProblemLine problem={refusal} />
        <div className="form-actions">
          <button type="button" className="btn btn-danger" aria-disabled={isBusy} onClick={() => run(press)}>
            {confirm}
          </button>
          <button type="button" className="btn btn-quiet" onClick={() => dialog.current?.close()}>
            {keep}
          </button>
        </div>
      </div>
    </dialog>
  );
}
