import { createHash } from "node:crypto";
import type { Attempt } from "#payments/attempts.ts";
import { describeArrival } from "#payments/refunds/arrival.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import { formatDay, formatDollars } from "#shared/language.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import { composeEmail, type Sender } from "#shared/mail/compose-email.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { paths } from "#shared/paths.ts";
import type { DonationRecord } from "./donation-record.ts";
import { keptCents } from "./donation-sums.ts";
import { greeting } from "./emails.ts";
import type { Receipt } from "./receipt.ts";

/** What a donor's refund email needs. `receipt` is the latest, and `link` opens it. */
export type RefundedDonation = {
  readonly refund: Pick<Refund, "id" | "kind" | "amount_cents">;
  readonly record: DonationRecord;
  readonly address: string;
  readonly receipt: Receipt | undefined;
  /** The PDF of `receipt`; null if it is void or missing. */
  readonly pdf: Buffer | null;
  readonly link: DocumentLink;
};

/** Tells a donor what was refunded, when it arrives and which receipt is valid now. */
export function refundEmail(sender: Sender, refunded: RefundedDonation): EmailMessage {
  const { refund, record } = refunded;
  const amount = formatDollars(refund.amount_cents);
  const isAll = refund.amount_cents === record.totalCents;
  const on = formatDay(record.paidOn);
  const [title, text] = isAll
    ? [
        `We have refunded your donation of ${amount}`,
        `We have refunded your donation of ${amount}, which you made on ${on}.`,
      ]
    : [
        `We have refunded ${amount} of your donation`,
        `We have refunded ${amount} of your donation, which you made on ${on}.`,
      ];
  return emailToDonor(sender, refunded, title, [
    paragraph(
      `${text} ${describeArrival({ kind: refund.kind, provider: record.method === "pp" ? "braintree" : "payway" })}`,
    ),
    {
      kind: "rows",
      rows: [
        ["You paid", formatDollars(record.totalCents)],
        ...record.refunds.map(({ on, cents }) => [`Refunded on ${formatDay(on)}`, `−${formatDollars(cents)}`] as const),
        ["Kept", formatDollars(keptCents(record))],
      ],
    },
    ...receiptBlocks(sender, refunded),
  ]);
}

/** Tells a donor that the bank or PayPal took an approved payment back. */
export function reversalEmail(sender: Sender, refunded: RefundedDonation): EmailMessage {
  const { refund, record } = refunded;
  const amount = formatDollars(refund.amount_cents);
  const on = formatDay(record.paidOn);
  const takenBack =
    record.method === "pp"
      ? `PayPal first approved your donation of ${on}, then took the payment back: ${amount} did not reach us.`
      : `The bank first approved your donation of ${on}, then took the payment back: ${amount} did not reach us.`;
  return emailToDonor(sender, refunded, `Your donation of ${amount} did not go through`, [
    paragraph(
      `${takenBack} If your statement shows it as paid, it will be returned to you within a few business days.`,
    ),
    ...receiptBlocks(sender, refunded),
    paragraph("You can donate again whenever you like. We’re sorry for the inconvenience."),
    { kind: "link", label: "Give again", url: `${sender.publicUrl}${paths.donation}` },
  ]);
}

function emailToDonor(
  sender: Sender,
  { refund, record, address, receipt, pdf }: RefundedDonation,
  title: string,
  blocks: readonly Block[],
): EmailMessage {
  const { phone, email } = sender.organisation;
  const filename = `receipt-${receipt?.data.number}.pdf`;
  return composeEmail(sender, {
    id: `refund-${refund.id}`,
    subject: title,
    to: { name: record.donorName ?? "", address },
    replyTo: email,
    blocks: [
      greeting(record.donorName),
      ...blocks,
      remark(`Our reference: ${record.reference}. Questions? Call ${phone} or write to ${email}.`),
    ],
    attachments: pdf === null ? [] : [{ filename, contentType: "application/pdf", content: pdf }],
  });
}

/** What happens to the receipt: void, replaced or still to come. */
function receiptBlocks({ publicUrl }: Sender, { record, receipt, pdf, link }: RefundedDonation): Block[] {
  const isVoid = (number: string) => `Your receipt ${number} is void. Please do not use it for tax.`;
  const kept = formatDollars(keptCents(record));
  const following = `We will email you a new receipt for the ${kept} that we keep.`;
  if (receipt === undefined) return keptCents(record) === 0 ? [] : [paragraph(following)];
  const { data, voided } = receipt;
  if (voided !== null)
    return [paragraph([isVoid(data.number), ...(keptCents(record) === 0 ? [] : [following])].join(" "))];
  const earlier = data.replaces === null ? "" : `${isVoid(data.replaces)} `;
  const attached = pdf === null ? "" : " It is attached, and you can download it here.";
  return [
    paragraph(`${earlier}Receipt ${data.number} is now your receipt, for the ${kept} that we keep.${attached}`),
    { kind: "link", label: "Download your receipt", url: `${publicUrl}${link.path}` },
    remark(`The download link works without logging in until ${link.lastDay}.`),
  ];
}

/** Asks staff to check a refund that we can't settle automatically. */
export function refundNeedsCheckEmail(
  sender: Sender,
  { refund, attempt, receipt, reason }: { refund: Refund; attempt: Attempt; receipt: string | null; reason: string },
): EmailMessage {
  const key = createHash("sha256").update(reason).digest("hex").slice(0, 12);
  const subject = `Please check refund ${refund.order_reference}`;
  return composeEmail(sender, {
    id: `refund-check-${refund.id}-${key}`,
    subject,
    to: { name: sender.organisation.name, address: sender.organisation.donationsEmail },
    title: `Refund ${refund.order_reference} needs checking`,
    blocks: [
      paragraph(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}`.replace(/\.?$/, ".")),
      {
        kind: "rows",
        rows: [
          ["Order reference of the refund", refund.order_reference],
          ["Order reference of the payment", attempt.order_reference],
          ["Provider", attempt.provider],
          ["Provider’s transaction of the payment", attempt.provider_transaction_id ?? "none known"],
          ["Provider’s transaction of the refund", refund.provider_transaction_id ?? "none known"],
          ["Kind", refund.kind],
          ["Amount", `${formatDollars(refund.amount_cents)} of ${formatDollars(attempt.amount_cents)}`],
          ["Status in our records", refund.state],
          ["Receipt", receipt ?? "none issued"],
          ["Since", refund.created_at.toISOString()],
        ],
      },
      paragraph("Compare it with the provider’s own list of payments before anyone refunds it again."),
    ],
  });
}
