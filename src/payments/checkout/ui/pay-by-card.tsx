import { useEffect, useRef, useState } from "react";
import { formatDollars } from "#shared/money.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { Checkout } from "../contract.ts";
import type { Refusal } from "./outcome.ts";
import { RefusalMessage } from "./refusal-message.tsx";
import { useCardFrame } from "./use-card-frame.ts";
import type { OnePayment } from "./use-one-payment.ts";
import type { PaymentCaptcha } from "./use-payment-captcha.ts";
import type { Payee, PayWords } from "./words.ts";

/** What stands for the money: the card frame's single-use token, or what an approval at PayPal gave. */
export type Instrument =
  | { readonly method: "cc"; readonly token: string }
  | { readonly method: "pp"; readonly nonce: string; readonly type: string };

/** What has to be filled in before one can pay, in a sentence, and how to lead there. */
export type Missing = { readonly says: string; readonly show: () => void };

/** The card frame and the one button that pays. */
export function PayByCard({ pay, payment, captcha, ...props }: PayProps) {
  const { checkout, totalCents, words, fault, missing, refusal, remedy, onBack } = props;
  const place = useRef<HTMLDivElement>(null);
  const { isPaying, begin, giveUp } = payment;
  const [tokenError, setTokenError] = useState<string>();
  const frame = useCardFrame(place, checkout.payway, captcha.wasSolved);
  const why = whyNot({
    isPaying,
    hasCaptcha: captcha.payload !== undefined,
    state: frame.state,
    isValid: frame.isValid,
    fault: fault ?? missing?.says,
    verb: words.verb,
  });

  const payNow = async () => {
    if (missing !== undefined && !isPaying) return missing.show();
    if (captcha.payload === undefined && !isPaying) captcha.sayMissing("cc");
    if (why !== undefined || captcha.payload === undefined || !begin()) return;
    setTokenError(undefined);
    const token = await whileLoading(frame.getToken()).catch((error: Error) => {
      setTokenError(error.message);
      return undefined;
    });
    if (token === undefined) return giveUp();
    frame.close();
    await pay(captcha.payload, { method: "cc", token });
  };

  return (
    <>
      <fieldset className={frame.state === "waiting" ? "card-frame is-waiting" : "card-frame"}>
        <legend className="sr">Card details, provided by PayWay</legend>
        <div ref={place} />
        <FrameNote state={frame.state} isPaying={isPaying} failure={frame.failure} onTryAgain={frame.tryAgain} />
      </fieldset>
      <RefusalMessage refusal={refusal} remedy={remedy} tokenError={tokenError} />
      <div className="form-actions">
        {!isPaying && onBack !== undefined && (
          <button type="button" className="btn btn-quiet" onClick={onBack}>
            Previous
          </button>
        )}
        <button
          type="button"
          className="btn btn-cta btn-lg"
          aria-disabled={why !== undefined}
          aria-describedby={why === undefined ? undefined : "pay-why"}
          onClick={payNow}
        >
          <Icon name="lock" />
          {isPaying ? "Processing…" : `${words.verb} ${formatDollars(totalCents)}`}
        </button>
        {why !== undefined && (
          <span className="why" id="pay-why">
            {why}
          </span>
        )}
      </div>
      <p className="sr" role="status">
        {isPaying ? `Processing your ${words.noun}` : ""}
      </p>
    </>
  );
}

export type PayProps = {
  readonly checkout: Checkout;
  readonly totalCents: number;
  readonly payee: Payee;
  readonly words: PayWords;
  readonly fault: string | undefined;
  readonly missing?: Missing | undefined;
  readonly refusal: Refusal | undefined;
  readonly remedy?: React.ReactNode;
  readonly onBack?: (() => void) | undefined;
  readonly payment: OnePayment;
  readonly captcha: PaymentCaptcha;
  readonly pay: (captcha: string, instrument: Instrument) => Promise<void>;
};

type PayState = {
  isPaying: boolean;
  hasCaptcha: boolean;
  state: string;
  isValid: boolean;
  fault: string | undefined;
  verb: PayWords["verb"];
};

function whyNot({ isPaying, hasCaptcha, state, isValid, fault, verb }: PayState): string | undefined {
  if (isPaying) return "Please wait, and do not close this page.";
  if (fault !== undefined) return fault;
  if (!hasCaptcha) return "Complete the verification above first.";
  if (state === "failed") return "The card form did not load.";
  if (state !== "ready") return "The card form is loading.";
  return isValid ? undefined : `Fill in your card details above to ${verb.toLowerCase()}.`;
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
