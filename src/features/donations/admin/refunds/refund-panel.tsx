import { hasRight, type StaffMember } from "#admin/rights.ts";
import { formatDollars } from "#shared/language.ts";
import type { DonationRefunds } from "../../server/refunds/shown-refund.ts";
import { RefundStatus } from "./refund-facts.tsx";
import { describeRefund } from "./refund-words.ts";

/** On a donation's page: its refunds, and the way to another one. `reads.readDonationRefunds` has the data. */
export function RefundPanel({ data, staff }: { data: DonationRefunds; staff: StaffMember }) {
  const { donationId, payment, leftCents, refunds } = data;
  const isWaiting = refunds.some(({ request }) => request !== null && request.decision === null);
  const isPossible = payment !== null && payment.state !== "disputed" && leftCents > 0 && !isWaiting;
  return (
    <section className="panel" aria-labelledby="h-refund">
      <h2 id="h-refund">Refund</h2>
      {refunds.map((refund) => (
        <div className="refund-entry" key={refund.id}>
          <p>
            <a href={`/admin/refunds/${refund.id}`}>
              <b className="tn">{formatDollars(refund.amountCents)}</b>
            </a>{" "}
            <RefundStatus refund={refund} />
          </p>
          <p className="hint">{describeRefund(refund).text}</p>
        </div>
      ))}
      {isPossible ? (
        <>
          <p>{formatDollars(leftCents)} can be refunded, in full or in part.</p>
          {hasRight(staff, "refunds.make") && (
            <p className="acts">
              <a className="btn danger" href={`/admin/donations/${donationId}/refund`}>
                Refund
              </a>
            </p>
          )}
        </>
      ) : (
        !isWaiting && <p className="hint">{describeImpossible(data)}</p>
      )}
    </section>
  );
}

function describeImpossible({ payment, leftCents }: DonationRefunds): string {
  if (payment === null) return "Nothing was charged, so there is nothing to refund.";
  if (leftCents === 0) return "Nothing is left to refund.";
  return "The donor disputes this payment. Until their bank has decided, a refund could pay the money back twice.";
}
