import { z } from "zod";
import { type Action, action, Refusal } from "#admin/actions.ts";
import type { AdminPart } from "#admin/feature.ts";
import type { AdminReads } from "#admin/screen.ts";
import { plural } from "#shared/language.ts";
import { readSender } from "#shared/mail/compose-email.ts";
import { formatReceiptNumber } from "../../receipt-number.ts";
import { previewReceiptCopy } from "../../server/one-donation/receipt-copies.ts";
import { type ChosenReceipt, listChosenReceipts, sendReceiptAgain } from "../../server/one-donation/send-again.ts";
import type { DonationAdminServices } from "../donation/donation-part.ts";
import type { EmailPreview } from "../donation/preview.ts";

export type ChosenReceipts = {
  readonly rows: readonly ChosenReceipt[];
  /** The email that the first of them gets; null if none can be sent. */
  readonly email: EmailPreview | null;
};

declare module "#admin/screen.ts" {
  interface AdminReads {
    readonly readChosenReceipts: (ids: readonly string[]) => Promise<ChosenReceipts>;
  }
}

export const SEND_AGAIN = "/admin/donations/receipts";

/** Whether the receipt of a donation can be sent. */
export const canSend = ({ email, receipt }: ChosenReceipt) => email !== "" && receipt !== null;

/** Sends the receipts of the donations that were ticked in the list. */
export function sendAgainPart(services: DonationAdminServices): AdminPart {
  const { database, files, config, organisation, now } = services;
  return {
    reads: {
      async readChosenReceipts(ids: readonly string[]) {
        const rows = await listChosenReceipts(database, ids);
        const first = rows.find(canSend);
        if (first === undefined) return { rows, email: null };
        const sender = await readSender({ database, files, organisation, config });
        const wanted = { donationId: first.id, because: "again", now: now() } as const;
        return { rows, email: await previewReceiptCopy({ database, sender, config }, wanted, {}) };
      },
    } satisfies Partial<AdminReads>,
    actions: [sendAction(services)],
  };
}

const ids = z.union([z.uuid().transform((id) => [id]), z.array(z.uuid()).min(1).max(200)], "Tick a donation first");

function sendAction(services: DonationAdminServices): Action {
  return action({
    path: SEND_AGAIN,
    right: "donations.change",
    screen: SEND_AGAIN,
    fields: z.object({ id: ids, shown: z.iso.datetime() }),
    async run({ fields: { id, shown }, actor }) {
      const chosen = await listChosenReceipts(services.database, id);
      const refused: string[] = [];
      // Each for itself, so that one that cannot be sent keeps none back.
      for (const { id: donationId, receipt } of chosen) {
        try {
          await sendReceiptAgain(services, { donationId, shownAt: new Date(shown) }, actor);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          refused.push(`${receipt === null ? "Without a receipt" : formatReceiptNumber(receipt)}: ${error.message}`);
        }
      }
      const sent = chosen.length - refused.length;
      const toast = plural(sent, { one: "1 receipt is on its way.", other: `${sent} receipts are on their way.` });
      if (refused.length > 0) throw new Refusal([...(sent === 0 ? [] : [toast]), "Not sent:", ...refused].join(" "));
      return { to: "/admin/donations", toast };
    },
  });
}
