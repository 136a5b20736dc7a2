import { z } from "zod";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { type Organisation, receiptGaps } from "#shared/organisation.ts";

const Cents = z.int().min(0);
const paidStates = ["succeeded", "succeeded_late"] as const;

/** What was given and paid, as papers and letters say it. */
const Giving = z.object({
  /** Null for an anonymous donor. */
  donorName: z.string().nullable(),
  lines: z.array(
    z.object({
      title: z.string(),
      kind: z.enum(["gift", "not_deductible"]),
      quantity: z.int().min(1),
      unitCents: Cents,
      lineCents: Cents,
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
});
export type Giving = z.output<typeof Giving>;

/** A receipt as it was issued. It never changes: whatever the organisation or the catalogue says later, this was said. */
export const ReceiptData = Giving.extend({
  /** R-000123. */
  number: z.string(),
  issuedAt: z.iso.datetime(),
  organisation: z.object({
    name: z.string(),
    fund: z.string(),
    abn: z.string(),
    address: z.string(),
    phone: z.string(),
    email: z.string(),
    giftStatement: z.string(),
    notDeductibleStatement: z.string(),
    isDeductibleGiftRecipient: z.boolean(),
  }),
});
export type ReceiptData = z.output<typeof ReceiptData>;

export function formatReceiptNumber(number: number): string {
  return `R-${String(number).padStart(6, "0")}`;
}

export async function findReceipt(connection: Connection, donationId: string): Promise<ReceiptData | undefined> {
  const row = await connection
    .selectFrom("receipts")
    .select("data")
    .where("donation_id", "=", donationId)
    .executeTakeFirst();
  return row && ReceiptData.parse(row.data);
}

/**
 * Issues the one receipt of a paid donation and returns its number, or the number it already has. While the organisation
 * lacks what a receipt must say, returns null and marks the donation as waiting (DON-21). Call it as the last thing in
 * the transaction: the counter it locks, so that numbers have no gaps, is the house's narrowest door.
 * @throws Error when the donation does not exist or has not been paid.
 */
export async function issueReceipt(
  transaction: Connection,
  donationId: string,
  organisation: Organisation,
  now: Date,
): Promise<number | null> {
  // One at a time for each donation, so that nobody takes a number that another's row makes useless.
  await transaction.selectFrom("donations").select("id").where("id", "=", donationId).forNoKeyUpdate().execute();
  const issued = await transaction
    .selectFrom("receipts")
    .select("number")
    .where("donation_id", "=", donationId)
    .executeTakeFirst();
  if (issued !== undefined) return issued.number;
  const isWaiting = receiptGaps(organisation).length > 0;
  const content = isWaiting ? null : await gather(transaction, donationId, organisation, now);
  await transaction
    .updateTable("donations")
    .set({ awaits_receipt: isWaiting })
    .where("id", "=", donationId)
    .where("awaits_receipt", "!=", isWaiting)
    .execute();
  if (content === null) return null;
  const { last_number: number } = await transaction
    .updateTable("receipt_counter")
    .set((counter) => ({ last_number: counter("last_number", "+", 1) }))
    .returning("last_number")
    .executeTakeFirstOrThrow();
  const data: ReceiptData = { number: formatReceiptNumber(number), ...content };
  await transaction
    .insertInto("receipts")
    .values({ number, donation_id: donationId, data: JSON.stringify(data), issued_at: now })
    .execute();
  return number;
}

async function gather(
  transaction: Connection,
  donationId: string,
  { name, abn, address, phone, email, receipt }: Organisation,
  now: Date,
): Promise<Omit<ReceiptData, "number">> {
  const giving = await findGiving(transaction, donationId);
  if (giving === undefined) throw new Error(`No receipt can be issued: donation ${donationId} has not been paid.`);
  return { ...giving, issuedAt: now.toISOString(), organisation: { name, abn, address, phone, email, ...receipt } };
}

/** A donation that has been paid; undefined while, or if, it has not. */
export async function findGiving(connection: Connection, donationId: string): Promise<Giving | undefined> {
  const donation = await connection
    .selectFrom("donations")
    .innerJoin("payment_attempts", "payment_attempts.donation_id", "donations.id")
    .selectAll("donations")
    .select("payment_attempts.sent_at")
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
  return {
    donorName: donation.is_anonymous ? null : `${donation.first_name} ${donation.last_name}`,
    lines: lines.map((line) => ({
      title: [line.category_title, line.subcategory_title].filter(Boolean).join(": "),
      kind: line.receipt_kind,
      quantity: line.quantity,
      unitCents: line.unit_cents,
      lineCents: line.line_cents,
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
  };
}

const sydneyDay = new Intl.DateTimeFormat("en-CA", { timeZone: "Australia/Sydney", dateStyle: "short" });

/** YYYY-MM-DD, as the calendar in Sydney had it. */
export function dayInSydney(at: Date): string {
  const parts = Object.fromEntries(sydneyDay.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/**
 * Issues the receipts that waited for the organisation's details, oldest first, each with its letter and in a transaction
 * of its own; returns how many. Does nothing while details are missing. Safe to run in several processes at once.
 */
export async function issueWaitingReceipts({
  database,
  organisation,
  jobs,
  now,
}: {
  database: Database;
  organisation: Organisation;
  jobs: Jobs;
  now: Date;
}): Promise<number> {
  if (receiptGaps(organisation).length > 0) return 0;
  let issued = 0;
  while (await issueNext()) issued += 1;
  return issued;

  function issueNext(): Promise<boolean> {
    return database.transaction().execute(async (transaction) => {
      const waiting = await transaction
        .selectFrom("donations")
        .innerJoin("payment_attempts", "payment_attempts.donation_id", "donations.id")
        .select("donations.id")
        .where("awaits_receipt", "=", true)
        .where("payment_attempts.state", "in", paidStates)
        .orderBy("donations.created_at")
        .limit(1)
        .forNoKeyUpdate("donations")
        .skipLocked()
        .executeTakeFirst();
      if (waiting === undefined) return false;
      await jobs.send(transaction, "letters", { letter: "receipt", donationId: waiting.id });
      await issueReceipt(transaction, waiting.id, organisation, now);
      return true;
    });
  }
}
