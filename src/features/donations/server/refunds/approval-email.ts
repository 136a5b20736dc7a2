import { formatDollars } from "#shared/language.ts";
import { composeEmail, type EmailContext } from "#shared/mail/compose-email.ts";
import { paragraph } from "#shared/mail/email-layout.ts";
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
  const amount = formatDollars(request.amount_cents);
  // Nothing about the donor, and not the reason, which may name them.
  return composeEmail(sender, {
    id: `refund-to-approve-${requestId}-${staffId}`,
    subject: `A refund of ${amount} waits for you`,
    to: { name: recipient.name, address: recipient.email },
    blocks: [
      paragraph(
        `${requester} requested a refund of ${amount} of donation ${reference}. A second person has to approve or decline it: you, or anybody else who may make refunds.`,
      ),
      { kind: "link", label: "Read the request", url: `${sender.publicUrl}/admin/refunds/${requestId}` },
      paragraph("Nothing has been refunded yet."),
    ],
  });
}
