import { type FormEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { useOneAtATime } from "#shared/ui/form-actions.tsx";
import { TextField } from "#shared/ui/form-field.tsx";
import type { Ticket } from "../../contract.ts";
import type { OrderOutcome } from "./order-calls.ts";

type HolderNameProps = {
  readonly ticket: Ticket;
  readonly isChangeable: boolean;
  readonly rename: (name: string) => Promise<OrderOutcome>;
};

export function HolderNameForm(props: HolderNameProps) {
  const { ticket, isChangeable } = props;
  const [isOpen, setOpen] = useState(false);
  const [message, setMessage] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = (text: string) => {
    setOpen(false);
    setMessage(text);
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
                setMessage("");
                setOpen(true);
              }}
            >
              Change name <span className="sr">on ticket {ticket.number}</span>
            </button>
          )}
        </p>
      )}
      <p className="renamed small" role="status">
        {message}
      </p>
    </>
  );
}

function NameForm({ ticket, rename, onClose }: HolderNameProps & { onClose: (message: string) => void }) {
  const [name, setName] = useState(ticket.holder);
  const [error, setError] = useState<string>();
  const { run } = useOneAtATime();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const save = async () => {
    if (name.trim() === ticket.holder) return onClose("");
    const outcome = await rename(name);
    if (outcome.isDone) return onClose("The name is changed. Please download the tickets again to get the new name.");
    setError(outcome.text);
    field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(save);
  };
  const leave = ({ key }: KeyboardEvent) => key === "Escape" && onClose("");
  return (
    <form
      method="post"
      noValidate
      className="name-form"
      aria-label={`Name on ticket ${ticket.number}`}
      onSubmit={submit}
      onKeyDown={leave}
    >
      <TextField
        id={`holder-${ticket.id}`}
        label={`Name on ticket ${ticket.number}`}
        error={error}
        ref={field}
        value={name}
        autoComplete="off"
        aria-required
        onChange={({ target }) => setName(target.value)}
      />
      <div className="row">
        <button type="submit" className="btn">
          Save name
        </button>
        <button type="button" className="btn btn-quiet" onClick={() => onClose("")}>
          Keep current name
        </button>
      </div>
    </form>
  );
}
