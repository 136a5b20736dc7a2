import { createHash } from "node:crypto";
import type { DocumentLink } from "#shared/links/document-links.ts";
import { idAndSubject, type Sender } from "#shared/mail/letter-heading.ts";
import { type Block, layOutLetter, remark, said } from "#shared/mail/letter-layout.ts";
import type { Letter } from "#shared/mail/mail.ts";
import { formatDollars } from "#shared/money.ts";
import { paths } from "#shared/paths.ts";
import { formatDay } from "#shared/sydney.ts";
import { type Giving, giftCents, keptCents } from "./giving.ts";
import type { ReceiptData } from "./receipt.ts";
import { donorOf, saysGift } from "./receipt-pdf.ts";

/** Thanks a donor and brings the receipt. */
export function receiptLetter(
  { organisation, publicUrl }: Sender,
  { receipt, pdf, link, address }: { receipt: ReceiptData; pdf: Buffer; link: DocumentLink; address: string },
): Letter {
  const gift = formatDollars(giftCents(receipt));
  const title = "Thank you for your donation";
  return {
    ...idAndSubject(publicUrl, `receipt-${receipt.number}`, `Your receipt ${receipt.number} from ${organisation.name}`),
    to: { name: receipt.donorName ?? "", address },
    replyTo: organisation.email,
    ...layOutLetter(organisation, {
      title,
      blocks: [
        greeting(receipt.donorName),
        said(
          `We received your donation of ${formatDollars(receipt.totalCents)} on ${formatDay(receipt.paidOn)}. ` +
            `${organisation.supports} will put it to work. Thank you for your kindness.`,
        ),
        sums(receipt),
        said(`Your receipt ${receipt.number} is attached. You can also download it here.`),
        { kind: "link", label: "Download your receipt", url: `${publicUrl}${link.path}` },
        ...(saysGift(receipt) ? [remark(`${receipt.organisation.giftStatement} Amount of the gift: ${gift}.`)] : []),
        remark(`Our reference: ${receipt.reference}. Paid by ${receipt.method.toLowerCase()}.`),
        remark(
          `The download link works without logging in until ${link.lastDay}. Please pass it on only to people who may see your receipt.`,
        ),
      ],
    }),
    attachments: [{ filename: `receipt-${receipt.number}.pdf`, contentType: "application/pdf", content: pdf }],
  };
}

/** Tells the organisation that somebody gave. */
export function newDonationLetter(
  { organisation, publicUrl }: Sender,
  { donationId, giving, address }: { donationId: string; giving: Giving; address: string },
): Letter {
  const total = formatDollars(giving.totalCents);
  return {
    ...idAndSubject(publicUrl, `donation-${donationId}`, `New donation of ${total}, reference ${giving.reference}`),
    to: { name: organisation.name, address: organisation.donationsEmail },
    ...layOutLetter(organisation, {
      title: `A donation of ${total}`,
      blocks: [
        said(`${donorOf(giving)} gave ${total} by ${giving.method.toLowerCase()} on ${formatDay(giving.paidOn)}.`),
        sums(giving),
        {
          kind: "rows",
          rows: [
            ["Reference", giving.reference],
            ["Donor", donorOf(giving)],
            ["Receipt goes to", address],
          ],
        },
      ],
    }),
    attachments: [],
  };
}

export type UnpaidDonation = {
  readonly donorName: string | null;
  readonly address: string;
  readonly totalCents: number;
};

