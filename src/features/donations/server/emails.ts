import { createHash } from "node:crypto";
import { formatDay, formatDollars, formatList } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import { composeEmail, type Sender } from "#shared/mail/compose-email.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { paths } from "#shared/paths.ts";
import type { DonationRecord } from "./donation-record.ts";
import { deductibleCents, donorOf, hasDeductibleWording, keptCents } from "./donation-sums.ts";
import type { ReceiptData } from "./receipt.ts";

export type ReceiptEmail = {
  readonly donationId: string;
  readonly receipt: ReceiptData;
  readonly pdf: Buffer;
  readonly link: DocumentLink;
  readonly address: string;
};

/** Thanks the donor and attaches the receipt. */
export function receiptEmail(sender: Sender, { donationId, receipt, pdf, link, address }: ReceiptEmail): EmailMessage {
  const { organisation } = sender;
  const gift = formatDollars(deductibleCents(receipt));
  const title = "Thank you for your donation";
  return composeEmail(sender, {
    // Not the receipt's number: a refund may replace the receipt before the job of this email runs again.
    id: `receipt-${donationId}`,
    subject: `Your receipt ${receipt.number} from ${organisation.name}`,
    to: { name: receipt.donorName ?? "", address },
    replyTo: organisation.email,
    title,
    blocks: [
      greeting(receipt.donorName),
      paragraph(
        `We received your donation of ${formatDollars(receipt.totalCents)} on ${formatDay(receipt.paidOn)}. ` +
          `${organisation.supports} will put it to work. Thank you for your kindness.`,
      ),
      sums(receipt),
      paragraph(`Your receipt ${receipt.number} is attached. You can also download it here.`),
      { kind: "link", label: "Download your receipt", url: `${sender.publicUrl}${link.path}` },
      ...(hasDeductibleWording(receipt)
        ? [remark(`${receipt.organisation.giftStatement} Amount of the gift: ${gift}.`)]
        : []),
      remark(
        receipt.method === "pp"
          ? `Our reference: ${receipt.reference}. Paid by PayPal.`
          : `Our reference: ${receipt.reference}. Paid by credit card.`,
      ),
      remark(
        `The download link works without logging in until ${link.lastDay}. Please pass it on only to people who may see your receipt.`,
      ),
    ],
    attachments: [{ filename: `receipt-${receipt.number}.pdf`, contentType: "application/pdf", content: pdf }],
  });
}

/** To staff, at the organisation's `donationsEmail`. `address` is the donor's. */
export function newDonationEmail(
  sender: Sender,
  { donationId, record, address }: { donationId: string; record: DonationRecord; address: string },
): EmailMessage {
  const total = formatDollars(record.totalCents);
  return composeEmail(sender, {
    id: `donation-${donationId}`,
    subject: `New donation of ${total}, reference ${record.reference}`,
    to: { name: sender.organisation.name, address: sender.organisation.donationsEmail },
    title: `A donation of ${total}`,
    blocks: [
      paragraph(
        record.method === "pp"
          ? `${donorOf(record)} gave ${total} by PayPal on ${formatDay(record.paidOn)}.`
          : `${donorOf(record)} gave ${total} by credit card on ${formatDay(record.paidOn)}.`,
      ),
      sums(record),
      {
        kind: "rows",
        rows: [
          ["Reference", record.reference],
          ["Donor", donorOf(record)],
          ["Receipt goes to", address],
        ],
      },
    ],
  });
}

export type UnpaidDonation = {
  readonly donorName: string | null;
  readonly address: string;
  readonly totalCents: number;
};

