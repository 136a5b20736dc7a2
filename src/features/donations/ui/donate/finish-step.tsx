import { useEffect, useState } from "react";
import { AfterPaying } from "#payments/checkout/ui/after-paying.tsx";
import { waitFor } from "#payments/checkout/ui/confirm-payment.ts";
import { Confirming } from "#payments/checkout/ui/confirming.tsx";
import { giveUpChallenge } from "#payments/checkout/ui/give-up-challenge.ts";
import type { KnownPerson } from "#payments/checkout/ui/known-person.ts";
import { describeMoney, type PaymentVerdict } from "#payments/checkout/ui/outcome.ts";
import { findPayment } from "#payments/checkout/ui/payment-calls.ts";
import { Contact } from "#payments/checkout/ui/trust-block.tsx";
import { formatDollars } from "#shared/language.ts";
import { paths } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import failedPicture from "#shared/ui/identity/illustrations/spot-failed.svg?no-inline";
import successPicture from "#shared/ui/identity/illustrations/spot-success.svg?no-inline";
import type { SentPayment } from "../../draft.ts";
import { EmailText } from "../email-text.tsx";
import type { Charity } from "./bank-card.tsx";
import { sendPayment } from "./send-payment.ts";
import type { DonationForm } from "./use-donation.ts";

/** Step 5: the payment's outcome, always with whether anything was charged (DON-16, DON-17). */
export function FinishStep({ donation, organisation }: { donation: DonationForm; organisation: Charity }) {
  const { verdict, payment } = donation.flow;
  if (verdict?.kind === "succeeded")
    return <Succeeded donation={donation} organisation={organisation} verdict={verdict} />;
  if (verdict?.kind === "failed" || verdict?.kind === "refunded") {
    return <NotPaid donation={donation} organisation={organisation} verdict={verdict} />;
  }
  if (payment === undefined) return null;
  return <Unknown donation={donation} organisation={organisation} payment={payment} />;
}

type Parts = { readonly donation: DonationForm; readonly organisation: Charity };
type Kind<Name extends PaymentVerdict["kind"]> = Extract<PaymentVerdict, { kind: Name }>;

function Succeeded({ donation, organisation, verdict }: Parts & { verdict: Kind<"succeeded"> }) {
  const { payment } = donation.flow;
  const receiptUrl = useReceipt(verdict);
  return (
    <section className="plain-card result" aria-label="Result">
      <img src={successPicture} alt="" width="160" height="160" />
      <p className="lede">{verdict.message || "Your payment was received."}</p>
      <dl className="sum">
        {payment !== undefined && (
          <>
            <div>
              <dt>Amount charged</dt>
              <dd className="num">{formatDollars(payment.totalCents)} AUD</dd>
            </div>
            <div>
              <dt>Receipt sent to</dt>
              <dd>
                <EmailText email={payment.email} />
              </dd>
            </div>
          </>
        )}
        <div>
          <dt>Reference</dt>
          <dd className="num">{verdict.reference ?? verdict.id}</dd>
        </div>
      </dl>
      <h2>What happens next</h2>
      <p>
        Your receipt is on its way by email. If you don’t have it within a few minutes, check your spam folder or
        contact us. {organisation.name} passes your gift on to the work you chose.
      </p>
      {receiptUrl === undefined && (
        <p className="muted" role="status">
          We’re preparing your receipt and will email it to you.
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
        <button type="button" className="btn btn-quiet" onClick={() => donation.dispatch({ type: "startedOver" })}>
          Make another donation
        </button>
      </div>
      <AfterPaying
        person={knownOf(donation)}
        benefit="See all your donations and receipts in one place. This donation appears there once you confirm your email."
        message={`I donated to ${organisation.name}. See what they do:`}
        path={paths.home}
      />
      <Contact payee={organisation} />
    </section>
  );
}

/** For an anonymous donor, and after a reload, we only have the email address. */
function knownOf({ flow: { personal, payment } }: DonationForm): KnownPerson {
  const { isAnonymous, firstName, lastName, email, postcode } = personal;
  if (isAnonymous || email === "") return { email: payment?.email ?? email };
  return { firstName, lastName, email, postcode };
}

function NotPaid({ donation, organisation, verdict }: Parts & { verdict: Kind<"failed" | "refunded"> }) {
  const isRefunded = verdict.kind === "refunded";
  return (
    <section className="plain-card result" aria-label="Result">
      <img src={failedPicture} alt="" width="160" height="160" />
      <div role="alert">
        <p className="lede">{verdict.message}</p>
        <p>
          {isRefunded && <b>Your money has been returned.</b>}
          {!isRefunded && <b>{describeMoney()} </b>}
          {!isRefunded && "We’ve kept your donation as you entered it."}
        </p>
      </div>
      <div className="form-actions">
        <button
          type="button"
          className="btn"
          onClick={() => donation.dispatch({ type: isRefunded ? "startedOver" : "triedAgain" })}
        >
          {isRefunded ? "Make another donation" : "Try again"}
        </button>
      </div>
      <Contact payee={organisation} />
    </section>
  );
}

function Unknown({ donation, organisation, payment }: Parts & { payment: SentPayment }) {
  const { dispatch, sentBody, flow } = donation;
  const body = sentBody.current;
  return (
    <Confirming
      method={flow.method}
      payment={payment}
      payee={organisation}
      resend={body === undefined ? undefined : () => sendPayment(body, payment.key)}
      onChallenge={async (challenge) => (body === undefined ? giveUpChallenge(challenge, payment.key) : challenge)}
      onDecided={(verdict) => {
        if (verdict.kind !== "challenge") sentBody.current = undefined;
        dispatch({ type: "decided", verdict });
      }}
    />
  );
}

const TRIES = 8;
const PAUSE_MS = 3000;

/** The receipt's address: from the payment's answer, or looked up a few times until it is issued. */
function useReceipt({ id, receiptUrl }: { id: string; receiptUrl: string | undefined }): string | undefined {
  const [found, setFound] = useState(receiptUrl);
  useEffect(() => {
    if (receiptUrl !== undefined) return;
    let isGone = false;
    const look = async () => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        await waitFor(PAUSE_MS);
        if (isGone) return;
        const answer = await findPayment(id);
        if (answer.ok && answer.data.receiptUrl !== undefined) return setFound(answer.data.receiptUrl);
      }
    };
    void look();
    return () => {
      isGone = true;
    };
  }, [id, receiptUrl]);
  return found;
}
