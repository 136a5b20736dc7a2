import { When } from "#admin/ui/when.tsx";
import { describePaymentState, providerNames } from "#payments/payment-words.ts";
import { formatDay, formatDollars } from "#shared/language.ts";
import type { ShownDonation } from "./find-donation.ts";

type Props = { readonly donation: ShownDonation };

/** Each payment as we and the provider know it, and what the nightly comparison found. */
export function PaymentPanel({ donation }: Props) {
  return (
    <section className="panel" aria-labelledby="payment">
      <h2 id="payment">Payment</h2>
      <dl className="kv">
        <div>
          <dt>Reference</dt>
          <dd className="tn">{donation.reference}</dd>
        </div>
        <div>
          <dt>By</dt>
          <dd>{donation.method === "cc" ? "Card" : "PayPal"}</dd>
        </div>
      </dl>
      {donation.payments.map((payment) => (
        <Payment payment={payment} key={payment.id} />
      ))}
      <ProviderBooks donation={donation} />
    </section>
  );
}

function Payment({ payment }: { payment: ShownDonation["payments"][number] }) {
  return (
    <dl className="kv">
      <div>
        <dt>{providerNames[payment.provider]}</dt>
        <dd>
          {describePaymentState(payment.state).label}, {formatDollars(payment.amount_cents)}
          {payment.response_code !== null && `, code ${payment.response_code}`}
        </dd>
      </div>
      <div>
        <dt>Transaction</dt>
        <dd className="tn">
          <bdi>{payment.provider_transaction_id ?? "None known"}</bdi>
        </dd>
      </div>
      <div>
        <dt>Our number</dt>
        <dd className="tn">{payment.order_reference}</dd>
      </div>
      <div>
        <dt>Sent</dt>
        <dd>
          <When at={payment.sent_at} />
        </dd>
      </div>
    </dl>
  );
}

/** What the provider's books say, as far as the nightly comparison has stored it. */
function ProviderBooks({ donation: { books, payments } }: Props) {
  const { runs, findings } = books;
  const isCharged = payments.some(({ provider_transaction_id }) => provider_transaction_id !== null);
  if (!isCharged) return null;
  const sentences = runs
    .filter(({ state }) => state === "done")
    .map(({ provider, day }) => `${providerNames[provider]}’s book of ${formatDay(day)} has been compared with ours.`);
  return (
    <>
      {sentences.length === 0 && <p className="hint">The provider’s book of that day has not been compared yet.</p>}
      {sentences.map((sentence) => (
        <p className="hint" key={sentence}>
          {sentence} {findings.length === 0 && "It agrees with this donation."}
        </p>
      ))}
      {findings.map((finding) => (
        <p className="small" key={finding.id}>
          <b>{outcomeOf(finding)}</b>{" "}
          {finding.theirs_cents !== null && `Theirs: ${formatDollars(finding.theirs_cents)}. `}
          {finding.ours_cents !== null && `Ours: ${formatDollars(finding.ours_cents)}. `}
          {finding.detail !== "" && <bdi>{asSentence(finding.detail)}</bdi>}
          <span className="two-l">
            Found: <When at={finding.found_at} />,{" "}
            <a href={`/admin/reconciliation/${finding.day}#difference-${finding.id}`}>see the difference</a>
          </span>
        </p>
      ))}
    </>
  );
}

/** Staff may close a difference although the books still differ. */
function outcomeOf({ resolved_at, closed_at }: ShownDonation["books"]["findings"][number]): string {
  if (resolved_at === null) return "The books differ.";
  return closed_at === null ? "The books differed; this is resolved." : "The books differed; somebody closed this.";
}

const asSentence = (detail: string) => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
