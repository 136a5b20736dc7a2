import { useState } from "react";
import type { Answer } from "#shared/contract/envelope.ts";
import { formatDollars } from "#shared/language.ts";
import waitingPicture from "#shared/ui/identity/illustrations/spot-message.svg?no-inline";
import { useTries } from "#shared/ui/use-load.tsx";
import type { Payment, PaymentMethod } from "../contract.ts";
import { type Challenge, confirmPayment, waitFor } from "./confirm-payment.ts";
import type { PaymentVerdict } from "./outcome.ts";
import { findPayment } from "./payment-calls.ts";
import { Contact } from "./trust-block.tsx";
import type { Payee } from "./words.ts";

/** Shown while a payment's outcome is unknown: offers no way to pay again, and checks automatically (DON-16). */
export function Confirming({ method, payment, payee, ...ways }: ConfirmingProps) {
  const [hasGivenUp, setGivenUp] = useState(false);
  const { key } = payment;
  // Keyed by the payment's key alone: learning its id must not restart the polling.
  const { tryAgain } = useTries(key, () => {
    const stop = new AbortController();
    setGivenUp(false);
    confirmPayment({
      find: () => findPayment(payment.id ?? key),
      resend: ways.resend,
      onChallenge: ways.onChallenge,
      wait: waitFor,
      now: Date.now,
      signal: stop.signal,
    }).then((verdict) => {
      if (stop.signal.aborted) return;
      if (verdict === undefined) return setGivenUp(true);
      ways.onDecided(verdict);
    });
    return () => stop.abort();
  });
  return (
    <section className="plain-card result" aria-label="Result">
      <img src={waitingPicture} alt="" width="160" height="160" />
      <p className="lede" role="status">
        We are confirming your payment. Please do not pay again
      </p>
      <p>
        {waitsFor[method](formatDollars(payment.totalCents))} We will email it to <b>{payment.email}</b>.
      </p>
      <p role="status">
        {hasGivenUp
          ? "This is taking longer than usual. You can close this page: we’ll email you the outcome."
          : "This page checks automatically. You can also close it: we’ll email you the outcome."}
      </p>
      {hasGivenUp && (
        <div className="form-actions">
          <button type="button" className="btn" onClick={tryAgain}>
            Check again
          </button>
        </div>
      )}
      <Contact payee={payee} />
    </section>
  );
}

const waitsFor = {
  cc: (amount: string) => `The bank hasn’t told us the outcome of your payment of ${amount} yet.`,
  pp: (amount: string) => `PayPal hasn’t told us the outcome of your payment of ${amount} yet.`,
} as const;

type ConfirmingProps = {
  readonly method: PaymentMethod;
  /** `key` is the Idempotency-Key it was sent with, `id` the server's payment id once known. */
  readonly payment: {
    readonly key: string;
    readonly id?: string | undefined;
    readonly totalCents: number;
    readonly email: string;
  };
  readonly payee: Payee;
  /** Resends the same payment with the same key. Missing after a reload, because card tokens are not kept. */
  readonly resend: (() => Promise<Answer<Payment>>) | undefined;
  readonly onChallenge: (challenge: Challenge) => Promise<PaymentVerdict | undefined>;
  readonly onDecided: (verdict: PaymentVerdict) => void;
};
