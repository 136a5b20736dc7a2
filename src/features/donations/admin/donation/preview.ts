import type { FilledForm } from "#admin/screen.ts";
import { readSender } from "#shared/mail/compose-email.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { listMoveTargets } from "../../server/one-donation/move-fund.ts";
import { type CopyReason, previewReceiptCopy } from "../../server/one-donation/receipt-copies.ts";
import type { ReceiptData } from "../../server/receipt.ts";
import { typedValue } from "./checked.ts";
import type { DonationAdminServices } from "./donation-part.ts";
import type { ShownDonation } from "./find-donation.ts";

export type EmailPreview = Pick<EmailMessage, "subject" | "text" | "to">;

/** The email that a form would send, while it waits to be checked; null if it sends none. */
export async function previewEmail(
  { database, files, config, organisation, now }: DonationAdminServices,
  { id }: Pick<ShownDonation, "id">,
  form: FilledForm | null,
): Promise<EmailPreview | null> {
  if (form?.state !== "checking") return null;
  const sender = await readSender({ database, files, organisation, config });
  const preview = (because: CopyReason, changes: Parameters<typeof previewReceiptCopy>[2]) =>
    previewReceiptCopy({ database, sender, config }, { donationId: id, because, now: now() }, changes);
  switch (form.action.split("/").at(-1)) {
    case "receipt":
      return preview("again", {});
    case "email":
      return preview("address", { email: typedValue(form, "email") });
    case "name": {
      const donorName = `${typedValue(form, "first_name")} ${typedValue(form, "last_name")}`;
      return preview("name", { receipt: () => ({ donorName }) });
    }
    case "fund": {
      const position = Number(typedValue(form, "line").split(":")[0]);
      const title = (await listMoveTargets(database)).find(({ fund }) => fund === typedValue(form, "to"))?.title ?? "";
      const moved = (line: ReceiptData["lines"][number], place: number) =>
        place === position ? { ...line, title } : line;
      return preview("fund", { receipt: ({ lines }) => ({ lines: lines.map(moved) }) });
    }
    default:
      return null;
  }
}
