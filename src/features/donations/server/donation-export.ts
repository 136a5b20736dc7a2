import { jsonArrayFrom } from "kysely/helpers/postgres";
import { notesOnRefunds } from "#payments/retention.ts";
import type { Connection } from "#shared/database/connect.ts";
import { isOf, type Person } from "#shared/retention/retention.ts";

/** Everything we hold about one person's donations, oldest first, for their data export (PRO-12). */
export async function exportDonations(connection: Connection, person: Person) {
  const rows = await connection
    .selectFrom("donations")
    .select(["reference", "donations.created_at as givenAt", "is_anonymous as isAnonymous"])
    .select(["first_name as firstName", "last_name as lastName", "email", "postcode", "method", "currency"])
    .select(["subtotal_cents as subtotalCents", "admin_fee_cents as adminFeeCents"])
    .select(["merchant_fee_cents as merchantFeeCents", "total_cents as totalCents"])
    .select(({ selectFrom }) => [
      jsonArrayFrom(
        selectFrom("donation_lines")
          .select(["category_title as category", "subcategory_title as subcategory", "receipt_kind as kind"])
          .select(["quantity", "unit_cents as unitCents", "line_cents as lineCents", "on_behalf_of as onBehalfOf"])
          .whereRef("donation_lines.donation_id", "=", "donations.id")
          .orderBy("position"),
      ).as("lines"),
      jsonArrayFrom(
        selectFrom("payment_attempts")
          .select(["provider", "order_reference as orderReference", "provider_transaction_id as transactionId"])
          .select(["amount_cents as amountCents", "state", "sent_at as sentAt", "settled_at as settledAt"])
          .select("customer_ip_address as address")
          .whereRef("payment_attempts.donation_id", "=", "donations.id")
          .orderBy("sent_at"),
      ).as("payments"),
      jsonArrayFrom(
        selectFrom("refunds")
          .innerJoin("payment_attempts", "payment_attempts.id", "refunds.attempt_id")
          .select(["refunds.kind", "payment_attempts.order_reference as payment"])
          .select(["refunds.order_reference as orderReference", "refunds.provider_transaction_id as transactionId"])
          .select(["refunds.amount_cents as amountCents", "refunds.state", "refunds.reason"])
          .select(["refunds.created_at as askedAt", "refunds.settled_at as settledAt"])
          .whereRef("payment_attempts.donation_id", "=", "donations.id")
          .orderBy("refunds.created_at"),
      ).as("refunds"),
      // As issued, the latest last.
      jsonArrayFrom(
        selectFrom("receipts")
          .select(["voided_at as voidedAt", "data as asIssued"])
          .whereRef("receipts.donation_id", "=", "donations.id")
          .orderBy("number"),
      ).as("receipts"),
    ])
    .$if(person.askedBy === "staff", (query) =>
      query.select(notesOnRefunds({ by: "donation_id", id: "donations.id" }).as("notesOnRefunds")),
    )
    .where(isOf(person))
    // As in the history: a guest's anonymous donations never join an account.
    .$if(person.askedBy === "member", (query) =>
      query.where((where) => where.or([where("user_id", "is not", null), where("is_anonymous", "=", false)])),
    )
    .orderBy("donations.created_at")
    .orderBy("donations.id")
    .execute();
  return rows.map(({ givenAt, method, ...row }) => ({
    ...row,
    givenAt: givenAt.toISOString(),
    method: method === "cc" ? "Credit card" : "PayPal",
  }));
}
