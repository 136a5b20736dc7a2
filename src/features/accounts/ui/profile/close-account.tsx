import { type ComponentType, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { showToast } from "#shared/ui/feedback.ts";
import type { ClosingForm } from "./closing-form.tsx";

type Form = typeof ClosingForm extends ComponentType<infer Props> ? ComponentType<Props> : never;
type CloseAccountProps = { readonly email: string; readonly leaveFor?: ((path: string) => void) | undefined };

/** Leads to the form that closes one's account; it is fetched when somebody asks for it. */
export function CloseAccount({ email, leaveFor }: CloseAccountProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [Form, setForm] = useState<Form>();
  const open = async () => {
    const loaded = await import("./closing-form.tsx").catch(() => undefined);
    if (loaded === undefined) return showToast("That did not load. Please check your connection and try again.", "bad");
    flushSync(() => setForm(() => loaded.ClosingForm));
    dialog.current?.showModal();
    // Not the first field, which would scroll what is said above it out of a phone's window.
    dialog.current?.querySelector("h2")?.focus();
  };
  return (
    <>
      <button type="button" className="btn btn-danger" onClick={open}>
        Close my account
      </button>
      <dialog ref={dialog} className="close-dialog" aria-labelledby="close-dialog-title">
        <div className="strip-ajrak" aria-hidden="true" />
        {Form !== undefined && <Form email={email} onKeep={() => dialog.current?.close()} leaveFor={leaveFor} />}
      </dialog>
    </>
  );
}
