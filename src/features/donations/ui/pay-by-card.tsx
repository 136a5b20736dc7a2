import { useEffect, useRef, useState } from "react";
import type { Checkout } from "#shared/checkout/contract.ts";
import { formatDollars } from "#shared/money.ts";
import { CaptchaBox } from "#shared/ui/captcha-box.tsx";
import { whileLoading } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { useCardFrame } from "#shared/ui/use-card-frame.ts";
import type { Priced } from "../cart.ts";
import type { Charity } from "./bank-card.tsx";
import { cardPayment } from "./payment-body.ts";
import { RefusalMessage } from "./refusal-message.tsx";
import { TrustBlock } from "./trust-block.tsx";
import type { Donation } from "./use-donation.ts";
import { usePaying } from "./use-paying.ts";
import { usePaymentCaptcha } from "./use-payment-captcha.ts";

/** Captcha, card frame and the one button that pays. One of these is one attempt: a refused one is replaced by a new one. */
export function PayByCard({ donation, checkout, priced, fault, organisation, onRefused }: PayProps) {
  const place = useRef<HTMLDivElement>(null);
  const { isPaying, isLocked, begin, giveUp, pay } = usePaying({ donation, priced, onRefused });
  const captcha = usePaymentCaptcha(donation, isLocked);
  const [tokenError, setTokenError] = useState<string>();
  const frame = useCardFrame(place, checkout.payway, captcha.wasSolved);
  const why = whyNot({
    isPaying,
    hasCaptcha: captcha.payload !== undefined,
    state: frame.state,
    isValid: frame.isValid,
    fault,
  });

  const donate = async () => {
    if (captcha.payload === undefined && !isPaying) captcha.sayMissing("cc");
    if (why !== undefined || captcha.payload === undefined || !begin()) return;
    setTokenError(undefined);
    const token = await whileLoading(frame.getToken()).catch((error: Error) => {
      setTokenError(error.message);
      return undefined;
    });
    if (token === undefined) return giveUp();
    frame.close();
    await pay(captcha.payload, (parts) => cardPayment(parts, token));
  };

  return (
    <section className="block" aria-labelledby="pay-heading">
      <h2 id="pay-heading">Pay by card</h2>
      <CaptchaBox captcha={checkout.captcha} action="donate" {...captcha.box} />
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
      <TrustBlock organisation={organisation} method="cc" />
    </section>
  );
}

export type PayProps = {
  readonly donation: Donation;
  readonly checkout: Checkout;
  readonly priced: Priced;
  /** Why the cart cannot be paid as it is. */
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
