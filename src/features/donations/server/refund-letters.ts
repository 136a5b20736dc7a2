import { createHash } from "node:crypto";
import type { Attempt } from "#payments/attempts.ts";
import { sayArrival } from "#payments/refunds/arrival.ts";
import type { Refund } from "#payments/refunds/refund-store.ts";
import type { DocumentLink } from "#shared/links/document-links.ts";
import { idAndSubject, type Sender } from "#shared/mail/letter-heading.ts";
import { type Block, layOutLetter, remark, said } from "#shared/mail/letter-layout.ts";
import type { Letter } from "#shared/mail/mail.ts";
import { formatDollars } from "#shared/money.ts";
import { paths } from "#shared/paths.ts";
import { formatDay } from "#shared/sydney.ts";
import { type Giving, keptCents } from "./giving.ts";
import { greeting } from "./letters.ts";
import type { Receipt } from "./receipt.ts";

/** A donor's refund as its letter tells it. `receipt` is the latest, `link` leads to it. */
export type RefundedDonation = {
  readonly refund: Pick<Refund, "id" | "kind" | "amount_cents">;
  readonly giving: Giving;
  readonly address: string;
  readonly receipt: Receipt | undefined;
  /** The paper of a receipt that counts. */
  readonly pdf: Buffer | null;
  readonly link: DocumentLink;
};

/** Tells a donor what went back, when it arrives, and which paper counts now. */
export function refundLetter(sender: Sender, refunded: RefundedDonation): Letter {
  const { refund, giving } = refunded;
  const amount = formatDollars(refund.amount_cents);
  const isAll = refund.amount_cents === giving.totalCents;
  const title = isAll ? `We have refunded your donation of ${amount}` : `We have refunded ${amount} of your donation`;
  return letterToDonor(sender, refunded, title, [
    said(
      `${title}, which you made on ${formatDay(giving.paidOn)}. ${sayArrival({ kind: refund.kind, provider: giving.method === "PayPal" ? "braintree" : "payway" })}`,
    ),
    {
      kind: "rows",
      rows: [
        ["You paid", formatDollars(giving.totalCents)],
        ...giving.refunds.map(({ on, cents }) => [`Refunded on ${formatDay(on)}`, `−${formatDollars(cents)}`] as const),
        ["Kept", formatDollars(keptCents(giving))],
      ],
    },
    ...paperBlocks(sender, refunded),
  ]);
}

/** Tells a donor that a payment which had been approved was taken back, and nobody here did so. */
export function reversalLetter(sender: Sender, refunded: RefundedDonation): Letter {
  const { refund, giving } = refunded;
  const amount = formatDollars(refund.amount_cents);
  const payer = giving.method === "PayPal" ? "PayPal" : "The bank";
  return letterToDonor(sender, refunded, `Your donation of ${amount} did not come through`, [
    said(
      `${payer} approved your donation of ${formatDay(giving.paidOn)} at first, and then took the payment back: ` +
        `${amount} did not reach us. Should your statement show it as paid, it is returned to you within a few business days.`,
    ),
    ...paperBlocks(sender, refunded),
    said("You may give again whenever you like. We are sorry for the trouble."),
    { kind: "link", label: "Give again", url: `${sender.publicUrl}${paths.donation}` },
  ]);
}

function letterToDonor(
  { organisation, publicUrl }: Sender,
  { refund, giving, address, receipt, pdf }: RefundedDonation,
  title: string,
  blocks: readonly Block[],
): Letter {
  const { phone, email } = organisation;
  const filename = `receipt-${receipt?.data.number}.pdf`;
  return {
    ...idAndSubject(publicUrl, `refund-${refund.id}`, title),
    to: { name: giving.donorName ?? "", address },
    replyTo: email,
    ...layOutLetter(organisation, {
      title,
      blocks: [
        greeting(giving.donorName),
        ...blocks,
        remark(`Our reference: ${giving.reference}. Questions? Call ${phone} or write to ${email}.`),
      ],
    }),
    attachments: pdf === null ? [] : [{ filename, contentType: "application/pdf", content: pdf }],
  };
}

/** What becomes of the receipt: void, replaced, or still to come. */
function paperBlocks({ publicUrl }: Sender, { giving, receipt, pdf, link }: RefundedDonation): Block[] {
  const isVoid = (number: string) => `Your receipt ${number} is void: please do not use it for tax.`;
  const kept = formatDollars(keptCents(giving));
  const following = `A new receipt that says what we keep, ${kept}, follows by email.`;
  if (receipt === undefined) return keptCents(giving) === 0 ? [] : [said(following)];
  const { data, voided } = receipt;
  if (voided !== null) return [said([isVoid(data.number), ...(keptCents(giving) === 0 ? [] : [following])].join(" "))];
  const earlier = data.replaces === null ? "" : `${isVoid(data.replaces)} `;
  const attached = pdf === null ? "" : " It is attached, and you can download it here.";
  return [
    said(`${earlier}Receipt ${data.number} counts instead, for the ${kept} that we keep.${attached}`),
    { kind: "link", label: "Download your receipt", url: `${publicUrl}${link.path}` },
    remark(`The download link works without logging in until ${link.lastDay}.`),
  ];
}

/** Tells staff of a refund that only a person can clear up. */
export function refundNeedsLookLetter(
  { organisation, publicUrl }: Sender,
  { refund, attempt, receipt, reason }: { refund: Refund; attempt: Attempt; receipt: string | null; reason: string },
): Letter {
  const key = createHash("sha256").update(reason).digest("hex").slice(0, 12);
  const subject = `Please look at refund ${refund.order_reference}`;
  return {
    ...idAndSubject(publicUrl, `refund-look-${refund.id}-${key}`, subject),
    to: { name: organisation.name, address: organisation.donationsEmail },
    ...layOutLetter(organisation, {
      title: `Refund ${refund.order_reference} needs a look`,
      blocks: [
        said(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}`.replace(/\.?$/, ".")),
        {
          kind: "rows",
          rows: [
            ["Order reference of the refund", refund.order_reference],
            ["Order reference of the payment", attempt.order_reference],
            ["Provider", attempt.provider],
            ["Provider's transaction of the payment", attempt.provider_transaction_id ?? "none known"],
            ["Provider's transaction of the refund", refund.provider_transaction_id ?? "none known"],
            ["What it is", refund.kind],
            ["Amount", `${formatDollars(refund.amount_cents)} of ${formatDollars(attempt.amount_cents)}`],
            ["State on our books", refund.state],
            ["Receipt", receipt ?? "none issued"],
            ["Since", refund.created_at.toISOString()],
          ],
        },
        said("Please compare it with the provider's own list of payments before you give any money back once more."),
      ],
    }),
    attachments: [],
  };
}
