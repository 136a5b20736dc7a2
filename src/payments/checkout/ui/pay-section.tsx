import { type ReactNode, useState } from "react";
import { CaptchaBox } from "#shared/captcha/ui/captcha-box.tsx";
import type { Checkout, PaymentMethod } from "../contract.ts";
import { BankChallenge } from "./bank-challenge.tsx";
import type { Refusal, Verdict } from "./outcome.ts";
import { type Instrument, type Missing, PayByCard } from "./pay-by-card.tsx";
import { PayByPayPal } from "./pay-by-paypal.tsx";
import { awayMessage } from "./payment-methods.ts";
import { RefusalMessage } from "./refusal-message.tsx";
import { TrustBlock } from "./trust-block.tsx";
import { useOnePayment } from "./use-one-payment.ts";
import { usePaymentCaptcha } from "./use-payment-captcha.ts";
import type { Payee, PayWords } from "./words.ts";

/** Where money is paid: the bank's question once it asks, else the chosen way, or why that cannot be used now. */
export function PaySection(props: PaySectionProps) {
  const { challenge, method, checkout, totalCents, words, onChallengeEnd, onPay } = props;
  const [attempt, setAttempt] = useState(0);
  if (challenge !== undefined) {
    return (
      <BankChallenge
        {...challenge}
        payway={checkout.payway}
        totalCents={totalCents}
        noun={words.noun}
        onEnd={onChallengeEnd}
      />
    );
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
  readonly words: PayWords;
  /** What the captcha is solved for. */
  readonly action: "donate" | "tickets";
  /** Why this cannot be paid as it is. */
  readonly fault: string | undefined;
  /** What has to be filled in elsewhere on the page first. */
  readonly missing?: Missing | undefined;
  /** Why the last payment failed, above what pays. */
  readonly lastFailure?: ReactNode;
  /** Why the last try was not sent on to the bank. */
  readonly refusal: Refusal | undefined;
  /** Leads to where a refusal is put right. */
  readonly remedy?: ReactNode;
  /** The card's bank asks: the payment, and the card's token. */
  readonly challenge: { readonly id: string; readonly token: string } | undefined;
  readonly onChallengeEnd: (verdict: Verdict) => void;
  readonly onBack?: (() => void) | undefined;
  /** Leads to where another way of paying is chosen, if that is not beside this. */
  readonly onChangeMethod?: (() => void) | undefined;
  /** Sends a payment with a solved captcha. Nothing comes back where none was sent. */
  readonly onPay: (captcha: string, instrument: Instrument) => Promise<Verdict | undefined>;
};

type AttemptProps = PaySectionProps & {
  readonly pay: (captcha: string, instrument: Instrument) => Promise<void>;
};

/** Captcha, and what pays. A refused attempt is replaced by a new one; a captcha that is solved does for either way of paying. */
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
        {onBack !== undefined && (
          <button type="button" className="btn btn-quiet" onClick={onBack}>
            Previous
          </button>
        )}
        {refusal === undefined && onChangeMethod !== undefined && (
          <button type="button" className="btn" onClick={onChangeMethod}>
            Change payment method
          </button>
        )}
      </div>
    </section>
  );
}
