import { z } from "zod";
import type { Connection } from "#shared/database/connect.ts";
import type { Jobs } from "#shared/jobs/jobs.ts";
import { formatDay, formatDollars, formatList } from "#shared/language.ts";
import { type DocumentLink, documentLink, documentPath, type LinkConfig } from "#shared/links/document-links.ts";
import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { donorPlaceholders, giftRemark, nameOrFriend } from "../emails.ts";
import { inventedLink, inventedReceipt } from "../invented-donation.ts";
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
  const pdf = await renderReceipt(receipt.data, null, sender);
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

const receiptCopy = declareEmail({
  name: "receipt-copy",
  title: "A receipt once more, or a corrected one",
  when: "To the donor, if staff send the receipt again or have corrected something. What the receipt says of the gift cannot be edited.",
  placeholders: {
    ...donorPlaceholders,
    amount: "What was paid.",
    day: "The day of the donation.",
    receipt: "The number of the receipt.",
    causes: "What the donation is for.",
    earlier: { about: "The number of the receipt that was replaced.", isLocal: true },
    last_day: "The last day on which the download link works.",
  },
  texts: {
    subject: { words: "Your receipt {receipt}", when: "If the email address was corrected." },
    subjectCorrected: { words: "Your corrected receipt {receipt}", when: "If the name or the cause was corrected." },
    subjectAgain: { words: "Your receipt {receipt} again", when: "If it is sent once more." },
    headingAgain: { words: "Your receipt once more", when: "If it is sent once more." },
    headingAddress: { words: "Your receipt", when: "If the email address was corrected." },
    headingCorrected: { words: "Your corrected receipt", when: "If the name or the cause was corrected." },
    greeting: "Dear {name},",
    again: {
      words: "Here is the receipt for your donation of {amount} on {day} once more. Thank you for your kindness.",
      when: "If it is sent once more.",
    },
    address: {
      words:
        "Here is the receipt for your donation of {amount} on {day}. It first went to another address, which we have corrected. The links that we sent there no longer work.",
      when: "If the email address was corrected.",
    },
    name: {
      words: "We have corrected the name on the receipt for your donation of {amount} on {day}.",
      when: "If the name was corrected.",
    },
    fund: {
      words: "We have corrected what your donation of {amount} on {day} is for. It is now for {causes}.",
      when: "If the cause was corrected.",
    },
    isVoid: {
      words: "Your receipt {earlier} is void. Please do not use it for tax.",
      when: "If it replaces another receipt.",
    },
    attached: "Receipt {receipt} is attached. You can also download it here.",
    link: "The download link works without logging in until {last_day}. Please pass it on only to people who may see your receipt.",
    questions: "Questions? Call {phone} or write to {email}.",
  },
  examples: {
    "Once more": (sender) => copyEmail(sender, inventedCopy(sender, "again")),
    "To a corrected address": (sender) => copyEmail(sender, inventedCopy(sender, "address")),
    "With a corrected name": (sender) => copyEmail(sender, inventedCopy(sender, "name")),
    "For a corrected cause": (sender) => copyEmail(sender, inventedCopy(sender, "fund")),
  },
});

export const copyEmails = [receiptCopy] as const;

function inventedCopy({ organisation }: Sender, because: CopyReason): Copy {
  const isCorrected = because === "name" || because === "fund";
  const receipt = inventedReceipt(organisation, isCorrected ? { replaces: "R-000123", number: "R-000124" } : {});
  return { id: "example", because, receipt, address: "amina@example.org", link: inventedLink, pdf: null };
}

function copyEmail(sender: Sender, { id, because, receipt, address, link, pdf }: Copy): EmailMessage {
  const { organisation, publicUrl } = sender;
  const say = fillTexts(receiptCopy, sender, {
    name: nameOrFriend(receipt.donorName),
    receipt: receipt.number,
    last_day: link.lastDay,
    amount: formatDollars(receipt.totalCents),
    day: formatDay(receipt.paidOn),
    causes: formatList([...new Set(receipt.lines.map(({ title }) => title))], "and"),
    earlier: receipt.replaces ?? "",
  });
  const isCorrected = because === "name" || because === "fund";
  const headings = { again: say.headingAgain, address: say.headingAddress };
  const subjects = { again: say.subjectAgain, address: say.subject };
  return composeEmail(sender, {
    id,
    subject: isCorrected ? say.subjectCorrected : subjects[because],
    to: { name: receipt.donorName ?? "", address },
    replyTo: organisation.email,
    title: isCorrected ? say.headingCorrected : headings[because],
    blocks: [
      paragraph(say.greeting),
      paragraph(say[because]),
      ...(isCorrected && receipt.replaces !== null ? [paragraph(say.isVoid)] : []),
      paragraph(say.attached),
      { kind: "link", label: "Download your receipt", url: `${publicUrl}${link.path}` },
      ...giftRemark(receipt),
      remark(`Our reference: ${receipt.reference}.`),
      remark(say.link),
      remark(say.questions),
    ],
    attachments:
      pdf === null ? [] : [{ filename: `receipt-${receipt.number}.pdf`, contentType: "application/pdf", content: pdf }],
  });
}

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
