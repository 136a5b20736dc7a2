import { useState } from "react";
import { ask, sayRefusal } from "#shared/ui/ask.ts";
import { sendVerificationCall } from "../../contract.ts";

type State = { readonly kind: "waiting" | "sending" | "sent" } | { readonly kind: "failed"; readonly says: string };

/** Beside an address that nobody has confirmed yet: sends the letter whose link does so. */
export function ConfirmEmail() {
  const [state, setState] = useState<State>({ kind: "waiting" });
  const send = async () => {
    if (state.kind === "sending") return;
    setState({ kind: "sending" });
    const answer = await ask(sendVerificationCall);
    setState(answer.ok ? { kind: "sent" } : { kind: "failed", says: sayRefusal(answer) });
  };
  return (
    <span className="confirm-email" data-unconfirmed="">
      <span className="tag warn">Not confirmed yet</span>
      {state.kind !== "sent" && (
        <button type="button" className="link-btn needs-script" onClick={send} aria-disabled={state.kind === "sending"}>
          Send the letter again
        </button>
      )}
      <span role="status">
        {state.kind === "sending" && "Sending …"}
        {state.kind === "sent" && "The letter is on its way. Open the link in it on a device where you are logged in."}
        {state.kind === "failed" && `The letter was not sent. ${state.says}`}
      </span>
    </span>
  );
}
