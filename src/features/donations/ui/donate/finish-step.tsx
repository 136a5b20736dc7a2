import { AfterPaying } from "#payments/checkout/ui/after-paying.tsx";
import { Confirming } from "#payments/checkout/ui/confirming.tsx";
import { giveUpChallenge } from "#payments/checkout/ui/give-up-challenge.ts";
import { sayMoney, type Verdict } from "#payments/checkout/ui/outcome.ts";
import { Contact } from "#payments/checkout/ui/trust-block.tsx";
import { formatDollars } from "#shared/money.ts";
import { paths } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import failedPicture from "#shared/ui/identity/illustrations/spot-failed.svg?no-inline";
import successPicture from "#shared/ui/identity/illustrations/spot-success.svg?no-inline";
import type { KnownPerson } from "#shared/ui/known-person.ts";
import type { SentPayment } from "../../draft.ts";
import type { Charity } from "./bank-card.tsx";
import { sendPayment } from "./send-payment.ts";
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
  return <Unknown donation={donation} organisation={organisation} payment={payment} />;
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
      <AfterPaying
        person={knownOf(donation)}
        benefit="It keeps your donations and receipts in one place. This one joins them once you have confirmed your email."
        message={`I donated to ${organisation.name}. Have a look at what they do:`}
        path={paths.home}
      />
      <Contact payee={organisation} />
    </section>
  );
}

/** An anonymous donor has told us an email address alone; after a reload it is all that is left, too. */
function knownOf({ flow: { personal, payment } }: Donation): KnownPerson {
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
          {isRefunded && <b>The money went back to you.</b>}
          {!isRefunded && <b>{sayMoney()} </b>}
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
      <Contact payee={organisation} />
    </section>
  );
}

function Unknown({ donation, organisation, payment }: Parts & { payment: SentPayment }) {
  const { tell, sentBody, flow } = donation;
  const body = sentBody.current;
  return (
    <Confirming
      method={flow.method}
      payment={payment}
      noun="donation"
      payee={organisation}
      resend={body === undefined ? undefined : () => sendPayment(body, payment.key)}
      onChallenge={async (challenge) => (body === undefined ? giveUpChallenge(challenge, payment.key) : challenge)}
      onDecided={(verdict) => {
        if (verdict.kind !== "challenge") sentBody.current = undefined;
        tell({ type: "decided", verdict });
      }}
    />
  );
}
