import { useEffect, useRef, useState } from "react";
import { formatDollars } from "#shared/money.ts";
import { CaptchaBox } from "#shared/ui/captcha-box.tsx";
import { endToast, showAlert, showToast, whileLoading } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { Priced } from "../cart.ts";
import type { Checkout } from "../contract.ts";
import type { Charity } from "./bank-card.tsx";
import { readPaymentAnswer } from "./outcome.ts";
import { cardPayment } from "./payment-body.ts";
import { RefusalMessage } from "./refusal-message.tsx";
import { isSendable, sendCardPayment } from "./send-payment.ts";
import { TrustBlock } from "./trust-block.tsx";
import { useCardFrame } from "./use-card-frame.ts";
import type { Donation } from "./use-donation.ts";

// The specification's own words, whichever captcha is used (DON-14).
const INCOMPLETE = "Please complete the reCAPTCHA verification";
const FAILED = "reCAPTCHA verification failed. Please try again.";
const EXPIRED = "reCAPTCHA verification expired. Please verify again.";

/** Captcha, card frame and the one button that pays. One of these is one attempt: a refused one is replaced by a new one. */
export function PayByCard({ donation, checkout, priced, fault, organisation, onRefused }: PayByCardProps) {
  const { flow, visitor, tell, noteSent, sentBody } = donation;
  const place = useRef<HTMLDivElement>(null);
  const [captcha, setCaptcha] = useState<string>();
  const [wasSolved, setWasSolved] = useState(false);
  const refusedCaptcha = flow.refusal?.error.startsWith("captcha") ? flow.refusal.message : undefined;
  const [captchaError, setCaptchaError] = useState(refusedCaptcha);
  const [isPaying, setPaying] = useState(false);
  const [tokenError, setTokenError] = useState<string>();
  const frame = useCardFrame(place, checkout.payway, wasSolved);
  const isLocked = useRef(false);

  const solved = (payload: string) => {
    setCaptcha(payload);
    setCaptchaError(undefined);
    endToast(INCOMPLETE);
    setWasSolved(true);
  };
  const unsolved = (sentence: string) => () => {
    if (isLocked.current) return;
    setCaptcha(undefined);
    setCaptchaError(sentence);
    void showAlert(sentence);
  };
  const why = whyNot({
    isPaying,
    hasCaptcha: captcha !== undefined,
    state: frame.state,
    isValid: frame.isValid,
    fault,
  });

  const donate = async () => {
    if (captcha === undefined && !isPaying) {
      showToast(INCOMPLETE, "bad");
      setCaptchaError(INCOMPLETE);
      document.getElementById("captcha")?.focus();
    }
    if (why !== undefined || captcha === undefined || isLocked.current) return;
    isLocked.current = true;
    setPaying(true);
    setTokenError(undefined);
    const token = await whileLoading(frame.getToken()).catch((error: Error) => {
      setTokenError(error.message);
      return undefined;
    });
    if (token === undefined) {
      isLocked.current = false;
      return setPaying(false);
    }
    frame.close();
    await pay(token, captcha);
  };

  const pay = async (token: string, solvedCaptcha: string) => {
    const body = cardPayment({ flow, priced, userId: visitor.userId, token, captcha: solvedCaptcha });
    if (!isSendable(body)) {
      const message = "Some of your details could not be sent. Please check them and try again.";
      tell({ type: "decided", verdict: { kind: "refused", error: "invalid_input", message, fields: {} } });
      return onRefused();
    }
    const key = crypto.randomUUID();
    if (!noteSent({ key, totalCents: priced.totalCents, email: body.email })) return;
    sentBody.current = body;
    const verdict = readPaymentAnswer(await whileLoading(sendCardPayment(body, key)));
    if (verdict.kind !== "confirming") sentBody.current = undefined;
    tell({ type: "decided", verdict });
    if (verdict.kind === "refused") onRefused();
  };

  return (
    <section className="block" aria-labelledby="pay-heading">
      <h2 id="pay-heading">Pay by card</h2>
      <CaptchaBox
        captcha={checkout.captcha}
        action="donate"
        error={captchaError}
        onSolved={solved}
        onExpired={unsolved(EXPIRED)}
        onError={unsolved(FAILED)}
      />
      <fieldset className="card-frame">
        <legend className="sr">Card details, provided by PayWay</legend>
        <div ref={place} />
        <FrameNote state={frame.state} isPaying={isPaying} failure={frame.failure} onTryAgain={frame.tryAgain} />
      </fieldset>
      <RefusalMessage donation={donation} tokenError={tokenError} />
      <div className="form-actions">
        {!isPaying && (
          <button type="button" className="btn btn-quiet" onClick={donation.goBack}>
            Previous
          </button>
        )}
        <button
          type="button"
          className="btn btn-cta btn-lg"
          aria-disabled={why !== undefined}
          aria-describedby={why === undefined ? undefined : "pay-why"}
          onClick={donate}
        >
          <Icon name="lock" />
          {isPaying ? "Processing…" : `Donate ${formatDollars(priced.totalCents)}`}
        </button>
        {why !== undefined && (
          <span className="why" id="pay-why">
            {why}
          </span>
        )}
      </div>
      <p className="sr" role="status">
        {isPaying ? "Processing your donation" : ""}
      </p>
      <TrustBlock organisation={organisation} />
    </section>
  );
}

type PayByCardProps = {
  readonly donation: Donation;
  readonly checkout: Checkout;
  readonly priced: Priced;
  readonly fault: string | undefined;
  readonly organisation: Charity;
  readonly onRefused: () => void;
};

type PayState = { isPaying: boolean; hasCaptcha: boolean; state: string; isValid: boolean; fault: string | undefined };

function whyNot({ isPaying, hasCaptcha, state, isValid, fault }: PayState): string | undefined {
  if (isPaying) return "Please wait, and do not close this page.";
  if (fault !== undefined) return fault;
  if (!hasCaptcha) return "Complete the verification above first.";
  if (state === "failed") return "The card form did not load.";
  if (state !== "ready") return "The card form is loading.";
  return isValid ? undefined : "Fill in your card details above to donate.";
}

function FrameNote({ state, isPaying, failure, onTryAgain }: FrameNoteProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state === "failed") button.current?.focus();
  }, [state]);
  if (isPaying) return <p className="muted">Your card details are with the bank.</p>;
  if (state === "waiting") return <p className="muted">The card form opens here once you have verified above.</p>;
  if (state === "loading") return <p className="muted">Loading the card form…</p>;
  if (state === "ready") return null;
  return (
    <div role="alert">
      <p>{failure}</p>
      <button type="button" className="btn btn-quiet" ref={button} onClick={onTryAgain}>
        Try again
      </button>
    </div>
  );
}

type FrameNoteProps = { state: string; isPaying: boolean; failure: string; onTryAgain: () => void };
