import { type ReactNode, useState } from "react";
import { CaptchaBox } from "#shared/captcha/ui/captcha-box.tsx";
import { PreviousButton } from "#shared/ui/form-actions.tsx";
import type { Checkout, PaymentMethod } from "../contract.ts";
import { BankChallenge } from "./bank-challenge.tsx";
import type { PaymentRefusal, PaymentVerdict } from "./outcome.ts";
import { type Instrument, type Missing, PayByCard } from "./pay-by-card.tsx";
import { PayByPayPal } from "./pay-by-paypal.tsx";
import { awayMessage } from "./payment-methods.ts";
import { RefusalMessage } from "./refusal-message.tsx";
import { TrustBlock } from "./trust-block.tsx";
import { useOnePayment } from "./use-one-payment.ts";
import { usePaymentCaptcha } from "./use-payment-captcha.ts";
import type { Payee, PaymentAction } from "./words.ts";

/** The payment itself: the bank's challenge if there is one, else the chosen method, or why it is unavailable. */
export function PaySection(props: PaySectionProps) {
  const { challenge, method, checkout, totalCents, onChallengeEnd, onPay } = props;
  const [attempt, setAttempt] = useState(0);
  if (challenge !== undefined) {
    return <BankChallenge {...challenge} payway={checkout.payway} totalCents={totalCents} onEnd={onChallengeEnd} />;
  }
  const away = awayMessage(method, checkout);
  if (away !== undefined) return <Away {...props} why={away} />;
  const pay = async (captcha: string, instrument: Instrument) => {
    const verdict = await onPay(captcha, instrument);
    if (verdict?.kind === "refused") setAttempt((count) => count + 1);
  };
  return <Attempt key={attempt} {...props} pay={pay} />;
}

export type PaySectionProps = {
  readonly method: PaymentMethod;
  readonly checkout: Checkout;
  readonly totalCents: number;
  readonly payee: Payee;
  readonly action: PaymentAction;
  /** Why this can't be paid for as it is. */
  readonly fault: string | undefined;
  /** What must be filled in elsewhere on the page first. */
  readonly missing?: Missing | undefined;
  readonly lastFailure?: ReactNode;
  /** Why the last try was not sent to the bank. */
  readonly refusal: PaymentRefusal | undefined;
  /** Leads to where the payer can fix a refusal. */
  readonly remedy?: ReactNode;
  /** How else to pay while the card form doesn't load. */
  readonly alternative?: ReactNode;
  readonly challenge: { readonly id: string; readonly token: string } | undefined;
  readonly onChallengeEnd: (verdict: PaymentVerdict) => void;
  readonly onBack?: (() => void) | undefined;
  /** Leads to the choice of payment method, if that is not on the same page. */
  readonly onChangeMethod?: (() => void) | undefined;
  /** Sends a payment with a solved captcha; undefined if none was sent. */
  readonly onPay: (captcha: string, instrument: Instrument) => Promise<PaymentVerdict | undefined>;
};

type AttemptProps = PaySectionProps & {
  readonly pay: (captcha: string, instrument: Instrument) => Promise<void>;
};

/** The captcha and the payment. A refused attempt is replaced by a new one; a solved captcha serves both methods. */
function Attempt({ pay, ...props }: AttemptProps) {
  const { method, checkout, action, payee, refusal } = props;
  const payment = useOnePayment();
  const captcha = usePaymentCaptcha(refusal, payment.isLocked);
  const Part = method === "cc" ? PayByCard : PayByPayPal;
  return (
    <section className="block" aria-labelledby="pay-heading">
      {props.lastFailure}
      <h2 id="pay-heading">{headings[method]}</h2>
      <CaptchaBox
        captcha={checkout.captcha}
        effort={Math.max(refusal?.effort ?? 1, checkout.captcha.effort ?? 1)}
        action={action}
        {...captcha.box}
      />
      <Part {...props} payment={payment} captcha={captcha} pay={pay} />
      <TrustBlock payee={payee} method={method} />
    </section>
  );
}

const headings = { cc: "Pay by card", pp: "Pay with PayPal" } as const;

function Away({ method, refusal, remedy, onBack, onChangeMethod, why }: PaySectionProps & { why: string }) {
  return (
    <section className="block" aria-labelledby="pay-heading">
      <h2 id="pay-heading">{headings[method]}</h2>
      {refusal === undefined ? <p>{why} Nothing was charged.</p> : <RefusalMessage refusal={refusal} remedy={remedy} />}
      <div className="form-actions">
        {onBack !== undefined && <PreviousButton onClick={onBack} />}
        {refusal === undefined && onChangeMethod !== undefined && (
          <button type="button" className="btn" onClick={onChangeMethod}>
            Change payment method
          </button>
        )}
      </div>
    </section>
  );
}
