import { Refusal } from "#admin/actions.ts";
import { type Actor, recordAct } from "#admin/audit.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { countLinkEmail } from "#shared/links/send-link.ts";
import { findReceipt } from "../receipt.ts";
import { sendReceiptCopy } from "./receipt-copies.ts";
import { CHANGED_MEANWHILE, IS_ERASED, requireDonation } from "./require-donation.ts";

export const NO_RECEIPT = "This donation has no valid receipt, so nothing was done.";

type Services = CoreServices<"database" | "jobs" | "now", "secretKey">;

/**
 * Sends the valid receipt to the donor's address once more. The limit for a day is shared with donors' own requests.
 * @throws Refusal if there is no such receipt or address, it has changed since it was read, or it was sent too often.
 */
export function sendAgain(
  { database, jobs, now, config }: Services,
  { donationId, to }: { readonly donationId: string; readonly to: string },
  actor: Actor,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const donation = await requireDonation(transaction, donationId);
    if (donation.email === "") throw new Refusal(IS_ERASED);
    if (donation.email !== to) throw new Refusal(CHANGED_MEANWHILE);
    const receipt = await findReceipt(transaction, donationId);
    if (receipt === undefined || receipt.voided !== null) throw new Refusal(NO_RECEIPT);
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
