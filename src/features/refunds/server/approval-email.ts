import { sql } from "kysely";
import type { PaymentSubject } from "#payments/context.ts";
import { formatDollars } from "#shared/language.ts";
import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { findRequest, listRefunders, subjectOf } from "./request-store.ts";

export type RefundToApproveJob = {
  readonly template: "staff-refund-to-approve";
  readonly requestId: string;
  readonly staffId: number;
};

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    refunds: RefundToApproveJob;
  }
}

/** Asks a member of staff to decide; null once it is decided, or if they may not decide any more. */
export async function writeRefundToApproveEmail(
  { database, sender }: EmailContext,
  { requestId, staffId }: RefundToApproveJob,
): Promise<EmailMessage | null> {
  const request = await findRequest(database, requestId);
  const recipient = (await listRefunders(database)).find(({ id }) => id === staffId);
  if (request === undefined || request.decision !== null || recipient === undefined) return null;
  const of = subjectOf(request);
  const { rows } = await sql<{ reference: string; requester: string }>`
    select reference, (select name from staff where id = ${request.requested_by}) as requester
      from ${sql.table(of.kind === "donation" ? "donations" : "ticket_orders")} where id = ${of.id}`.execute(database);
  const { reference, requester } = rows[0]!;
  return approvalEmail(sender, {
    requestId,
    staffId,
    requester,
    reference,
    kind: of.kind,
    amountCents: request.amount_cents,
    isReversal: request.is_reversal,
    to: { name: recipient.name, address: recipient.email },
  });
}

const refundToApprove = declareEmail({
  name: "staff-refund-to-approve",
  title: "A refund waits for approval",
  when: "To everybody who may make refunds, if a refund, or the reversal of a payment, needs a second person.",
  placeholders: {
    amount: "What would be refunded or reversed.",
    requester: "Who requested it.",
    reference: "The reference of the donation or ticket order.",
  },
  texts: {
    subject: "A refund of {amount} is waiting for your approval: {reference}",
    request: {
      words:
        "{requester} requested a refund of {amount} of donation {reference}. A second person has to approve or decline it: you, or anybody else who may make refunds.",
      when: "For a donation.",
    },
    requestOfOrder: {
      words:
        "{requester} requested a refund of {amount} of ticket order {reference}. A second person has to approve or decline it: you, or anybody else who may make refunds.",
      when: "For a ticket order.",
    },
    nothing: { words: "Nothing has been refunded yet.", when: "For a refund." },
    subjectOfReversal: {
      words: "A reversal of {amount} is waiting for your approval: {reference}",
      when: "As the subject, for a payment that the provider does not have.",
    },
    reversal: {
      words:
        "{requester} asked to reverse the payment of {amount} for {reference}, because the provider does not have it. A second person has to approve or decline it: you, or anybody else who may make refunds.",
      when: "For a payment that the provider does not have.",
    },
    nothingReversed: {
      words: "Nothing has been reversed yet. No money goes back.",
      when: "For a payment that the provider does not have.",
    },
  },
  examples: {
    "A refund of a donation": (sender) =>
      approvalEmail(sender, { ...invented, kind: "donation", reference: "D-EXAMPLE" }),
    "A refund of a ticket order": (sender) =>
      approvalEmail(sender, { ...invented, kind: "ticket_order", reference: "T-EXAMPLE" }),
    "A payment that the provider does not have": (sender) =>
      approvalEmail(sender, { ...invented, kind: "donation", reference: "D-EXAMPLE", isReversal: true }),
  },
});

export const approvalEmails = [refundToApprove] as const;

type ToApprove = {
  readonly requestId: string;
  readonly staffId: number;
  readonly requester: string;
  readonly kind: PaymentSubject["kind"];
  readonly reference: string;
  readonly amountCents: number;
  readonly isReversal: boolean;
  readonly to: EmailMessage["to"];
};

const invented = {
  requestId: "example",
  staffId: 0,
  requester: "Claire Donnelly",
  amountCents: 50_000,
  isReversal: false,
  to: { name: "Priya Nair", address: "priya@example.org" },
} as const;

/** Nothing about the payer, and not the reason, which may name them. */
function approvalEmail(
  sender: Sender,
  { requestId, staffId, requester, kind, reference, amountCents, isReversal, to }: ToApprove,
): EmailMessage {
  const say = fillTexts(refundToApprove, sender, { amount: formatDollars(amountCents), requester, reference });
  const request = kind === "donation" ? say.request : say.requestOfOrder;
  return composeEmail(sender, {
    id: `refund-to-approve-${requestId}-${staffId}`,
    to,
    subject: isReversal ? say.subjectOfReversal : say.subject,
    blocks: [
      paragraph(isReversal ? say.reversal : request),
      { kind: "link", label: "Read the request", url: `${sender.publicUrl}/admin/refunds/${requestId}` },
      paragraph(isReversal ? say.nothingReversed : say.nothing),
    ],
  });
}