/** Tells a donor who was asked to wait that the payment did not go through. */
export function paymentOutcomeLetter(
  { organisation, publicUrl }: Sender,
  { attemptId, donation }: { attemptId: string; donation: UnpaidDonation },
): Letter {
  const total = formatDollars(donation.totalCents);
  return {
    ...idAndSubject(publicUrl, `payment-${attemptId}`, `Your donation of ${total} was not charged`),
    to: { name: donation.donorName ?? "", address: donation.address },
    replyTo: organisation.email,
    ...layOutLetter(organisation, {
      title: "Your payment did not go through",
      blocks: [
        greeting(donation.donorName),
        said(
          `We asked you to wait while we confirmed your donation of ${total}. It did not go through, and nothing was ` +
            "charged. You may try again whenever you like. We are sorry for the wait.",
        ),
        { kind: "link", label: "Give again", url: `${publicUrl}${paths.donation}` },
        remark(
          `Should you find a charge from us on your statement all the same, please call ${organisation.phone} ` +
            `or write to ${organisation.email}, and we will put it right.`,
        ),
      ],
    }),
    attachments: [],
  };
}

/** Tells staff that a paid donation has no receipt yet, and what to fill in. */
export function receiptWaitingLetter(
  { organisation, publicUrl }: Sender,
  { donationId, reference, gaps }: { donationId: string; reference: string; gaps: readonly string[] },
): Letter {
  return {
    ...idAndSubject(publicUrl, `receipt-waiting-${donationId}`, `A receipt is waiting: donation ${reference}`),
    to: { name: organisation.name, address: organisation.donationsEmail },
    ...layOutLetter(organisation, {
      title: "A receipt is waiting for your details",
      blocks: [
        said(`Donation ${reference} has been paid, but its receipt cannot be issued: these details are missing.`),
        ...gaps.map((gap) => said(`• ${gap}`)),
        said("Please fill them in. The receipts that wait are then issued and sent by themselves."),
      ],
    }),
    attachments: [],
  };
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

/** Tells staff of a payment that only a person can clear up. */
export function paymentNeedsLookLetter(
  { organisation, publicUrl }: Sender,
  { attempt, reason }: { attempt: AttemptFacts; reason: string },
): Letter {
  const key = createHash("sha256").update(reason).digest("hex").slice(0, 12);
  return {
    ...idAndSubject(
      publicUrl,
      `payment-look-${attempt.id}-${key}`,
      `Please look at payment ${attempt.order_reference}`,
    ),
    to: { name: organisation.name, address: organisation.donationsEmail },
    ...layOutLetter(organisation, {
      title: `Payment ${attempt.order_reference} needs a look`,
      blocks: [
        said(`We could not settle this payment by ourselves: ${reason}.`),
        {
          kind: "rows",
          rows: [
            ["Order reference at the provider", attempt.order_reference],
            ["Provider", attempt.provider],
            ["Provider's transaction", attempt.provider_transaction_id ?? "none known"],
            ["Amount", formatDollars(attempt.amount_cents)],
            ["State on our books", attempt.state.replaceAll("_", " ")],
            ["Sent", attempt.sent_at.toISOString()],
          ],
        },
        said("Please compare it with the provider's own list of payments. Never charge the payer again before that."),
      ],
    }),
    attachments: [],
  };
}

export const greeting = (name: string | null) => said(name === null ? "Dear friend," : `Dear ${name},`);

function sums(giving: Giving): Block {
  const { lines, adminFeeCents, merchantFeeCents, refunds, currency } = giving;
  const fees = [
    ["Admin fee", adminFeeCents],
    ["Merchant fee", merchantFeeCents],
  ] as const;
  return {
    kind: "rows",
    rows: [
      ...lines.map(({ title, quantity, lineCents, onBehalfOf }) => {
        const count = quantity > 1 ? ` × ${quantity}` : "";
        const names = onBehalfOf.length > 0 ? ` (on behalf of ${onBehalfOf.join(", ")})` : "";
        return [`${title}${count}${names}`, formatDollars(lineCents)] as const;
      }),
      ...fees.filter(([, cents]) => cents > 0).map(([label, cents]) => [label, formatDollars(cents)] as const),
      ...refunds.map(({ on, cents }) => [`Refunded on ${formatDay(on)}`, `−${formatDollars(cents)}`] as const),
    ],
    total: `${formatDollars(keptCents(giving))} ${currency}`,
  };
}
