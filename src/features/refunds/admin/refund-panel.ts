import type { RefundedSubject, RefundPanelData } from "#admin/refund-panel.ts";
import { roomOf } from "#payments/refunds/refund-rules.ts";
import { listRefunds } from "#payments/refunds/refund-store.ts";
import type { Connection } from "#shared/database/connect.ts";
import { findPaymentOf } from "../server/request-store.ts";
import { listRefundsOf } from "../server/shown-refunds.ts";
import { describeRefund, refusalWords, subjectPaths } from "./refund-words.ts";

/** What the page of a donation or ticket order shows of its refunds. */
export async function readRefundPanel(connection: Connection, of: RefundedSubject): Promise<RefundPanelData> {
  const payment = await findPaymentOf(connection, of);
  const refunds = await listRefundsOf(connection, of);
  const leftCents = payment === undefined ? 0 : roomOf(payment.amount_cents, await listRefunds(connection, payment.id));
  const waiting = refunds.find(({ request }) => request !== null && request.decision === null) ?? null;
  const words = refusalWords[of.kind];
  const refusal =
    payment === undefined
      ? words.notPaid
      : leftCents === 0
        ? words.nothingLeft
        : payment.state === "disputed"
          ? words.disputed
          : null;
  return {
    refunds: refunds.map((refund) => ({
      id: refund.id,
      amountCents: refund.amountCents,
      ...describeRefund(refund),
    })),
    leftCents: refusal === null && waiting === null ? leftCents : 0,
    refusal: waiting === null ? refusal : null,
    waiting,
    path: `${subjectPaths[of.kind]}/${of.id}/refund`,
  };
}
