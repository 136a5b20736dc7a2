import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Connection } from "#shared/database/connect.ts";
import { isOf, type Person } from "#shared/retention/retention.ts";

/** Everything that is held on what one person gave, oldest first, for the file that they may take away (PRO-12). */
export async function listGivingOf(connection: Connection, person: Person) {
  const rows = await connection
    .selectFrom("donations")
    .selectAll("donations")
    .select(({ selectFrom }) => [
      jsonArrayFrom(
        selectFrom("donation_lines")
          .selectAll("donation_lines")
          .whereRef("donation_lines.donation_id", "=", "donations.id")
          .orderBy("position"),
      ).as("lines"),
      jsonArrayFrom(
        selectFrom("payment_attempts")
          .select(["provider", "order_reference", "provider_transaction_id", "amount_cents", "state"])
          .select(["sent_at", "settled_at", "customer_address"])
          .whereRef("payment_attempts.donation_id", "=", "donations.id")
          .orderBy("sent_at"),
      ).as("payments"),
      jsonArrayFrom(
        selectFrom("refunds")
          .innerJoin("payment_attempts", "payment_attempts.id", "refunds.attempt_id")
          .select([
            "refunds.kind",
            "refunds.order_reference",
            "refunds.provider_transaction_id",
            "refunds.amount_cents",
          ])
          .select(["refunds.state", "refunds.reason", "refunds.created_at", "refunds.settled_at"])
          .select("payment_attempts.order_reference as payment")
          .whereRef("payment_attempts.donation_id", "=", "donations.id")
          .orderBy("refunds.created_at"),
      ).as("refunds"),
      jsonArrayFrom(
        selectFrom("receipts")
          .select(["data", "voided_at"])
          .whereRef("receipts.donation_id", "=", "donations.id")
          .orderBy("number"),
      ).as("receipts"),
    ])
    .where(isOf(person))
    // As on the history: what was given anonymously as a guest joins no account.
    .where((where) => where.or([where("user_id", "is not", null), where("is_anonymous", "=", false)]))
    .orderBy("donations.created_at")
    .orderBy("donations.id")
    .execute();
  return rows.map((row) => ({
    reference: row.reference,
    givenAt: row.created_at.toISOString(),
    isAnonymous: row.is_anonymous,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    postcode: row.postcode,
    method: row.method === "cc" ? "Credit card" : "PayPal",
    currency: row.currency,
    subtotalCents: row.subtotal_cents,
    adminFeeCents: row.admin_fee_cents,
    merchantFeeCents: row.merchant_fee_cents,
    totalCents: row.total_cents,
    lines: row.lines.map((line) => ({
      category: line.category_title,
      subcategory: line.subcategory_title,
      kind: line.receipt_kind,
      quantity: line.quantity,
      unitCents: line.unit_cents,
      lineCents: line.line_cents,
      onBehalfOf: line.on_behalf_of,
    })),
    payments: row.payments.map((payment) => ({
      provider: payment.provider,
      orderReference: payment.order_reference,
      transactionId: payment.provider_transaction_id,
      amountCents: payment.amount_cents,
      state: payment.state,
      sentAt: payment.sent_at,
      settledAt: payment.settled_at,
      address: payment.customer_address,
    })),
    refunds: row.refunds.map((refund) => ({
      kind: refund.kind,
      payment: refund.payment,
      orderReference: refund.order_reference,
      transactionId: refund.provider_transaction_id,
      amountCents: refund.amount_cents,
      state: refund.state,
      reason: refund.reason,
      askedAt: refund.created_at,
      settledAt: refund.settled_at,
    })),
    /** As they were issued, the latest last; none until then. */
    receipts: row.receipts.map(({ data, voided_at }) => ({ voidedAt: voided_at, asIssued: data })),
  }));
}
