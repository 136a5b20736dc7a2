import { createHash } from "node:crypto";
import type { Attempt } from "#payments/attempts.ts";
import { providerNames } from "#payments/payment-words.ts";
import { describeArrival } from "#payments/refunds/arrival.ts";
import { explainRefusal } from "#payments/refunds/explain-refusal.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import { formatDay, formatDollars, formatMomentInSydney } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import { composeEmail, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts, joinWords, type Words } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { paths } from "#shared/paths.ts";
import type { DonationRecord } from "./donation-record.ts";
import { keptCents } from "./donation-sums.ts";
import { donorPlaceholders, nameOrFriend, paidForLink } from "./emails.ts";
import { inventedLink, inventedReceipt, inventedRecord } from "./invented-donation.ts";
import type { Receipt } from "./receipt.ts";

/** What a donor's refund email needs. `receipt` is the latest, and `link` opens it. */
type RefundedDonation = {
  readonly refund: Pick<Refund, "id" | "kind" | "amount_cents" | "requested_by">;
  readonly record: DonationRecord;
  readonly address: string;
  readonly receipt: Receipt | undefined;
  /** The PDF of `receipt`; null if it is void or missing. */
  readonly pdf: Buffer | null;
  readonly link: DocumentLink;
};

/** About the receipt of what was refunded in part or whole. */
const receiptTexts = {
  isVoid: {
    words: "Your receipt {earlier} is void. Please do not use it for tax.",
    when: "If the receipt is void or was replaced.",
  },
  following: {
    words: "We will email you a new receipt for the {kept} that we keep.",
    when: "If the new receipt is still to come.",
  },
  replaced: {
    words: "Receipt {receipt} is now your receipt, for the {kept} that we keep.",
    when: "If a part is kept.",
  },
  attached: { words: "It is attached, and you can download it here.", when: "If the new receipt is attached." },
  link: {
    words: "The download link works without logging in until {last_day}.",
    when: "If the new receipt is attached.",
  },
} as const;
const receiptPlaceholders = {
  receipt: { about: "The number of the receipt.", isLocal: true },
  earlier: { about: "The number of the receipt that is void.", isLocal: true },
  kept: "What is left of the donation.",
  last_day: { about: "The last day on which the download link works.", isLocal: true },
} as const;
const closingTexts = {
  questions: "Our reference: {reference}. Questions? Call {phone} or write to {email}.",
} as const;

const refunded = declareEmail({
  name: "refund",
  title: "Refund of a donation",
  when: "To the donor, when a refund is paid. The amounts cannot be edited.",
  placeholders: {
    ...donorPlaceholders,
    amount: "What is refunded.",
    day: "The day of the donation.",
    reference: "The reference of the donation.",
    arrival: "Where the refund goes, and when it arrives: one or two sentences.",
    ...receiptPlaceholders,
  },
  texts: {
    subjectAll: { words: "We have refunded your donation of {amount}", when: "If all of it is refunded." },
    subjectPart: { words: "We have refunded {amount} of your donation", when: "If a part of it is refunded." },
    greeting: "Dear {name},",
    all: {
      words: "We have refunded your donation of {amount}, which you made on {day}. {arrival}",
      when: "If all of it is refunded.",
    },
    part: {
      words: "We have refunded {amount} of your donation, which you made on {day}. {arrival}",
      when: "If a part of it is refunded.",
    },
    ...receiptTexts,
    ...closingTexts,
  },
  examples: {
    "All of a donation": (sender) => refundEmail(sender, inventedRefund(sender, 10_300)),
    "A part, with a new receipt": (sender) => refundEmail(sender, inventedRefund(sender, 2_000)),
    "A part, before the new receipt": (sender) =>
      refundEmail(sender, { ...inventedRefund(sender, 2_000), receipt: undefined, pdf: null }),
  },
});

function inventedRefund({ organisation }: Sender, cents: number, kind: Refund["kind"] = "refund"): RefundedDonation {
  const record = inventedRecord({ refundedCents: cents, refunds: [{ on: "2026-11-24", cents }] });
  const isAll = cents === record.totalCents;
  const data = inventedReceipt(organisation, isAll ? record : { ...record, number: "R-000124", replaces: "R-000123" });
  return {
    refund: { id: "example", kind, amount_cents: cents, requested_by: "provider" },
    record,
    address: "amina@example.org",
    receipt: { data, voided: isAll ? { on: "2026-11-24", replacedBy: null } : null },
    pdf: isAll ? null : Buffer.alloc(0),
    link: inventedLink,
  };
}

