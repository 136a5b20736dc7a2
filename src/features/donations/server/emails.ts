import { createHash } from "node:crypto";
import type { Attempt } from "#payments/attempts.ts";
import { describePaymentState, providerNames } from "#payments/payment-words.ts";
import { formatDay, formatDollars, formatList, formatMomentInSydney } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import { composeEmail, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { paths } from "#shared/paths.ts";
import type { DonationRecord } from "./donation-record.ts";
import { deductibleCents, donorOf, hasDeductibleWording, keptCents } from "./donation-sums.ts";
import { inventedLink, inventedReceipt, inventedRecord } from "./invented-donation.ts";
import type { ReceiptData } from "./receipt.ts";

type ReceiptEmail = {
  readonly donationId: string;
  readonly receipt: ReceiptData;
  readonly pdf: Buffer;
  readonly link: DocumentLink;
  readonly address: string;
};

/** For the donor’s name in greetings. */
export const donorPlaceholders = {
  name: { about: "The donor’s name, or ‘friend’ for somebody who stays anonymous.", isOptional: true },
} as const;
export const nameOrFriend = (name: string | null) => name ?? "friend";

const receipt = declareEmail({
  name: "receipt",
  title: "Thank you, with the receipt",
  when: "To the donor, as soon as a donation is paid. What was given, what the receipt says of it and the reference cannot be edited.",
  placeholders: {
    ...donorPlaceholders,
    amount: "What was paid.",
    day: "The day of the donation.",
    receipt: "The number of the receipt.",
    supports: { about: "Who receives the donations.", isOptional: true },
    last_day: "The last day on which the download link works.",
  },
  texts: {
    subject: "Your receipt {receipt} from {organisation}",
    heading: "Thank you for your donation",
    greeting: "Dear {name},",
    thanks:
      "We received your donation of {amount} on {day}. {supports} will put it to work. Thank you for your kindness.",
    attached: "Your receipt {receipt} is attached. You can also download it here.",
    link: "The download link works without logging in until {last_day}. Please pass it on only to people who may see your receipt.",
  },
  examples: {
    "By credit card": (sender) => receiptEmail(sender, inventedReceiptEmail(sender, {})),
    "Anonymous, by PayPal": (sender) =>
      receiptEmail(sender, inventedReceiptEmail(sender, { donorName: null, method: "pp" })),
  },
});

const inventedReceiptEmail = (sender: Sender, changes: Partial<ReceiptData>): ReceiptEmail => ({
  donationId: "example",
  receipt: inventedReceipt(sender.organisation, changes),
  pdf: Buffer.alloc(0),
  link: inventedLink,
  address: "amina@example.org",
});

/** Thanks the donor and attaches the receipt. */
export function receiptEmail(
  sender: Sender,
  { donationId, receipt: data, pdf, link, address }: ReceiptEmail,
): EmailMessage {
  const { organisation } = sender;
  const say = fillTexts(receipt, sender, {
    name: nameOrFriend(data.donorName),
    amount: formatDollars(data.totalCents),
    day: formatDay(data.paidOn),
    receipt: data.number,
    supports: organisation.supports,
    last_day: link.lastDay,
  });
  return composeEmail(sender, {
    // Not the receipt's number: a refund may replace the receipt before the job of this email runs again.
    id: `receipt-${donationId}`,
    subject: say.subject,
    to: { name: data.donorName ?? "", address },
    replyTo: organisation.email,
    title: say.heading,
    blocks: [
      paragraph(say.greeting),
      paragraph(say.thanks),
      sums(data),
      paragraph(say.attached),
      { kind: "link", label: "Download your receipt", url: `${sender.publicUrl}${link.path}` },
      ...giftRemark(data),
      remark(
        data.method === "pp"
          ? `Our reference: ${data.reference}. Paid by PayPal.`
          : `Our reference: ${data.reference}. Paid by credit card.`,
      ),
      remark(say.link),
    ],
    attachments: [{ filename: `receipt-${data.number}.pdf`, contentType: "application/pdf", content: pdf }],
  });
}

/** The receipt's own sentence about a deductible gift, and which lines are none. */
export function giftRemark(data: ReceiptData): Block[] {
  const { isDeductibleGiftRecipient, giftStatement } = data.organisation;
  if (!isDeductibleGiftRecipient) return [];
  const gift = formatDollars(deductibleCents(data));
  const others = new Set(data.lines.filter(({ kind }) => kind !== "gift").map(({ title }) => title));
  return [
    ...(hasDeductibleWording(data) ? [remark(`${giftStatement} Amount of the gift: ${gift}.`)] : []),
    ...(others.size === 0 ? [] : [remark(`Not a tax-deductible gift: ${formatList([...others], "and")}.`)]),
  ];
}

const newDonation = declareEmail({
  name: "new-donation",
  title: "A new donation",
  when: "To your email address for donations, for each donation that is paid.",
  placeholders: {
    amount: "What was paid.",
    reference: "The reference of the donation.",
    donor: "Who gave it.",
    day: "The day of the donation.",
  },
  texts: {
    subject: "New donation of {amount}, reference {reference}",
    heading: "A donation of {amount}",
    byCard: { words: "{donor} gave {amount} by credit card on {day}.", when: "If it was paid by credit card." },
    byPaypal: { words: "{donor} gave {amount} by PayPal on {day}.", when: "If it was paid by PayPal." },
  },
  examples: {
    "By credit card": (sender) => newDonationEmail(sender, inventedNews({})),
    "Anonymous, by PayPal": (sender) => newDonationEmail(sender, inventedNews({ donorName: null, method: "pp" })),
  },
});

const inventedNews = (changes: Partial<DonationRecord>) => ({
  donationId: "example",
  record: inventedRecord(changes),
  address: "amina@example.org",
});

/** To staff, at the organisation's `donationsEmail`. `address` is the donor's. */
export function newDonationEmail(
  sender: Sender,
  { donationId, record, address }: { donationId: string; record: DonationRecord; address: string },
): EmailMessage {
  const say = fillTexts(newDonation, sender, {
    amount: formatDollars(record.totalCents),
    reference: record.reference,
    donor: donorOf(record),
    day: formatDay(record.paidOn),
  });
  return composeEmail(sender, {
    id: `donation-${donationId}`,
    subject: say.subject,
    to: { name: sender.organisation.name, address: sender.organisation.donationsEmail },
    title: say.heading,
    blocks: [
      paragraph(record.method === "pp" ? say.byPaypal : say.byCard),
      sums(record),
      {
        kind: "rows",
        rows: [
          ["Reference", record.reference],
          ["Donor", donorOf(record)],
          ["Receipt goes to", address],
        ],
      },
      donationLink(sender, donationId),
    ],
  });
}

/** For staff: its screen in the back office. */
const donationLink = ({ publicUrl }: Sender, id: string): Block => ({
  kind: "link",
  label: "See the donation",
  url: `${publicUrl}/admin/donations/${id}`,
});

type UnpaidDonation = {
  readonly donorName: string | null;
  readonly address: string;
  readonly totalCents: number;
  readonly reference: string;
};

const paymentOutcome = declareEmail({
  name: "payment-outcome",
  title: "A payment that did not go through",
  when: "To a donor whom we asked to wait while a payment was confirmed, if nothing was charged in the end.",
  placeholders: {
    ...donorPlaceholders,
    amount: "What would have been paid.",
    reference: "The reference of the donation.",
  },
  texts: {
    subject: "Your donation of {amount} was not charged",
    heading: "Your payment did not go through",
    greeting: "Dear {name},",
    outcome:
      "We asked you to wait while we confirmed your donation of {amount}. It did not go through, and nothing was charged. You can try again whenever you like. We’re sorry for the wait.",
    questions:
      "Our reference: {reference}. If your statement does show a charge from us, please call {phone} or write to {email}, and we will put it right.",
  },
  examples: {
    "A donation": (sender) =>
      paymentOutcomeEmail(sender, {
        attemptId: "example",
        donation: { donorName: "Amina Raza", address: "amina@example.org", totalCents: 10_300, reference: "D-EXAMPLE" },
      }),
  },
});

/** Tells a donor whom the page asked to wait that the payment failed. */
export function paymentOutcomeEmail(
  sender: Sender,
  { attemptId, donation }: { attemptId: string; donation: UnpaidDonation },
): EmailMessage {
  const { donorName, address, totalCents, reference } = donation;
  const say = fillTexts(paymentOutcome, sender, {
    name: nameOrFriend(donorName),
    amount: formatDollars(totalCents),
    reference,
  });
  return composeEmail(sender, {
    id: `payment-${attemptId}`,
    subject: say.subject,
    to: { name: donorName ?? "", address },
    replyTo: sender.organisation.email,
    title: say.heading,
    blocks: [
      paragraph(say.greeting),
      paragraph(say.outcome),
      { kind: "link", label: "Give again", url: `${sender.publicUrl}${paths.donation}` },
      remark(say.questions),
    ],
  });
}

const receiptWaiting = declareEmail({
  name: "receipt.waiting",
  title: "A receipt is waiting for your details",
  when: "To your email address for donations, if a receipt cannot be issued. The details that are missing cannot be edited.",
  placeholders: { reference: "The reference of the donation." },
  texts: {
    subject: "A receipt is waiting: donation {reference}",
    heading: "A receipt is waiting for your details",
    missing: "Donation {reference} has been paid, but we can’t issue its receipt until these details are filled in:",
    next: "Once they are, waiting receipts are issued and sent automatically.",
  },
  examples: {
    "Without an ABN": (sender) =>
      receiptWaitingEmail(sender, { donationId: "example", reference: "D-EXAMPLE", gaps: ["its ABN"] }),
  },
});

/** Tells staff that a paid donation has no receipt yet, and which details are missing. */
export function receiptWaitingEmail(
  sender: Sender,
  { donationId, reference, gaps }: { donationId: string; reference: string; gaps: readonly string[] },
): EmailMessage {
  const say = fillTexts(receiptWaiting, sender, { reference });
  return composeEmail(sender, {
    id: `receipt-waiting-${donationId}`,
    subject: say.subject,
    to: { name: sender.organisation.name, address: sender.organisation.donationsEmail },
    title: say.heading,
    blocks: [
      paragraph(say.missing),
      ...gaps.map((gap) => paragraph(`• ${gap}`)),
      {
        kind: "link",
        label: "Fill in the details",
        url: `${sender.publicUrl}/admin/settings/organisation/identity`,
      },
      paragraph(say.next),
    ],
  });
}

type AttemptFacts = Pick<
  Attempt,
  | ("id" | "provider" | "order_reference" | "provider_transaction_id" | "state" | "amount_cents" | "sent_at")
  | ("donation_id" | "ticket_order_id")
>;

/** For staff: what was paid for, in the back office. */
export function paidForLink(
  sender: Sender,
  { donation_id, ticket_order_id }: Pick<Attempt, "donation_id" | "ticket_order_id">,
): Block {
  if (donation_id !== null) return donationLink(sender, donation_id);
  return { kind: "link", label: "See the ticket order", url: `${sender.publicUrl}/admin/orders/${ticket_order_id}` };
}

const paymentNeedsCheck = declareEmail({
  name: "payment-needs-check",
  title: "A payment needs checking",
  when: "To your email address for donations, if a payment cannot be settled automatically. Its details cannot be edited.",
  placeholders: { reference: "The reference of the payment.", reason: "Why it needs checking, without a full stop." },
  texts: {
    subject: "Please check payment {reference}",
    heading: "Payment {reference} needs checking",
    reason: "We couldn’t settle this payment automatically: {reason}.",
    compare: "Compare it with the provider’s own list of payments before anyone charges the payer again.",
  },
  examples: {
    "A card payment": (sender) =>
      paymentNeedsCheckEmail(sender, {
        reason: "the provider has no answer after two hours",
        attempt: {
          id: "example",
          provider: "payway",
          order_reference: "P-EXAMPLE",
          provider_transaction_id: null,
          state: "unknown",
          amount_cents: 10_300,
          sent_at: new Date("2026-11-20T01:00:00Z"),
          donation_id: "example",
          ticket_order_id: null,
        },
      }),
  },
});

/** Asks staff to check a payment that we can't settle automatically. */
export function paymentNeedsCheckEmail(
  sender: Sender,
  { attempt, reason }: { attempt: AttemptFacts; reason: string },
): EmailMessage {
  const key = createHash("sha256").update(reason).digest("hex").slice(0, 12);
  const say = fillTexts(paymentNeedsCheck, sender, { reference: attempt.order_reference, reason });
  return composeEmail(sender, {
    id: `payment-check-${attempt.id}-${key}`,
    subject: say.subject,
    to: { name: sender.organisation.name, address: sender.organisation.donationsEmail },
    title: say.heading,
    blocks: [
      paragraph(say.reason),
      {
        kind: "rows",
        rows: [
          ["Order reference at the provider", attempt.order_reference],
          ["Provider", providerNames[attempt.provider]],
          ["Provider’s transaction", attempt.provider_transaction_id ?? "none known"],
          ["Amount", formatDollars(attempt.amount_cents)],
          ["Status in our records", describePaymentState(attempt.state).label],
          ["Sent", formatMomentInSydney(attempt.sent_at)],
        ],
      },
      paragraph(say.compare),
      paidForLink(sender, attempt),
    ],
  });
}

export const donationEmails = [receipt, newDonation, paymentOutcome, receiptWaiting, paymentNeedsCheck] as const;

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
