import "#shared/ui/form-without-eval.ts";
import { useEffect, useRef, useState } from "react";
import { ask, sayRefusal } from "#shared/ui/ask.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { type LinkedDocument, sendLinkCall } from "../contract.ts";

type Said = { readonly tone: "good" | "bad"; readonly text: string };

/** Has a new link emailed, by the key of the ended one in the address. On a press: programs that open links press nothing. */
export function FreshLink({ kind, id }: LinkedDocument) {
  const [said, setSaid] = useState<Said>();
  const [isBusy, setBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer takes focus anew
  useEffect(() => box.current?.focus(), [said]);
  const send = async () => {
    if (isBusy) return;
    setBusy(true);
    const key = new URLSearchParams(location.search).get("key") ?? "";
    const answer = await whileLoading(ask(sendLinkCall, { body: { kind, id, key } })).finally(() => setBusy(false));
    setSaid(answer.ok ? { tone: "good", text: answer.message } : { tone: "bad", text: sayRefusal(answer) });
  };
  return (
    <div className="needs-script stack">
      {said !== undefined && (
        <div className={`note ${said.tone}`} role={said.tone === "bad" ? "alert" : "status"} tabIndex={-1} ref={box}>
          <p>{said.text}</p>
        </div>
      )}
      {said?.tone !== "good" && (
        <div className="form-actions">
          <button className="btn" type="button" aria-disabled={isBusy} onClick={send}>
            Email me a new link
          </button>
        </div>
      )}
    </div>
  );
}