/** Tells a donor what was refunded, when it arrives and which receipt is valid now. */
export function refundEmail(sender: Sender, given: RefundedDonation): EmailMessage {
  const { refund, record } = given;
  const isAll = refund.amount_cents === record.totalCents;
  const arrival = describeArrival({ kind: refund.kind, provider: record.method === "pp" ? "braintree" : "payway" });
  const say = fillTexts(refunded, sender, { ...valuesOf(given), arrival });
  return emailToDonor(sender, given, { ...say, subject: isAll ? say.subjectAll : say.subjectPart }, [
    paragraph(isAll ? say.all : say.part),
    {
      kind: "rows",
      rows: [
        ["You paid", formatDollars(record.totalCents)],
        ...record.refunds.map(({ on, cents }) => [`Refunded on ${formatDay(on)}`, `−${formatDollars(cents)}`] as const),
        ["Kept", formatDollars(keptCents(record))],
      ],
    },
    ...receiptBlocks(sender, given, say),
  ]);
}

const reversed = declareEmail({
  name: "refund.reversal",
  title: "A payment that was taken back",
  when: "To the donor, if the bank or PayPal took a payment back after approving it, or turns out not to have it.",
  placeholders: {
    ...donorPlaceholders,
    amount: "What did not reach us.",
    day: "The day of the donation.",
    reference: "The reference of the donation.",
    ...receiptPlaceholders,
  },
  texts: {
    subject: "Your donation of {amount} did not go through",
    greeting: "Dear {name},",
    byCard: {
      words:
        "The bank first approved your donation of {day}, then took the payment back: {amount} did not reach us. If your statement shows it as paid, it will be returned to you within a few business days.",
      when: "If it was paid by credit card.",
    },
    byPaypal: {
      words:
        "PayPal first approved your donation of {day}, then took the payment back: {amount} did not reach us. If your statement shows it as paid, it will be returned to you within a few business days.",
      when: "If it was paid by PayPal.",
    },
    neverCharged: {
      words:
        "We recorded your donation of {day} as paid, but the payment of {amount} never reached us. If your statement shows it as paid, please tell us.",
      when: "If staff reversed it because the provider does not have the charge.",
    },
    ...receiptTexts,
    again: "You can donate again whenever you like. We’re sorry for the inconvenience.",
    ...closingTexts,
  },
  examples: {
    "By credit card": (sender) => reversalEmail(sender, inventedRefund(sender, 10_300, "reversal")),
    "By PayPal, with a new receipt for the rest": (sender) => {
      const invented = inventedRefund(sender, 2_000, "reversal");
      return reversalEmail(sender, { ...invented, record: { ...invented.record, method: "pp" } });
    },
    "That the provider does not have": (sender) => {
      const invented = inventedRefund(sender, 10_300, "reversal");
      return reversalEmail(sender, { ...invented, refund: { ...invented.refund, requested_by: "staff" } });
    },
    "Before the new receipt for the rest": (sender) =>
      reversalEmail(sender, { ...inventedRefund(sender, 2_000, "reversal"), receipt: undefined, pdf: null }),
  },
});

/** Tells a donor that the bank or PayPal took an approved payment back, or never had it. */
export function reversalEmail(sender: Sender, given: RefundedDonation): EmailMessage {
  const say = fillTexts(reversed, sender, valuesOf(given));
  return emailToDonor(sender, given, say, [
    paragraph(
      given.refund.requested_by === "staff"
        ? say.neverCharged
        : given.record.method === "pp"
          ? say.byPaypal
          : say.byCard,
    ),
    ...receiptBlocks(sender, given, say),
    paragraph(say.again),
    { kind: "link", label: "Give again", url: `${sender.publicUrl}${paths.donation}` },
  ]);
}

function valuesOf({ refund, record, receipt, link }: RefundedDonation) {
  const number = receipt?.data.number ?? "";
  return {
    name: nameOrFriend(record.donorName),
    amount: formatDollars(refund.amount_cents),
    day: formatDay(record.paidOn),
    reference: record.reference,
    receipt: number,
    earlier: receipt?.voided === null ? (receipt.data.replaces ?? number) : number,
    kept: formatDollars(keptCents(record)),
    last_day: link.lastDay,
  };
}

function emailToDonor(
  sender: Sender,
  { refund, record, address, receipt, pdf }: RefundedDonation,
  say: Readonly<Record<"subject" | "greeting" | "questions", Words>>,
  blocks: readonly Block[],
): EmailMessage {
  const filename = `receipt-${receipt?.data.number}.pdf`;
  return composeEmail(sender, {
    id: `refund-${refund.id}`,
    subject: say.subject,
    to: { name: record.donorName ?? "", address },
    replyTo: sender.organisation.email,
    blocks: [paragraph(say.greeting), ...blocks, remark(say.questions)],
    attachments: pdf === null ? [] : [{ filename, contentType: "application/pdf", content: pdf }],
  });
}

