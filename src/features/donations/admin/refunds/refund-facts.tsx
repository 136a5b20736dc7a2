import { Status } from "#admin/ui/status.tsx";
import { formatDollars } from "#shared/language.ts";
import type { RefundForm, ShownRefund } from "../../server/refunds/shown-refund.ts";
import { describeRefund, formatWhen, nameRequester, providerNames } from "./refund-words.ts";

/** A refund's state as an icon and a word. */
export function RefundStatus({ refund }: { refund: Pick<ShownRefund, "request" | "refund" | "payment"> }) {
  const { look, icon, label } = describeRefund(refund);
  return (
    <Status look={look} {...(icon && { icon })}>
      {label}
    </Status>
  );
}

/** The donation, shown beside its refund. */
export function DonationPanel({
  donation,
  payment,
  leftCents,
}: Pick<RefundForm, "donation" | "payment" | "leftCents">) {
  return (
    <section className="panel" aria-labelledby="h-donation">
      <h2 id="h-donation">Donation</h2>
      <dl className="kv">
        <div>
          <dt>Reference</dt>
          <dd>
            <a href={`/admin/donations/${donation.id}`}>{donation.reference}</a>
          </dd>
        </div>
        <div>
          <dt>Donor</dt>
          <dd>
            <bdi>{donation.donorName ?? "Anonymous"}</bdi>
          </dd>
        </div>
        <div>
          <dt>Paid</dt>
          <dd className="tn">
            {payment === null
              ? "No"
              : `${formatDollars(payment.amountCents)} by ${donation.method === "cc" ? `card, at ${providerNames[payment.provider]}` : "PayPal"}`}
          </dd>
        </div>
        {payment !== null && (
          <div>
            <dt>Left</dt>
            <dd className="tn">{formatDollars(leftCents)}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** Refunds as a table: what, by whom, when, and the result. */
export function RefundsTable({
  caption,
  refunds,
  withDonation = true,
}: {
  caption: string;
  refunds: readonly ShownRefund[];
  withDonation?: boolean;
}) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{withDonation ? "Donation" : "Requested"}</th>
            {withDonation && <th scope="col">Requested</th>}
            <th scope="col">By</th>
            <th scope="col">Status</th>
            <th scope="col" className="num">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {refunds.map((refund) => (
            <RefundRow refund={refund} withDonation={withDonation} key={refund.id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RefundRow({ refund, withDonation }: { refund: ShownRefund; withDonation: boolean }) {
  const { id, at, amountCents, donation } = refund;
  const path = `/admin/refunds/${id}`;
  const when = <time dateTime={at.toISOString()}>{formatWhen(at)}</time>;
  return (
    <tr data-id={id}>
      <th scope="row" className="k-c">
        {withDonation ? (
          <>
            <a className="k" href={path}>
              <bdi>{donation.donorName ?? "Anonymous"}</bdi>
            </a>
            <span className="two-l tn">{donation.reference}</span>
          </>
        ) : (
          <a className="k" href={path}>
            {when}
          </a>
        )}
      </th>
      {withDonation && <td className="m-c tn">{when}</td>}
      <td className="m-c">
        <bdi>{nameRequester(refund)}</bdi>
      </td>
      <td className="s-c">
        <RefundStatus refund={refund} />
      </td>
      <td className="num v-c">{formatDollars(amountCents)}</td>
    </tr>
  );
}
