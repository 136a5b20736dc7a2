import { sql } from "kysely";
import { z } from "zod";
import { keptStates } from "#payments/states.ts";
import type { Connection } from "#shared/database/connect.ts";
import { together } from "#shared/database/transact.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { dayInSydney } from "#shared/language.ts";
import { type Organisation, receiptGaps } from "#shared/organisation.ts";
import { formatReceiptNumber } from "../receipt-number.ts";
import { DonationRecord, findDonationRecord } from "./donation-record.ts";
import { keptCents } from "./donation-sums.ts";

/** A receipt as issued. Later changes to the organisation or the catalogue never change it. */
export const ReceiptData = DonationRecord.extend({
  /** R-000123. */
  number: z.string(),
  /** The receipt that this one replaced, after a refund or a correction; null for a donation's first. */
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

/** When a receipt became void, as a day in Sydney, and the number of the receipt that replaced it, if any. */
export type Voided = { readonly on: string; readonly replacedBy: string | null };

export type Receipt = { readonly data: ReceiptData; readonly voided: Voided | null };

/** A donation's latest receipt, which is void only if nothing was kept, or the one with the given number. */
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
    .$if(number === undefined, (query) => query.where("receipts.is_latest", "=", sql.lit(true)))
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
 * Issues the receipt of a paid donation, or the replacement of a void one, and returns its number. If a valid receipt
 * exists, returns that one's number. Returns null if nothing was kept, or if the organisation's details are incomplete;
 * then the donation is marked as awaiting its receipt (DON-21). Call it last in the transaction: it locks the counter,
 * so that numbers have no gaps, and every other receipt waits for that lock.
 * @throws Error when the donation does not exist or has not been paid.
 */
export async function issueReceipt(
  transaction: Connection,
  donationId: string,
  organisation: Organisation,
  now: Date,
  corrected: Corrected = {},
): Promise<number | null> {
  const [wasWaiting, latest, record] = await together(
    lockDonation(transaction, donationId),
    transaction
      .selectFrom("receipts")
      .select(["number", "voided_at", "data"])
      .where("donation_id", "=", donationId)
      .where("is_latest", "=", true)
      .executeTakeFirst(),
    findDonationRecord(transaction, donationId),
  );
  if (latest !== undefined && latest.voided_at === null) return latest.number;
  if (record === undefined) throw new Error(`No receipt can be issued: donation ${donationId} has not been paid.`);
  const isWanted = keptCents(record) > 0;
  const isWaiting = isWanted && receiptGaps(organisation).length > 0;
  if (wasWaiting !== isWaiting) {
    await transaction
      .updateTable("donations")
      .set({ awaits_receipt: isWaiting })
      .where("id", "=", donationId)
      .execute();
  }
  if (!isWanted || isWaiting) return null;
  const replaced = latest?.number ?? null;
  const content: Omit<ReceiptData, "number"> = {
    ...(latest === undefined ? record : withNamesOf(ReceiptData.parse(latest.data), record)),
    ...corrected,
    ...describeIssue(organisation, now),
    replaces: replaced === null ? null : formatReceiptNumber(replaced),
  };
  const { rows } = await sql<{ number: number }>`
    select issue_receipt(${donationId}, ${JSON.stringify(content)}, ${now}, ${replaced}) as number`.execute(
    transaction,
  );
  return rows[0]!.number;
}

/** What a donation's first receipt says besides the donation. */
export function describeIssue({ name, abn, address, phone, email, receipt }: Organisation, now: Date) {
  const organisation = { name, abn, address, phone, email, ...receipt };
  return { replaces: null, issuedAt: now.toISOString(), organisation };
}

/** What staff have corrected since the receipt that is replaced. */
type Corrected = { readonly donorName?: string };

/** Takes the names from the replaced receipt: they may have been erased from the donation since (SEC-9). */
function withNamesOf(receipt: ReceiptData, record: DonationRecord): DonationRecord {
  const lines = record.lines.map((line, index) => ({ ...line, onBehalfOf: receipt.lines[index]?.onBehalfOf ?? [] }));
  return { ...record, donorName: receipt.donorName, lines };
}

/** Marks a donation's valid receipt, if any, as void. Its number and contents stay. */
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

/** One at a time per donation, so that it never gets two receipts. Returns whether it awaits its receipt. */
async function lockDonation(transaction: Connection, donationId: string): Promise<boolean | undefined> {
  const donation = transaction.selectFrom("donations").select("awaits_receipt").where("id", "=", donationId);
  return (await donation.forNoKeyUpdate().executeTakeFirst())?.awaits_receipt;
}

type IssuingServices = CoreServices<"database" | "jobs"> & {
  readonly organisation: Organisation;
  readonly now: Date;
};

/**
 * Issues the receipts that waited for the organisation's details, oldest first, each with its email and in its own
 * transaction; returns how many. Does nothing while details are missing. Safe to run in several processes at the same
 * time.
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
      await jobs.send(transaction, "emails", { template: "receipt", donationId: waiting.id });
      await issueReceipt(transaction, waiting.id, organisation, now);
      return true;
    });
  }
}
