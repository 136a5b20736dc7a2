import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { z } from "zod";
import { paidStateList } from "#payments/attempts.ts";
import type { Connection } from "#shared/database/connect.ts";
import { together } from "#shared/database/transact.ts";
import { dayInSydney } from "#shared/language.ts";
import { splitCents } from "#shared/money.ts";

const Cents = z.int().min(0);

const methodByTitle: ReadonlyMap<unknown, string> = new Map([
  ["Credit card", "cc"],
  ["PayPal", "pp"],
]);

/** A donation, its payment and its refunds, as PDFs and emails show them. */
export const DonationRecord = z.object({
  donorName: z.string().nullable(),
  lines: z.array(
    z.object({
      title: z.string(),
      kind: z.enum(["gift", "not_deductible"]),
      quantity: z.int().min(1),
      unitCents: Cents,
      lineCents: Cents,
      /** The part of `lineCents` that was refunded. */
      refundedCents: Cents.default(0),
      onBehalfOf: z.array(z.string()),
    }),
  ),
  subtotalCents: Cents,
  adminFeeCents: Cents,
  merchantFeeCents: Cents,
  totalCents: Cents,
  currency: z.literal("AUD"),
  /** Older receipts hold the method's title. */
  method: z.preprocess((method) => methodByTitle.get(method) ?? method, z.enum(["cc", "pp"])),
  /** The day of the payment in Sydney, YYYY-MM-DD. */
  paidOn: z.iso.date(),
  reference: z.string(),
  /** The part of `totalCents` that was refunded, including fees. */
  refundedCents: Cents.default(0),
  /** Each refund, oldest first, with its day in Sydney. */
  refunds: z.array(z.object({ on: z.iso.date(), cents: Cents })).default([]),
});
export type DonationRecord = z.output<typeof DonationRecord>;

/** The record of a paid donation; undefined if it has not been paid. */
export async function findDonationRecord(
  connection: Connection,
  donationId: string,
): Promise<DonationRecord | undefined> {
  const donation = await connection
    .selectFrom("donations")
    .innerJoin("payment_attempts", "payment_attempts.donation_id", "donations.id")
    .select((donation) => [
      "payment_attempts.id as attempt_id",
      sql<DonationRecord>`describe_donation(donations.id, payment_attempts.sent_at)`.as("record"),
      jsonArrayFrom(
        donation
          .selectFrom("refunds")
          // As with a charge: the day it was sent, if known.
          .select(({ fn }) => [fn.coalesce("sent_at", "settled_at", "created_at").as("at"), "amount_cents as cents"])
          .whereRef("attempt_id", "=", "payment_attempts.id")
          .where("state", "=", "succeeded")
          .orderBy("settled_at")
          .orderBy("created_at"),
      ).as("refunds"),
    ])
    .where("donations.id", "=", donationId)
    .where("payment_attempts.state", "in", paidStateList)
    .executeTakeFirst();
  if (donation === undefined || donation.refunds.length === 0) return donation?.record;
  const { record } = donation;
  // JSON has text for a time.
  const refunds = donation.refunds.map(({ at, cents }) => ({ on: dayInSydney(new Date(at)), cents }));
  const [lines, returns] = await together(
    listFundLines(connection, donationId),
    listReturns(connection, donation.attempt_id),
  );
  const shares = shareRefunds(lines, returns);
  return {
    ...record,
    lines: record.lines.map((line, index) => ({ ...line, refundedCents: shares[index]! })),
    refundedCents: refunds.reduce((sum, { cents }) => sum + cents, 0),
    refunds,
  };
}

function listFundLines(connection: Connection, donationId: string) {
  return connection
    .selectFrom("donation_lines")
    .select(["fund", "line_cents"])
    .where("donation_id", "=", donationId)
    .orderBy("position")
    .execute();
}

/** 'Zakat', or 'Qurban: Goat' with a subcategory. */
export function recordedTitle(line: { readonly category_title: string; readonly subcategory_title: string }): string {
  return [line.category_title, line.subcategory_title].filter(Boolean).join(": ");
}

/** The cents that refunds took from one ledger account. */
type Return = { readonly account: string; readonly cents: number };

async function listReturns(connection: Connection, attemptId: string): Promise<Return[]> {
  const rows = await connection
    .selectFrom("ledger_entries")
    .select(({ fn }) => ["account", fn.sum<string>("amount_cents").as("cents")])
    .where("attempt_id", "=", attemptId)
    .where("refund_id", "is not", null)
    .groupBy("account")
    .execute();
  return rows.map(({ account, cents }) => ({ account, cents: Number(cents) }));
}

/** The refunded cents of each line: what refunds took from its fund, split over the lines of that fund. */
export function shareRefunds(
  lines: readonly { readonly fund: string; readonly line_cents: number }[],
  returns: readonly Return[],
): number[] {
  const shares = lines.map(() => 0);
  for (const { account, cents } of returns) {
    const own = lines.flatMap(({ fund }, index) => (account === `donations:${fund}` ? [index] : []));
    const parts = splitCents(
      cents,
      own.map((index) => lines[index]!.line_cents),
    );
    own.forEach((index, part) => {
      shares[index] = parts[part]!;
    });
  }
  return shares;
}
