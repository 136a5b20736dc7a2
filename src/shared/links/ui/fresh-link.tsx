import "#shared/ui/form-without-eval.ts";
import { useState } from "react";
import { ask, describeRefusal } from "#shared/ui/ask.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { useOneAtATime } from "#shared/ui/form-actions.tsx";
import { useFocus } from "#shared/ui/use-focus.ts";
import { type LinkedDocument, sendLinkCall } from "../contract.ts";

type Notice = { readonly tone: "good" | "bad"; readonly text: string };

/** Requests a new link with the expired key in the address. Needs a click, because mail scanners open links. */
export function FreshLink({ kind, id }: LinkedDocument) {
  const [notice, setNotice] = useState<Notice>();
  const { isBusy, run } = useOneAtATime();
  const box = useFocus<HTMLDivElement>(notice);
  const send = async () => {
    const key = new URLSearchParams(location.search).get("key") ?? "";
    const answer = await whileLoading(ask(sendLinkCall, { body: { kind, id, key } }));
    setNotice(answer.ok ? { tone: "good", text: answer.message } : { tone: "bad", text: describeRefusal(answer) });
  };
  return (
    <div className="needs-script stack">
      {notice !== undefined && (
        <div
          className={`note ${notice.tone}`}
          role={notice.tone === "bad" ? "alert" : "status"}
          tabIndex={-1}
          ref={box}
        >
          <p>{notice.text}</p>
        </div>
      )}
      {notice?.tone !== "good" && (
        <div className="form-actions">
          <button className="btn" type="button" aria-disabled={isBusy} onClick={() => run(send)}>
            Email me a new link
          </button>
        </div>
      )}
    </div>
  );
}
