import "#shared/ui/form-without-eval.ts";
import { useEffect, useRef, useState } from "react";
import { paths } from "#shared/paths.ts";
import { ask, sayRefusal } from "#shared/ui/ask.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { CONFIRMED_KEY } from "#shared/ui/session-record.ts";
import { sendVerificationCall, verifyEmailCall } from "../../contract.ts";
import { sendToLogin } from "../send-to-login.ts";

type Said = { readonly tone: "good" | "bad"; readonly text: string };

/** Shows that the address is one's own by the key of the letter's link, on a press: programs that open links press nothing. */
export function VerifyEmail({ email, isVerified }: { email: string; isVerified: boolean }) {
  const [isDone, setDone] = useState(isVerified);
  const [said, setSaid] = useState<Said>();
  const [hasKey, setHasKey] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => setHasKey(findKey() !== ""), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer takes focus anew
  useEffect(() => box.current?.focus(), [said]);

  const during = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    await whileLoading(work()).finally(() => setBusy(false));
  };
  const confirm = () =>
    during(async () => {
      const answer = await ask(verifyEmailCall, { body: { key: findKey() } });
      if (!answer.ok && answer.status === 401) return sendToLogin();
      if (!answer.ok) return setSaid({ tone: "bad", text: sayRefusal(answer) });
      setDone(true);
      noteConfirmed();
      setSaid({ tone: "good", text: `Thank you. ${email} is confirmed. ${sayJoined(answer.data.joinedGifts)}` });
    });
  const sendLetter = () =>
    during(async () => {
      const answer = await ask(sendVerificationCall);
      if (!answer.ok && answer.status === 401) return sendToLogin();
      if (!answer.ok) return setSaid({ tone: "bad", text: sayRefusal(answer) });
      setSaid({ tone: "good", text: `A new letter is on its way to ${email}. Please open the link in it.` });
    });
  return (
    <>
      {!isDone && (
        <p className="lede" data-unconfirmed="">
          You are logged in with <b>{email}</b>. Once it is confirmed, donations that you made from it as a guest join
          your history.
        </p>
      )}
      {said !== undefined && (
        <div className={`note ${said.tone}`} role={said.tone === "bad" ? "alert" : "status"} tabIndex={-1} ref={box}>
          <p>{said.text}</p>
        </div>
      )}
      {isDone ? (
        <p className="row">
          {said === undefined && <span>{email} is confirmed already.</span>}
          <a className="btn" href={paths.donationHistory}>
            See my donations
          </a>
        </p>
      ) : (
        <div className="form-actions">
          {hasKey && (
            <button className="btn" type="button" aria-disabled={isBusy} onClick={confirm}>
              Confirm my e-mail address
            </button>
          )}
          {(!hasKey || said?.tone === "bad") && (
            <button className="btn btn-quiet" type="button" aria-disabled={isBusy} onClick={sendLetter}>
              Send a new letter
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** Other tabs that still ask for it are drawn anew. */
function noteConfirmed(): void {
  try {
    localStorage.setItem(CONFIRMED_KEY, String(Date.now()));
  } catch {
    // Storage is switched off: they are as they were until they are opened again.
  }
}

function findKey(): string {
  return new URLSearchParams(location.search).get("key") ?? "";
}

function sayJoined(gifts: number): string {
  if (gifts === 0) return "Donations that you make from now on stand in your history.";
  return gifts === 1
    ? "1 earlier donation from this address has joined your history."
    : `${gifts} earlier donations from this address have joined your history.`;
}
