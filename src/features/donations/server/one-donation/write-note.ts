import { type Actor, recordAct } from "#admin/audit.ts";
import type { Database } from "#shared/database/connect.ts";
import { requireDonation } from "./require-donation.ts";

type Note = { readonly donationId: string; readonly text: string; readonly now: Date };

/** Adds a note for colleagues. Like the rest of the audit trail it cannot be changed. */
export function writeNote(database: Database, actor: Actor, { donationId, text, now }: Note): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await requireDonation(transaction, donationId);
    const act = { verb: "donation.note", subject: "donation", subjectId: donationId, reason: text };
    await recordAct(transaction, actor, act, now);
  });
}