/** What happens to the receipt: void, replaced or still to come. */
function receiptBlocks(
  { publicUrl }: Sender,
  { record, receipt, pdf, link }: RefundedDonation,
  say: Readonly<Record<keyof typeof receiptTexts, Words>>,
): Block[] {
  const isKept = keptCents(record) > 0;
  if (receipt === undefined) return isKept ? [paragraph(say.following)] : [];
  const { data, voided } = receipt;
  if (voided !== null) return [paragraph(joinWords(say.isVoid, ...(isKept ? [say.following] : [])))];
  const earlier = data.replaces === null ? [] : [say.isVoid];
  const attached = pdf === null ? [] : [say.attached];
  return [
    paragraph(joinWords(...earlier, say.replaced, ...attached)),
    { kind: "link", label: "Download your receipt", url: `${publicUrl}${link.path}` },
    remark(say.link),
  ];
}

const refundNeedsCheck = declareEmail({
  name: "refund-needs-check",
  title: "A refund needs checking",
  when: "To your email address for donations, if a refund cannot be settled automatically. Why, and its details, cannot be edited.",
  placeholders: { reference: "The reference of the refund." },
  texts: {
    subject: "Please check refund {reference}",
    heading: "Refund {reference} needs checking",
    compare: "Compare it with the provider’s own list of payments before anyone refunds it again.",
  },
  examples: {
    "A refund": (sender) =>
      refundNeedsCheckEmail(sender, {
        refund: {
          id: "example",
          order_reference: "P-EXAMPLE-R",
          provider_transaction_id: null,
          kind: "refund",
          amount_cents: 2_000,
          state: "unknown",
          created_at: new Date("2026-11-24T01:00:00Z"),
        },
        attempt: {
          order_reference: "P-EXAMPLE",
          provider: "payway",
          provider_transaction_id: "1179985404",
          amount_cents: 10_300,
          donation_id: "example",
          ticket_order_id: null,
        },
        receipt: "R-000124",
        reason: "the provider has no answer after two hours",
      }),
  },
});

export const refundEmails = [refunded, reversed, refundNeedsCheck] as const;

type RefundToCheck = {
  readonly refund: Pick<
    Refund,
    "id" | "order_reference" | "provider_transaction_id" | "kind" | "amount_cents" | "state" | "created_at"
  >;
  readonly attempt: Pick<
    Attempt,
    ("order_reference" | "provider" | "provider_transaction_id" | "amount_cents") | ("donation_id" | "ticket_order_id")
  >;
  readonly receipt: string | null;
  readonly reason: string;
};

const stateWords: Readonly<Record<Refund["state"], string>> = {
  requested: "Not sent yet",
  submitting: "Sent",
  unknown: "No answer",
  failed: "No money went back",
  succeeded: "Refunded",
};

/** Asks staff to check a refund that we can't settle automatically. */
export function refundNeedsCheckEmail(
  sender: Sender,
  { refund, attempt, receipt, reason }: RefundToCheck,
): EmailMessage {
  const key = createHash("sha256").update(reason).digest("hex").slice(0, 12);
  const say = fillTexts(refundNeedsCheck, sender, { reference: refund.order_reference });
  return composeEmail(sender, {
    id: `refund-check-${refund.id}-${key}`,
    subject: say.subject,
    to: { name: sender.organisation.name, address: sender.organisation.donationsEmail },
    title: say.heading,
    blocks: [
      paragraph(explainRefusal(reason, attempt.provider)),
      {
        kind: "rows",
        rows: [
          ["Order reference of the refund", refund.order_reference],
          ["Order reference of the payment", attempt.order_reference],
          ["Provider", providerNames[attempt.provider]],
          ["Provider’s transaction of the payment", attempt.provider_transaction_id ?? "none known"],
          ["Provider’s transaction of the refund", refund.provider_transaction_id ?? "none known"],
          ["Kind", refund.kind],
          ["Amount", `${formatDollars(refund.amount_cents)} of ${formatDollars(attempt.amount_cents)}`],
          ["Status in our records", stateWords[refund.state]],
          ["Receipt", receipt ?? "none issued"],
          ["Since", formatMomentInSydney(refund.created_at)],
        ],
      },
      paragraph(say.compare),
      paidForLink(sender, attempt),
    ],
  });
}
