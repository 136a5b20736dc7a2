import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { TextField } from "#shared/ui/form-field.tsx";
import type { Ticket } from "../../contract.ts";
import type { Outcome } from "./order-calls.ts";

type HolderNameProps = {
  readonly ticket: Ticket;
  readonly isChangeable: boolean;
  readonly rename: (name: string) => Promise<Outcome>;
};

/** Who comes with a ticket, and the way to put another name on it without leaving the line. */
export function HolderName(props: HolderNameProps) {
  const { ticket, isChangeable } = props;
  const [isOpen, setOpen] = useState(false);
  const [says, setSays] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = (text: string) => {
    setOpen(false);
    setSays(text);
  };
  return (
    <>
      {isOpen && isChangeable ? (
        <NameForm {...props} onClose={close} />
      ) : (
        <p className="holder">
          <bdi>{ticket.holder}</bdi>
          {isChangeable && (
            <button
              type="button"
              className="link-btn needs-script"
              ref={button}
              onClick={() => {
                setSays("");
                setOpen(true);
              }}
            >
              Change name <span className="sr">on ticket {ticket.number}</span>
            </button>
          )}
        </p>
      )}
      <p className="renamed small" role="status">
        {says}
      </p>
    </>
  );
}

function NameForm({ ticket, rename, onClose }: HolderNameProps & { onClose: (says: string) => void }) {
  const [name, setName] = useState(ticket.holder);
  const [error, setError] = useState<string>();
  const isBusy = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy.current) return;
    if (name.trim() === ticket.holder) return onClose("");
    isBusy.current = true;
    const outcome = await rename(name);
    isBusy.current = false;
    if (outcome.isDone) return onClose("The name is changed. Please download the tickets again: they carry it now.");
    setError(outcome.says);
    field.current?.focus();
  };
  const leave = ({ key }: KeyboardEvent) => key === "Escape" && onClose("");
  return (
    <form
      method="post"
      noValidate
      className="name-form"
      aria-label={`Name on ticket ${ticket.number}`}
      onSubmit={save}
      onKeyDown={leave}
    >
      <TextField
        id={`holder-${ticket.id}`}
        label={`Name on ticket ${ticket.number}`}
        error={error}
        ref={field}
        value={name}
        dir="auto"
        autoComplete="off"
        aria-required
        onChange={({ target }) => setName(target.value)}
      />
      <div className="row">
        <button type="submit" className="btn">
          Save name
        </button>
        <button type="button" className="btn btn-quiet" onClick={() => onClose("")}>
          Leave it
        </button>
      </div>
    </form>
  );
}