/** Tells a donor whom the page asked to wait that the payment failed. */
export function paymentOutcomeEmail(
  sender: Sender,
  { attemptId, donation }: { attemptId: string; donation: UnpaidDonation },
): EmailMessage {
  const { organisation } = sender;
  const total = formatDollars(donation.totalCents);
  return composeEmail(sender, {
    id: `payment-${attemptId}`,
    subject: `Your donation of ${total} was not charged`,
    to: { name: donation.donorName ?? "", address: donation.address },
    replyTo: organisation.email,
    title: "Your payment did not go through",
    blocks: [
      greeting(donation.donorName),
      paragraph(
        `We asked you to wait while we confirmed your donation of ${total}. It did not go through, and nothing was ` +
          "charged. You can try again whenever you like. We’re sorry for the wait.",
      ),
      { kind: "link", label: "Give again", url: `${sender.publicUrl}${paths.donation}` },
      remark(
        `If your statement does show a charge from us, please call ${organisation.phone} ` +
          `or write to ${organisation.email}, and we will put it right.`,
      ),
    ],
  });
}

/** Tells staff that a paid donation has no receipt yet, and which details are missing. */
export function receiptWaitingEmail(
  sender: Sender,
  { donationId, reference, gaps }: { donationId: string; reference: string; gaps: readonly string[] },
): EmailMessage {
  return composeEmail(sender, {
    id: `receipt-waiting-${donationId}`,
    subject: `A receipt is waiting: donation ${reference}`,
    to: { name: sender.organisation.name, address: sender.organisation.donationsEmail },
    title: "A receipt is waiting for your details",
    blocks: [
      paragraph(
        `Donation ${reference} has been paid, but we can’t issue its receipt until these details are filled in:`,
      ),
      ...gaps.map((gap) => paragraph(`• ${gap}`)),
      paragraph("Once they are, waiting receipts are issued and sent automatically."),
    ],
  });
}

export type AttemptFacts = {
  readonly id: string;
  readonly provider: string;
  readonly order_reference: string;
  readonly provider_transaction_id: string | null;
  readonly state: string;
  readonly amount_cents: number;
  readonly sent_at: Date;
};

/** Asks staff to check a payment that we can't settle automatically. */
export function paymentNeedsCheckEmail(
  sender: Sender,
  { attempt, reason }: { attempt: AttemptFacts; reason: string },
): EmailMessage {
  const key = createHash("sha256").update(reason).digest("hex").slice(0, 12);
  return composeEmail(sender, {
    id: `payment-check-${attempt.id}-${key}`,
    subject: `Please check payment ${attempt.order_reference}`,
    to: { name: sender.organisation.name, address: sender.organisation.donationsEmail },
    title: `Payment ${attempt.order_reference} needs checking`,
    blocks: [
      paragraph(`We couldn’t settle this payment automatically: ${reason}.`),
      {
        kind: "rows",
        rows: [
          ["Order reference at the provider", attempt.order_reference],
          ["Provider", attempt.provider],
          ["Provider’s transaction", attempt.provider_transaction_id ?? "none known"],
          ["Amount", formatDollars(attempt.amount_cents)],
          ["Status in our records", attempt.state.replaceAll("_", " ")],
          ["Sent", attempt.sent_at.toISOString()],
        ],
      },
      paragraph("Compare it with the provider’s own list of payments before anyone charges the payer again."),
    ],
  });
}

export const greeting = (name: string | null) => paragraph(name === null ? "Dear friend," : `Dear ${name},`);

function sums(record: DonationRecord): Block {
  const { lines, adminFeeCents, merchantFeeCents, refunds, currency } = record;
  const fees = [
    ["Admin fee", adminFeeCents],
    ["Merchant fee", merchantFeeCents],
  ] as const;
  return {
    kind: "rows",
    rows: [
      ...lines.map(({ title, quantity, lineCents, onBehalfOf }) => {
        const count = quantity > 1 ? ` × ${quantity}` : "";
        const names = onBehalfOf.length > 0 ? ` (on behalf of ${formatList(onBehalfOf, "comma")})` : "";
        return [`${title}${count}${names}`, formatDollars(lineCents)] as const;
      }),
      ...fees.filter(([, cents]) => cents > 0).map(([label, cents]) => [label, formatDollars(cents)] as const),
      ...refunds.map(({ on, cents }) => [`Refunded on ${formatDay(on)}`, `−${formatDollars(cents)}`] as const),
    ],
    total: `${formatDollars(keptCents(record))} ${currency}`,
  };
}
