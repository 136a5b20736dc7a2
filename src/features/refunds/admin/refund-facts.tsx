import { formatWhen } from "#admin/format-when.ts";
import { Status } from "#admin/ui/status.tsx";
import { formatDollars } from "#shared/language.ts";
import type { RefundForm, ShownRefund } from "../server/shown-refund.ts";
import { describeRefund, nameRequester, subjectPaths, subjectWords } from "./refund-words.ts";

/** A refund's state as an icon and a word. */
export function RefundStatus({ refund }: { refund: Pick<ShownRefund, "request" | "refund" | "payment"> }) {
  const { look, icon, label } = describeRefund(refund);
  return (
    <Status look={look} {...(icon && { icon })}>
      {label}
    </Status>
  );
}

/** The donation or ticket order, shown beside its refund. */
export function RefundedPanel({ of, payment, leftCents }: Pick<RefundForm, "of" | "payment" | "leftCents">) {
  const words = subjectWords[of.kind];
  return (
    <section className="panel" aria-labelledby="h-refunded">
      <h2 id="h-refunded">{words.subject}</h2>
      <dl className="kv">
        <div>
          <dt>Reference</dt>
          <dd>
            <a href={`${subjectPaths[of.kind]}/${of.id}`}>{of.reference}</a>
          </dd>
        </div>
        <div>
          <dt>{words.payer}</dt>
          <dd>
            <PayerPanel of={of} />
          </dd>
        </div>
        {of.event !== "" && (
          <div>
            <dt>Event</dt>
            <dd>
              <bdi>{of.event}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>Paid</dt>
          <dd className="tn">
            {payment === null
              ? "No"
              : `${formatDollars(payment.amountCents)} by ${payment.provider === "payway" ? "card, at PayWay" : "PayPal"}`}
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

/** Who paid, or what is shown instead of an unknown or erased name. */
export function PayerPanel({ of: { kind, payerName } }: { of: ShownRefund["of"] }) {
  return payerName === null ? kind === "donation" ? "Anonymous donor" : "Erased" : <bdi>{payerName}</bdi>;
}

/** Refunds as a table: what, by whom, when, and the result. `showsSubject`: of different donations and orders. */
export function RefundsTable({
  caption,
  refunds,
  showsSubject = true,
}: {
  caption: string;
  refunds: readonly ShownRefund[];
  showsSubject?: boolean;
}) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{showsSubject ? "Of" : "Requested"}</th>
            {showsSubject && <th scope="col">Requested</th>}
            <th scope="col">By</th>
            <th scope="col">State</th>
            <th scope="col" className="num">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {refunds.map((refund) => (
            <RefundRow refund={refund} showsSubject={showsSubject} key={refund.id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RefundRow({ refund, showsSubject }: { refund: ShownRefund; showsSubject: boolean }) {
  const { id, at, amountCents, of } = refund;
  const path = `/admin/refunds/${id}`;
  const when = <time dateTime={at.toISOString()}>{formatWhen(at)}</time>;
  return (
    <tr data-id={id}>
      <th scope="row" className="k-c">
        {showsSubject ? (
          <>
            <a className="k" href={path}>
              <PayerPanel of={of} />
            </a>
            <span className="two-l tn">{of.event === "" ? of.reference : `${of.reference}, ${of.event}`}</span>
          </>
        ) : (
          <a className="k" href={path}>
            {when}
          </a>
        )}
      </th>
      {showsSubject && <td className="m-c tn">{when}</td>}
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
