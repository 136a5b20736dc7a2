import { sql } from "kysely";
import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { Connection } from "#shared/database/connect.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { countLinkEmail } from "#shared/links/send-link.ts";
import { findReceipt } from "../receipt.ts";
import { sendReceiptCopy } from "./receipt-copies.ts";
import { CHANGED_MEANWHILE, IS_ERASED, requireDonation } from "./require-donation.ts";

const SENT_ALREADY = "It was sent a moment ago.";
export const NO_RECEIPT = "This donation has no valid receipt, so nothing was done.";

type Services = CoreServices<"database" | "jobs" | "now", "secretKey">;

type Wanted = {
  readonly donationId: string;
  /** The address that the form showed; the one on record if it showed none. */
  readonly to?: string;
  /** When the form was shown, if a second press must not send it twice. */
  readonly shownAt?: Date;
};

/**
 * Sends the valid receipt to the donor's address once more. The limit for a day is shared with donors' own requests.
 * @throws Refusal if there is no such receipt or address, it has changed or was sent since it was read, or it was sent
 * too often.
 */
export function sendReceiptAgain(
  { database, jobs, now, config }: Services,
  { donationId, to, shownAt }: Wanted,
  actor: Actor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const donation = await requireDonation(transaction, donationId);
    if (donation.email === "") throw new Refusal(IS_ERASED);
    if (to !== undefined && donation.email !== to) throw new Refusal(CHANGED_MEANWHILE);
    const receipt = await findReceipt(transaction, donationId);
    if (receipt === undefined || receipt.voided !== null) throw new Refusal(NO_RECEIPT);
    if (shownAt !== undefined && (await wasSentSince(transaction, donationId, shownAt)))
      throw new Refusal(SENT_ALREADY);
    const at = now();
    const document = { kind: "receipt", id: donationId } as const;
    if ((await countLinkEmail(transaction, config, document, at)) !== null) {
      throw new Refusal("It was sent three times within a day, which is the most. Try again tomorrow.");
    }
    const act = { verb: "donation.send-receipt", subject: "donation", subjectId: donationId };
    await recordAct(transaction, actor, { ...act, after: { receipt: receipt.data.number } }, at);
    await sendReceiptCopy(transaction, jobs, { donationId, because: "again", at });
  });
}

function wasSentSince(connection: Connection, donationId: string, since: Date): Promise<boolean> {
  return connection
    .selectFrom("audit_trail")
    .select("id")
    .where("subject", "=", "donation")
    .where("subject_id", "=", donationId)
    .where("verb", "=", "donation.send-receipt")
    .where("at", ">=", since)
    .executeTakeFirst()
    .then((act) => act !== undefined);
}

export type ChosenReceipt = {
  readonly id: string;
  readonly isAnonymous: boolean;
  /** Empty if the donor gave anonymously or was erased. */
  readonly name: string;
  /** Empty once the donor was erased. */
  readonly email: string;
  readonly cents: number;
  /** Null if there is no valid receipt. */
  readonly receipt: number | null;
};

/** These donations with their valid receipts, newest first. */
export async function listChosenReceipts(connection: Connection, ids: readonly string[]): Promise<ChosenReceipt[]> {
  const { rows } = await sql<ChosenReceipt>`
    select d.id, d.is_anonymous as "isAnonymous", trim(d.first_name || ' ' || d.last_name) as name, d.email,
      d.total_cents as cents, receipt.number as receipt
    from donations d left join receipts receipt
      on receipt.donation_id = d.id and receipt.is_latest and receipt.voided_at is null
    where d.id = any(${ids}::uuid[]) order by d.created_at desc, d.id desc`.execute(connection);
  return rows;
}
