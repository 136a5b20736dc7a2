import { z } from "zod";
import { paidStates } from "#payments/states.ts";
import type { Connection } from "#shared/database/connect.ts";
import { splitCents } from "#shared/money.ts";
import { dayInSydney } from "#shared/sydney.ts";

const Cents = z.int().min(0);

/** What was given and paid, and what of it went back, as papers and letters say it. */
export const Giving = z.object({
  /** Null for an anonymous donor. */
  donorName: z.string().nullable(),
  lines: z.array(
    z.object({
      title: z.string(),
      kind: z.enum(["gift", "not_deductible"]),
      quantity: z.int().min(1),
      unitCents: Cents,
      lineCents: Cents,
      /** What of `lineCents` went back. */
      refundedCents: Cents.default(0),
      onBehalfOf: z.array(z.string()),
    }),
  ),
  subtotalCents: Cents,
  adminFeeCents: Cents,
  merchantFeeCents: Cents,
  totalCents: Cents,
  currency: z.literal("AUD"),
  method: z.enum(["Credit card", "PayPal"]),
  /** The day of the payment in Sydney, YYYY-MM-DD. */
  paidOn: z.iso.date(),
  /** The donation's reference. */
  reference: z.string(),
  /** What of `totalCents` went back, fees with it. */
  refundedCents: Cents.default(0),
  /** The same one by one, oldest first, with its day in Sydney. */
  refunds: z.array(z.object({ on: z.iso.date(), cents: Cents })).default([]),
});
export type Giving = z.output<typeof Giving>;

/** What is left of a donation after what went back. */
export function keptCents({ totalCents, refundedCents }: Pick<Giving, "totalCents" | "refundedCents">): number {
  return totalCents - refundedCents;
}

type GivenLine = Pick<Giving["lines"][number], "kind" | "lineCents" | "refundedCents">;

/** What of a donation is a gift and stayed one: the gift lines less what of them went back, without any fee. */
export function giftCents({ lines }: { readonly lines: readonly GivenLine[] }): number {
  return lines.reduce((sum, line) => sum + (line.kind === "gift" ? line.lineCents - line.refundedCents : 0), 0);
}

/** A donation that has been paid; undefined while, or if, it has not. */
export async function findGiving(connection: Connection, donationId: string): Promise<Giving | undefined> {
  const donation = await connection
    .selectFrom("donations")
    .innerJoin("payment_attempts", "payment_attempts.donation_id", "donations.id")
    .selectAll("donations")
    .select(["payment_attempts.id as attempt_id", "payment_attempts.sent_at"])
    .where("donations.id", "=", donationId)
    .where("payment_attempts.state", "in", paidStates)
    .executeTakeFirst();
  if (donation === undefined) return undefined;
  const lines = await connection
    .selectFrom("donation_lines")
    .selectAll()
    .where("donation_id", "=", donationId)
    .orderBy("position")
    .execute();
  const refunds = await listRefunds(connection, donation.attempt_id);
  const shares = shareRefunds(lines, refunds.length > 0 ? await listReturns(connection, donation.attempt_id) : []);
  return {
    donorName: donation.is_anonymous ? null : `${donation.first_name} ${donation.last_name}`,
    lines: lines.map((line, index) => ({
      title: lineTitle(line),
      kind: line.receipt_kind,
      quantity: line.quantity,
      unitCents: line.unit_cents,
      lineCents: line.line_cents,
      refundedCents: shares[index]!,
      onBehalfOf: line.on_behalf_of,
    })),
    subtotalCents: donation.subtotal_cents,
    adminFeeCents: donation.admin_fee_cents,
    merchantFeeCents: donation.merchant_fee_cents,
    totalCents: donation.total_cents,
    currency: donation.currency,
    method: donation.method === "cc" ? "Credit card" : "PayPal",
    // The moment the card was charged: it may be found out, and settled here, only on another day.
    paidOn: dayInSydney(donation.sent_at),
    reference: donation.reference,
    refundedCents: refunds.reduce((sum, { cents }) => sum + cents, 0),
    refunds,
  };
}

/** Zakat, or Qurban: Goat. */
export function lineTitle(line: { readonly category_title: string; readonly subcategory_title: string }): string {
  return [line.category_title, line.subcategory_title].filter(Boolean).join(": ");
}

async function listRefunds(connection: Connection, attemptId: string): Promise<Giving["refunds"]> {
  const rows = await connection
    .selectFrom("refunds")
    .select(["amount_cents", "sent_at", "settled_at", "created_at"])
    .where("attempt_id", "=", attemptId)
    .where("state", "=", "succeeded")
    .orderBy("settled_at")
    .orderBy("created_at")
    .execute();
  // As with a charge: the moment it was asked for, where that is known.
  return rows.map((row) => ({
    on: dayInSydney(row.sent_at ?? row.settled_at ?? row.created_at),
    cents: row.amount_cents,
  }));
}

/** What an account of the ledger gave back, in cents. */
export type Return = { readonly account: string; readonly cents: number };

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

/** What of each line went back: what its fund's account gave back, shared over the lines of that fund. */
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
