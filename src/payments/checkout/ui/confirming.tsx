import { useEffect, useState } from "react";
import type { Answer } from "#shared/contract/envelope.ts";
import { formatDollars } from "#shared/money.ts";
import waitingPicture from "#shared/ui/identity/illustrations/spot-message.svg?no-inline";
import type { Payment, PaymentMethod } from "../contract.ts";
import { type Challenge, confirmPayment, waitFor } from "./confirm-payment.ts";
import type { Verdict } from "./outcome.ts";
import { findPayment } from "./payment-calls.ts";
import { Contact } from "./trust-block.tsx";
import type { Payee, PayWords } from "./words.ts";

/** While nobody knows what became of a payment: nothing invites to pay again, and the page asks by itself (DON-16). */
export function Confirming({ method, payment, noun, payee, ...ways }: ConfirmingProps) {
  const [hasGivenUp, setGivenUp] = useState(false);
  const [rounds, setRounds] = useState(0);
  const { key } = payment;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one watch for each payment and round; an id learnt meanwhile is the same payment
  useEffect(() => {
    const stop = new AbortController();
    setGivenUp(false);
    confirmPayment({
      find: () => findPayment(payment.id ?? key),
      resend: ways.resend,
      onChallenge: ways.onChallenge,
      wait: waitFor,
      now: Date.now,
      signal: stop.signal,
      noun,
    }).then((verdict) => {
      if (stop.signal.aborted) return;
      if (verdict === undefined) return setGivenUp(true);
      ways.onDecided(verdict);
    });
    return () => stop.abort();
  }, [key, rounds]);
  return (
    <section className="plain-card result" aria-label="Result">
      <img src={waitingPicture} alt="" width="160" height="160" />
      <p className="lede" role="status">
        We are confirming your payment. Please do not pay again
      </p>
      <p>
        {method === "cc" ? "The bank" : "PayPal"} has not told us the outcome of your {noun} of{" "}
        {formatDollars(payment.totalCents)} yet. We will email it to <b>{payment.email}</b>.
      </p>
      <p role="status">
        {hasGivenUp
          ? "It is taking longer than usual. You can close this page: the email will tell you."
          : "This page checks by itself. You may also close it: the email will tell you."}
      </p>
      {hasGivenUp && (
        <div className="form-actions">
          <button type="button" className="btn" onClick={() => setRounds(rounds + 1)}>
            Check again
          </button>
        </div>
      )}
      <Contact payee={payee} />
    </section>
  );
}

type ConfirmingProps = {
  readonly method: PaymentMethod;
  /** `key` is the Idempotency-Key that it went out with, `id` what the server calls it, once it said so. */
  readonly payment: {
    readonly key: string;
    readonly id?: string | undefined;
    readonly totalCents: number;
    readonly email: string;
  };
  readonly noun: PayWords["noun"];
  readonly payee: Payee;
  /** Sends the very same payment with the very same key again; absent after a reload, for card tokens are not kept. */
  readonly resend: (() => Promise<Answer<Payment>>) | undefined;
  readonly onChallenge: (challenge: Challenge) => Promise<Verdict | undefined>;
  readonly onDecided: (verdict: Verdict) => void;
};
