import type { FastifyBaseLogger } from "fastify";
import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { revokeLinks } from "#shared/links/document-links.ts";
import { maskEmail } from "#shared/mail/mask-email.ts";
import { findReceipt } from "../receipt.ts";
import { sendReceiptCopy } from "./receipt-copies.ts";
import { CHANGED_MEANWHILE, IS_ERASED, requireDonation } from "./require-donation.ts";

type Services = CoreServices<"database" | "jobs" | "now"> & { readonly log: FastifyBaseLogger };

type Correction = {
  readonly donationId: string;
  /** The address that the form showed. */
  readonly was: string;
  readonly email: string;
};

/**
 * Corrects a donor's address, ends the links that went to the old one, and sends the valid receipt, if any, to the new
 * one. Returns whether a receipt is sent.
 * @throws Refusal if somebody else has changed it, or the data was erased.
 */
export function correctEmail(
  { database, jobs, now, log }: Services,
  { donationId, was, email }: Correction,
  actor: Actor,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const donation = await requireDonation(transaction, donationId);
    if (donation.email === "") throw new Refusal(IS_ERASED);
    if (donation.email !== was) throw new Refusal(CHANGED_MEANWHILE);
    const at = now();
    await transaction.updateTable("donations").set({ email }).where("id", "=", donationId).execute();
    const changes = { before: { email: maskEmail(was) }, after: { email: maskEmail(email) } };
    const act = { verb: "donation.correct-email", subject: "donation", subjectId: donationId, ...changes };
    await recordAct(transaction, actor, act, at);
    const revoked = { database: transaction, now: () => at, log };
    await revokeLinks(revoked, { kind: "receipt", id: donationId }, actor.staff?.name ?? "staff");
    const receipt = await findReceipt(transaction, donationId);
    if (receipt === undefined || receipt.voided !== null) return false;
    // Links made up to this time are revoked.
    const sentAt = new Date(at.getTime() + 1);
    await sendReceiptCopy(transaction, jobs, { donationId, because: "address", at: sentAt });
    return true;
  });
}
