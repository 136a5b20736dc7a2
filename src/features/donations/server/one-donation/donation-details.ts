import { sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import { z } from "zod";
import { listChangesOf } from "#admin/recorded-acts.ts";
import { listEmailsAbout, listPaymentEvents, listRefundEvents } from "#payments/subject-history.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { readOnOneConnection, together } from "#shared/database/transact.ts";
import { dayInSydney } from "#shared/language.ts";
import { ReceiptData } from "../receipt.ts";

export type DonationDetails = NonNullable<Awaited<ReturnType<typeof findDonationDetails>>>;
export type DetailedReceipt = DonationDetails["receipts"][number];

/** All that is known about one donation, for staff; null if there is none with this id. */
export async function findDonationDetails(database: Database, id: string) {
  if (!z.uuid().safeParse(id).success) return null;
  const subject = { kind: "donation", id } as const;
  return readOnOneConnection(database, async (connection) => {
    const [donation, lines, payments, events, refunds, refundEvents] = await together(
      findWithAccount(connection, id),
      connection.selectFrom("donation_lines").selectAll().where("donation_id", "=", id).orderBy("position").execute(),
      listPayments(connection, id),
      listPaymentEvents(connection, subject),
      listRefunds(connection, id),
      listRefundEvents(connection, subject),
    );
    if (donation === undefined) return null;
    const [ledger, receipts, emails, acts, books] = await together(
      listLedger(connection, id),
      listReceipts(connection, id),
      listEmailsAbout(connection, subject),
      listChangesOf(connection, { subject: "donation", subjectId: id }),
      listBooks(connection, id),
    );
    const givenBefore = await countOf(connection, donation.email);
    const rest = { lines, payments, events, refunds, refundEvents, ledger, receipts, emails, acts };
    return { ...donation, ...rest, books, givenBefore };
  });
}

/** The donation, its account, and the account, if any, that has confirmed its email address. */
function findWithAccount(connection: Connection, id: string) {
  return connection
    .selectFrom("donations")
    .selectAll("donations")
    .select(({ selectFrom }) => [
      jsonObjectFrom(
        selectFrom("users")
          .select(["users.id", "users.email", "first_name", "last_name", "mobile"])
          .select(["city", "users.state", "users.postcode", "country"])
          .whereRef("users.id", "=", "donations.user_id"),
      ).as("account"),
      selectFrom("users")
        .select("users.id")
        .where(sql<boolean>`lower(users.email) = lower(donations.email)`)
        .where("email_verified_at", "is not", null)
        .as("joinableAccountId"),
    ])
    .where("donations.id", "=", id)
    .executeTakeFirst();
}

function listPayments(connection: Connection, id: string) {
  return connection
    .selectFrom("payment_attempts")
    .select(["id", "provider", "order_reference", "state", "amount_cents", "provider_transaction_id"])
    .select(["provider_status", "response_code", "authentication", "sent_at", "settled_at", "created_at"])
    .where("donation_id", "=", id)
    .orderBy("created_at")
    .execute();
}

function listRefunds(connection: Connection, id: string) {
  return connection
    .selectFrom("refunds")
    .innerJoin("payment_attempts", "payment_attempts.id", "attempt_id")
    .select(["refunds.id", "refunds.kind", "refunds.amount_cents", "refunds.state", "requested_by", "reason"])
    .select(["refunds.provider_transaction_id", "refunds.created_at", "refunds.settled_at"])
    .where("donation_id", "=", id)
    .orderBy("refunds.created_at")
    .execute();
}

function listLedger(connection: Connection, id: string) {
  return connection
    .selectFrom("ledger_entries")
    .innerJoin("payment_attempts", "payment_attempts.id", "attempt_id")
    .leftJoin("donation_categories as category", (join) =>
      join.on(sql<boolean>`account = 'donations:' || category.fund`),
    )
    .select(["ledger_entries.id", "transaction_id", "account", "ledger_entries.amount_cents", "at", "refund_id"])
    .select("category.title as fundTitle")
    .where("donation_id", "=", id)
    .orderBy("ledger_entries.id")
    .execute();
}

/** Latest first. */
async function listReceipts(connection: Connection, id: string) {
  const rows = await connection
    .selectFrom("receipts")
    .select(["number", "data", "issued_at", "is_latest", "voided_at", "replaces", "erased_at"])
    .where("donation_id", "=", id)
    .orderBy("number", "desc")
    .execute();
  return rows.map((row) => {
    // To list receipts, we don't need the fields that old ones lack.
    const { success, data } = ReceiptData.safeParse(row.data);
    return { ...row, data: success ? data : null };
  });
}

/** The nightly comparison of each payment: its day's run, if any, and its differences. */
async function listBooks(connection: Connection, id: string) {
  const attempts = await connection
    .selectFrom("payment_attempts")
    .select(["id", "provider", "sent_at"])
    .where("donation_id", "=", id)
    .where("provider_transaction_id", "is not", null)
    .execute();
  const runs = await Promise.all(
    attempts.map(({ provider, sent_at }) =>
      connection
        .selectFrom("reconciliation_runs")
        .select(["provider", "day", "state", "finished_at"])
        .where("provider", "=", provider)
        .where("day", "=", dayInSydney(sent_at))
        .executeTakeFirst(),
    ),
  );
  const findings = await connection
    .selectFrom("reconciliation_findings")
    .select(["id", "day", "ours_cents", "theirs_cents", "detail", "found_at", "resolved_at", "closed_at"])
    .where(
      sql<boolean>`(attempt_id in (select attempt.id from payment_attempts attempt where donation_id = ${id}::uuid)
        or refund_id in (select refund.id from refunds refund join payment_attempts attempt
                             on attempt.id = refund.attempt_id where donation_id = ${id}::uuid))`,
    )
    .orderBy("found_at")
    .execute();
  return { runs: runs.filter((run) => run !== undefined), findings };
}

/** How many donations were paid with this address, and since when. */
async function countOf(connection: Connection, email: string) {
  if (email === "") return { count: 0, since: null };
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*)::integer as count, min(donation.created_at) as since
      from donations donation
     where email <> '' and lower(email) = lower(${email}) and exists (
       select from payment_attempts where donation_id = donation.id
          and state in ('succeeded', 'succeeded_late', 'partially_refunded', 'disputed', 'refunded'))`.execute(
    connection,
  );
  return rows[0]!;
}
