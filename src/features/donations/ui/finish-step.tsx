import { useEffect, useState } from "react";
import { formatDollars } from "#shared/money.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { Icon } from "#shared/ui/icon.tsx";
import failedPicture from "#shared/ui/identity/illustrations/spot-failed.svg?no-inline";
import waitingPicture from "#shared/ui/identity/illustrations/spot-message.svg?no-inline";
import successPicture from "#shared/ui/identity/illustrations/spot-success.svg?no-inline";
import type { SentPayment } from "../draft.ts";
import type { Charity } from "./bank-card.tsx";
import { type Challenge, confirmPayment, waitFor } from "./confirm-payment.ts";
import { isPaymentHeld } from "./device.ts";
import { readPaymentAnswer, type Verdict } from "./outcome.ts";
import { findPayment, finishChallenge, sendPayment } from "./send-payment.ts";
import type { Donation } from "./use-donation.ts";
import { useReceipt } from "./use-receipt.ts";

/** Step 5: what became of the payment, and always whether money has moved (DON-16, DON-17). */
export function FinishStep({ donation, organisation }: { donation: Donation; organisation: Charity }) {
  const { verdict, payment } = donation.flow;
  if (verdict?.kind === "succeeded")
    return <Succeeded donation={donation} organisation={organisation} verdict={verdict} />;
  if (verdict?.kind === "failed" || verdict?.kind === "refunded") {
    return <NotPaid donation={donation} organisation={organisation} verdict={verdict} />;
  }
  if (payment === undefined) return null;
  return <Confirming donation={donation} organisation={organisation} payment={payment} />;
}

type Parts = { readonly donation: Donation; readonly organisation: Charity };
type Kind<Name extends Verdict["kind"]> = Extract<Verdict, { kind: Name }>;

function Succeeded({ donation, organisation, verdict }: Parts & { verdict: Kind<"succeeded"> }) {
  const { payment } = donation.flow;
  const receiptUrl = useReceipt(verdict);
  return (
    <section className="plain-card result" aria-label="Result">
      <img src={successPicture} alt="" width="160" height="160" />
      <p className="lede">{verdict.message || "Your payment was received."}</p>
      <dl className="sum">
        {payment !== undefined && (
          <div>
            <dt>Amount charged</dt>
            <dd className="num">{formatDollars(payment.totalCents)} AUD</dd>
          </div>
        )}
        {payment !== undefined && (
          <div>
            <dt>Receipt sent to</dt>
            <dd>{payment.email}</dd>
          </div>
        )}
        <div>
          <dt>Reference</dt>
          <dd className="num">{verdict.reference ?? verdict.id}</dd>
        </div>
      </dl>
      <h2>What happens next</h2>
      <p>
        Your receipt is on its way by email. If it is not there within a few minutes, look in your junk folder, or ask
        us. {organisation.name} passes your gift on to the work you chose.
      </p>
      {receiptUrl === undefined && (
        <p className="muted" role="status">
          Your receipt is being written. It will come by email.
        </p>
      )}
      <div className="form-actions on-screen">
        {receiptUrl !== undefined && (
          <a className="btn" href={receiptUrl} target="_blank" rel="noopener">
            <Icon name="down" />
            Download your receipt <span className="sr">(opens in a new tab)</span>
          </a>
        )}
        <button type="button" className="btn btn-quiet" onClick={() => print()}>
          Print this page
        </button>
        <button type="button" className="btn btn-quiet" onClick={() => donation.tell({ type: "startedOver" })}>
          Make another donation
        </button>
      </div>
      <Contact organisation={organisation} />
    </section>
  );
}

function NotPaid({ donation, organisation, verdict }: Parts & { verdict: Kind<"failed" | "refunded"> }) {
  const isRefunded = verdict.kind === "refunded";
  return (
    <section className="plain-card result" aria-label="Result">
      <img src={failedPicture} alt="" width="160" height="160" />
      <div role="alert">
        <p className="lede">{verdict.message}</p>
        <p>
          {isRefunded && <b>The money went back to you.</b>}
          {!isRefunded && !saysNothingMoved(verdict.message) && <b>Nothing was charged. </b>}
          {!isRefunded && "Your donation is kept as you entered it."}
        </p>
      </div>
      <div className="form-actions">
        <button
          type="button"
          className="btn"
          onClick={() => donation.tell({ type: isRefunded ? "startedOver" : "triedAgain" })}
        >
          {isRefunded ? "Make another donation" : "Try again"}
        </button>
      </div>
      <Contact organisation={organisation} />
    </section>
  );
}

const saysNothingMoved = (message: string) => /nothing was charged|no payment was made/i.test(message);

function Confirming({ donation, organisation, payment }: Parts & { payment: SentPayment }) {
  const { tell, sentBody } = donation;
  const { method } = donation.flow;
  const [hasGivenUp, setGivenUp] = useState(false);
  const [rounds, setRounds] = useState(0);
  const { key } = payment;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one watch for each payment and round; an id learnt meanwhile is the same payment
  useEffect(() => {
    const stop = new AbortController();
    setGivenUp(false);
    const body = sentBody.current;
    confirmPayment({
      find: () => findPayment(payment.id ?? key),
      resend: body === undefined ? undefined : () => sendPayment(body, key),
      onChallenge: async (challenge) => (body === undefined ? giveUp(challenge, key) : challenge),
      wait: waitFor,
      now: Date.now,
      signal: stop.signal,
    }).then((verdict) => {
      if (stop.signal.aborted) return;
      if (verdict === undefined) return setGivenUp(true);
      if (verdict.kind !== "challenge") sentBody.current = undefined;
      tell({ type: "decided", verdict });
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
        {method === "cc" ? "The bank" : "PayPal"} has not told us the outcome of your donation of{" "}
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
      <Contact organisation={organisation} />
    </section>
  );
}

/** The card is not known any more after a reload, so its bank cannot be answered; another window may still be at it. */
async function giveUp({ id }: Challenge, key: string): Promise<Verdict | undefined> {
  if (await isPaymentHeld(key)) return undefined;
  const verdict = readPaymentAnswer(await finishChallenge(id, true));
  if (verdict.kind !== "failed") return verdict.kind === "succeeded" ? verdict : undefined;
  return {
    kind: "failed",
    message: "Your bank's question was not answered, so this payment was not finished. Nothing was charged.",
  };
}

function Contact({ organisation }: { organisation: Charity }) {
  const { phone, email } = organisation;
  return (
    <p className="small muted contact">
      Questions? Call <a href={telephoneLink(phone)}>{phone}</a> or email <a href={`mailto:${email}`}>{email}</a>.
    </p>
  );
}
