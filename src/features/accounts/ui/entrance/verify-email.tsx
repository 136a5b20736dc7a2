import { plural } from "#shared/language.ts";
import "#shared/ui/form-without-eval.ts";
import { useEffect, useState } from "react";
import { paths } from "#shared/paths.ts";
import { ask, describeRefusal } from "#shared/ui/ask.ts";
import { openStorage } from "#shared/ui/browser-storage.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { CONFIRMED_KEY } from "#shared/ui/session-record.ts";
import { useFocus } from "#shared/ui/use-focus.ts";
import { sendVerificationCall, verifyEmailCall } from "../../contract.ts";
import { sendToLogin } from "../send-to-login.ts";

type Notice = { readonly tone: "good" | "bad"; readonly text: string };

/** Confirms the address with the link's key when the button is pressed, which link scanners don't do. */
export function VerifyEmail({ email, isVerified }: { email: string; isVerified: boolean }) {
  const { isDone, notice, hasKey, isBusy, confirm, sendEmail } = useConfirmation(email, isVerified);
  const box = useFocus<HTMLDivElement>(notice);
  return (
    <>
      {!isDone && (
        <p className="lede" data-unconfirmed="">
          You’re logged in with <b>{email}</b>. Once it’s confirmed, any donations you made with it as a guest will
          appear in your history.
        </p>
      )}
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
      {isDone ? (
        <p className="row">
          {notice === undefined && <span>{email} is already confirmed.</span>}
          <a className="btn" href={paths.donationHistory}>
            See my donations
          </a>
        </p>
      ) : (
        <div className="form-actions">
          {hasKey && (
            <button className="btn" type="button" aria-disabled={isBusy} onClick={confirm}>
              Confirm my email address
            </button>
          )}
          {(!hasKey || notice?.tone === "bad") && (
            <button className="btn btn-quiet" type="button" aria-disabled={isBusy} onClick={sendEmail}>
              Send a new email
            </button>
          )}
        </div>
      )}
    </>
  );
}

function useConfirmation(email: string, isVerified: boolean) {
  const [isDone, setDone] = useState(isVerified);
  const [notice, setNotice] = useState<Notice>();
  const [hasKey, setHasKey] = useState(true);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => setHasKey(findKey() !== ""), []);

  const during = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    await whileLoading(work()).finally(() => setBusy(false));
  };
  const confirm = () =>
    during(async () => {
      const answer = await ask(verifyEmailCall, { body: { key: findKey() } });
      if (!answer.ok && answer.status === 401) return sendToLogin();
      if (!answer.ok) return setNotice({ tone: "bad", text: describeRefusal(answer) });
      setDone(true);
      // Updates other tabs that still show it as unconfirmed.
      openStorage("device", CONFIRMED_KEY).keep(() => String(Date.now()));
      setNotice({ tone: "good", text: `Thank you. ${email} is confirmed. ${describeJoined(answer.data.joinedGifts)}` });
    });
  const sendEmail = () =>
    during(async () => {
      const answer = await ask(sendVerificationCall);
      if (!answer.ok && answer.status === 401) return sendToLogin();
      if (!answer.ok) return setNotice({ tone: "bad", text: describeRefusal(answer) });
      setNotice({ tone: "good", text: `A new email is on its way to ${email}. Please open the link in it.` });
    });
  return { isDone, notice, hasKey, isBusy, confirm, sendEmail };
}

function findKey(): string {
  return new URLSearchParams(location.search).get("key") ?? "";
}

function describeJoined(donations: number): string {
  if (donations === 0) return "Your future donations will appear in your history.";
  return plural(donations, {
    one: "We’ve added 1 earlier donation from this address to your history.",
    other: `We’ve added ${donations} earlier donations from this address to your history.`,
  });
}
