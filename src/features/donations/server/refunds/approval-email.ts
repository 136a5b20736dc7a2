import { formatDollars } from "#shared/language.ts";
import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { findRequest, listRefunders } from "./request-store.ts";

/** Asks a member of staff to decide; null once it is decided, or if they may not decide any more. */
export async function writeRefundToApproveEmail(
  { database, sender }: EmailContext,
  { requestId, staffId }: { requestId: string; staffId: number },
): Promise<EmailMessage | null> {
  const request = await findRequest(database, requestId);
  const recipient = (await listRefunders(database)).find(({ id }) => id === staffId);
  if (request === undefined || request.decision !== null || recipient === undefined) return null;
  const { reference, requester } = await database
    .selectFrom("donations")
    .select(["reference"])
    .select(({ selectFrom }) =>
      selectFrom("staff").select("name").where("id", "=", request.requested_by).$asScalar().$notNull().as("requester"),
    )
    .where("donations.id", "=", request.donation_id)
    .executeTakeFirstOrThrow();
  return approvalEmail(sender, {
    ...{ requestId, staffId, requester, reference, amountCents: request.amount_cents },
    to: { name: recipient.name, address: recipient.email },
  });
}

const refundToApprove = declareEmail({
  name: "staff-refund-to-approve",
  title: "A refund waits for approval",
  when: "To everybody who may make refunds, if a refund needs a second person.",
  placeholders: {
    ...{
      amount: "What would be refunded.",
      requester: "Who requested it.",
      reference: "The reference of the donation.",
    },
  },
  texts: {
    subject: "A refund of {amount} waits for you",
    request:
      "{requester} requested a refund of {amount} of donation {reference}. A second person has to approve or decline it: you, or anybody else who may make refunds.",
    nothing: "Nothing has been refunded yet.",
  },
  examples: {
    "A refund": (sender) =>
      approvalEmail(sender, {
        ...{ requestId: "example", staffId: 0, requester: "Claire Donnelly", reference: "D-EXAMPLE" },
        ...{ amountCents: 50_000, to: { name: "Priya Nair", address: "priya@example.org" } },
      }),
  },
});

export const approvalEmails = [refundToApprove] as const;

type ToApprove = {
  readonly requestId: string;
  readonly staffId: number;
  readonly requester: string;
  readonly reference: string;
  readonly amountCents: number;
  readonly to: EmailMessage["to"];
};

/** Nothing about the donor, and not the reason, which may name them. */
function approvalEmail(
  sender: Sender,
  { requestId, staffId, requester, reference, amountCents, to }: ToApprove,
): EmailMessage {
  const say = fillTexts(refundToApprove, sender, { amount: formatDollars(amountCents), requester, reference });
  return composeEmail(sender, {
    ...{ id: `refund-to-approve-${requestId}-${staffId}`, subject: say.subject, to },
    blocks: [
      paragraph(say.request),
      { kind: "link", label: "Read the request", url: `${sender.publicUrl}/admin/refunds/${requestId}` },
      paragraph(say.nothing),
    ],
  });
}
