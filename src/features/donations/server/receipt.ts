import { z } from "zod";
import { keptStates } from "#payments/states.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { type Organisation, receiptGaps } from "#shared/organisation.ts";
import { dayInSydney } from "#shared/sydney.ts";
import { findGiving, Giving, keptCents } from "./giving.ts";

/** A receipt as it was issued. It never changes: whatever the organisation or the catalogue says later, this was said. */
export const ReceiptData = Giving.extend({
  /** R-000123. */
  number: z.string(),
  /** The receipt that this one stands for since a refund; null for a donation's first. */
  replaces: z.string().nullable().default(null),
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

/** Why a receipt counts no more: its day in Sydney, and the number of the one that counts, if there is one. */
export type Voided = { readonly on: string; readonly replacedBy: string | null };

export type Receipt = { readonly data: ReceiptData; readonly voided: Voided | null };

export function formatReceiptNumber(number: number): string {
  return `R-${String(number).padStart(6, "0")}`;
}

/** The number in R-000123; null for any other text. */
export function readReceiptNumber(text: string): number | null {
  const digits = /^R-(\d{6,15})$/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** A donation's receipt: the latest, void only where nothing is left of the donation; or the one of that number. */
export async function findReceipt(
  connection: Connection,
  donationId: string,
  number?: number,
): Promise<Receipt | undefined> {
  const row = await connection
    .selectFrom("receipts")
    .leftJoin("receipts as successor", "successor.replaces", "receipts.number")
    .select(["receipts.data", "receipts.voided_at", "successor.number as replaced_by"])
    .where("receipts.donation_id", "=", donationId)
    .$if(number === undefined, (query) => query.where("receipts.is_latest", "=", true))
    .$if(number !== undefined, (query) => query.where("receipts.number", "=", number!))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { voided_at, replaced_by } = row;
  const replacedBy = replaced_by === null ? null : formatReceiptNumber(replaced_by);
  return {
    data: ReceiptData.parse(row.data),
    voided: voided_at === null ? null : { on: dayInSydney(voided_at), replacedBy },
  };
}

/**
 * Issues the receipt of a paid donation, or the one that replaces a void receipt, and returns its number, or the number
 * of the one that counts already. While the organisation lacks what a receipt must say, returns null and marks the
 * donation as waiting (DON-21); where all went back, returns null and nothing waits. Call it as the last thing in the
 * transaction: the counter it locks, so that numbers have no gaps, is the house's narrowest door.
 * @throws Error when the donation does not exist or has not been paid.
 */
export async function issueReceipt(
  transaction: Connection,
  donationId: string,
  organisation: Organisation,
  now: Date,
): Promise<number | null> {
  await lockDonation(transaction, donationId);
  const latest = await transaction
    .selectFrom("receipts")
    .select(["number", "voided_at", "data"])
    .where("donation_id", "=", donationId)
    .where("is_latest", "=", true)
    .executeTakeFirst();
  if (latest !== undefined && latest.voided_at === null) return latest.number;
  const giving = await findGiving(transaction, donationId);
  if (giving === undefined) throw new Error(`No receipt can be issued: donation ${donationId} has not been paid.`);
  const isWanted = keptCents(giving) > 0;
  const isWaiting = isWanted && receiptGaps(organisation).length > 0;
  await transaction
    .updateTable("donations")
    .set({ awaits_receipt: isWaiting })
    .where("id", "=", donationId)
    .where("awaits_receipt", "!=", isWaiting)
    .execute();
  if (!isWanted || isWaiting) return null;
  const named = latest === undefined ? giving : withNamesOf(ReceiptData.parse(latest.data), giving);
  return insertReceipt(transaction, { donationId, giving: named, replaced: latest?.number ?? null, organisation, now });
}

/** The names stand on the receipt that is replaced, also when the donation has lost them since (SEC-9). */
function withNamesOf(receipt: ReceiptData, giving: Giving): Giving {
  const lines = giving.lines.map((line, index) => ({ ...line, onBehalfOf: receipt.lines[index]?.onBehalfOf ?? [] }));
  return { ...giving, donorName: receipt.donorName, lines };
}

async function insertReceipt(
  transaction: Connection,
  {
    donationId,
    giving,
    replaced,
    organisation: { name, abn, address, phone, email, receipt },
    now,
  }: { donationId: string; giving: Giving; replaced: number | null; organisation: Organisation; now: Date },
): Promise<number> {
  const content: Omit<ReceiptData, "number"> = {
    ...giving,
    replaces: replaced === null ? null : formatReceiptNumber(replaced),
    issuedAt: now.toISOString(),
    organisation: { name, abn, address, phone, email, ...receipt },
  };
  if (replaced !== null) {
    await transaction.updateTable("receipts").set({ is_latest: false }).where("number", "=", replaced).execute();
  }
  const { last_number: number } = await transaction
    .updateTable("receipt_counter")
    .set((counter) => ({ last_number: counter("last_number", "+", 1) }))
    .returning("last_number")
    .executeTakeFirstOrThrow();
  const data: ReceiptData = { number: formatReceiptNumber(number), ...content };
  await transaction
    .insertInto("receipts")
    .values({ number, donation_id: donationId, data: JSON.stringify(data), issued_at: now, replaces: replaced })
    .execute();
  return number;
}

/** Marks the receipt that counts as void, where there is one: its number and what it says stay. */
export async function voidReceipt(transaction: Connection, donationId: string, now: Date): Promise<void> {
  await lockDonation(transaction, donationId);
  await transaction
    .updateTable("receipts")
    .set({ voided_at: now })
    .where("donation_id", "=", donationId)
    .where("is_latest", "=", true)
    .where("voided_at", "is", null)
    .execute();
}

/** One at a time for each donation, so that nobody takes a number that another's row makes useless. */
async function lockDonation(transaction: Connection, donationId: string): Promise<void> {
  await transaction.selectFrom("donations").select("id").where("id", "=", donationId).forNoKeyUpdate().execute();
}

type IssuingServices = {
  readonly database: Database;
  readonly organisation: Organisation;
  readonly jobs: Jobs;
  readonly now: Date;
};

/**
 * Issues the receipts that waited for the organisation's details, oldest first, each with its letter and in a transaction
 * of its own; returns how many. Does nothing while details are missing. Safe to run in several processes at once.
 */
export async function issueWaitingReceipts({ database, organisation, jobs, now }: IssuingServices): Promise<number> {
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
        .where("payment_attempts.state", "in", keptStates)
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
