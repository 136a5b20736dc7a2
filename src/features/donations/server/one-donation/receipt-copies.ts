import { z } from "zod";
import type { Connection } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { formatDay, formatDollars, formatList } from "#shared/language.ts";
import { type DocumentLink, documentLink, documentPath, type LinkConfig } from "#shared/links/document-links.ts";
import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { deductibleCents, hasDeductibleWording } from "../donation-sums.ts";
import { greeting } from "../emails.ts";
import { findReceipt, type ReceiptData } from "../receipt.ts";
import { renderReceipt } from "../render-pdfs.ts";
import { findDonor } from "../store.ts";

/** Why staff send a receipt: once more, because the email address was wrong, or because the receipt has changed. */
export const CopyReason = z.enum(["again", "address", "name", "fund"]);
export type CopyReason = z.output<typeof CopyReason>;

/** `at` is an ISO time: when it was queued, and so when its link was made. */
export type ReceiptCopyJob = {
  readonly template: "receipt-copy";
  readonly donationId: string;
  readonly because: CopyReason;
  readonly at: string;
};

/** Queues the email; it goes out once the transaction has committed. */
export function sendReceiptCopy(
  transaction: Connection,
  jobs: Jobs,
  { donationId, because, at }: { donationId: string; because: CopyReason; at: Date },
): Promise<void> {
  return jobs.send(transaction, "emails", { template: "receipt-copy", donationId, because, at: at.toISOString() });
}

/** Null if there is no valid receipt any more, or nobody to send it to. */
export async function writeReceiptCopy(
  { database, config, sender }: EmailContext<LinkConfig>,
  { donationId, because, at }: ReceiptCopyJob,
): Promise<EmailMessage | null> {
  const donor = await findDonor(database, donationId);
  const receipt = await findReceipt(database, donationId);
  if (!donor?.email || receipt === undefined || receipt.voided !== null) return null;
  const madeAt = new Date(at);
  const link = documentLink(config, { kind: "receipt", id: donationId }, madeAt);
  const pdf = await renderReceipt(receipt.data);
  const id = `receipt-copy-${donationId}-${madeAt.getTime()}`;
  return copyEmail(sender, { id, because, receipt: receipt.data, address: donor.email, link, pdf });
}

type Copy = {
  readonly id: string;
  readonly because: CopyReason;
  readonly receipt: ReceiptData;
  readonly address: string;
  readonly link: DocumentLink;
  readonly pdf: Buffer | null;
};

function copyEmail(sender: Sender, { id, because, receipt, address, link, pdf }: Copy): EmailMessage {
  const { organisation, publicUrl } = sender;
  const gift = formatDollars(deductibleCents(receipt));
  return composeEmail(sender, {
    id,
    subject: because === "again" ? `Your receipt ${receipt.number} again` : `Your receipt ${receipt.number}`,
    to: { name: receipt.donorName ?? "", address },
    replyTo: organisation.email,
    title: titles[because],
    blocks: [
      greeting(receipt.donorName),
      ...introductions[because](receipt).map(paragraph),
      paragraph(`Receipt ${receipt.number} is attached. You can also download it here.`),
      { kind: "link", label: "Download your receipt", url: `${publicUrl}${link.path}` },
      ...(hasDeductibleWording(receipt)
        ? [remark(`${receipt.organisation.giftStatement} Amount of the gift: ${gift}.`)]
        : []),
      remark(`Our reference: ${receipt.reference}.`),
      remark(
        `The download link works without logging in until ${link.lastDay}. Please pass it on only to people who may see your receipt.`,
      ),
      remark(`Questions? Call ${organisation.phone} or write to ${organisation.email}.`),
    ],
    attachments:
      pdf === null ? [] : [{ filename: `receipt-${receipt.number}.pdf`, contentType: "application/pdf", content: pdf }],
  });
}

const titles: Readonly<Record<CopyReason, string>> = {
  again: "Your receipt once more",
  address: "Your receipt",
  name: "Your corrected receipt",
  fund: "Your corrected receipt",
};

const given = ({ totalCents, paidOn }: ReceiptData) =>
  `your donation of ${formatDollars(totalCents)} on ${formatDay(paidOn)}`;
const titlesOf = ({ lines }: ReceiptData) => [...new Set(lines.map(({ title }) => title))];
const isVoid = ({ replaces }: ReceiptData) =>
  replaces === null ? [] : [`Your receipt ${replaces} is void. Please do not use it for tax.`];

const introductions: Readonly<Record<CopyReason, (receipt: ReceiptData) => string[]>> = {
  again: (receipt) => [`Here is the receipt for ${given(receipt)} once more. Thank you for your kindness.`],
  address: (receipt) => [
    `Here is the receipt for ${given(receipt)}. It first went to another address, which we have corrected. The links that we sent there no longer work.`,
  ],
  name: (receipt) => [`We have corrected the name on the receipt for ${given(receipt)}.`, ...isVoid(receipt)],
  fund: (receipt) => [
    `We have corrected what ${given(receipt)} is for. It is now for ${formatList(titlesOf(receipt), "and")}.`,
    ...isVoid(receipt),
  ],
};

/** Shown in place of the number, which is not known before the receipt is issued. */
export const NEXT_NUMBER = "R-…";

/** The email as it would be sent now, after the planned `changes`; null if there is no valid receipt or no address. */
export async function previewReceiptCopy(
  { database, sender, config }: EmailContext<LinkConfig>,
  { donationId, because, now }: { readonly donationId: string; readonly because: CopyReason; readonly now: Date },
  changes: { readonly email?: string; readonly receipt?: (current: ReceiptData) => Partial<ReceiptData> } = {},
): Promise<Pick<EmailMessage, "subject" | "text" | "to"> | null> {
  const donor = await findDonor(database, donationId);
  const receipt = await findReceipt(database, donationId);
  const address = changes.email ?? donor?.email ?? "";
  if (address === "" || receipt === undefined || receipt.voided !== null) return null;
  const replaced = changes.receipt && { replaces: receipt.data.number, number: NEXT_NUMBER };
  const data = { ...receipt.data, ...replaced, ...changes.receipt?.(receipt.data) };
  // A real link would open the receipt for whoever reads this preview.
  const document = { kind: "receipt", id: donationId } as const;
  const link = { ...documentLink(config, document, now), path: `${documentPath(document)}?key=…` };
  return copyEmail(sender, { id: "preview", because, receipt: data, address, link, pdf: null });
}
