import { listStaffWith } from "#admin/two-people.ts";
import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { callOffRule, findCallOffToApprove } from "../call-off/call-off-requests.ts";

export type CallOffToApproveJob = {
  readonly template: "staff-call-off-to-approve";
  readonly callOffId: string;
  readonly staffId: number;
};

/** Asks a member of staff to decide; null once it is decided, or if they may not decide any more. */
export async function writeCallOffToApproveEmail(
  { database, sender }: EmailContext,
  { callOffId, staffId }: CallOffToApproveJob,
): Promise<EmailMessage | null> {
  const request = await findCallOffToApprove(database, callOffId);
  const recipient = (await listStaffWith(database, callOffRule.decides)).find(({ id }) => id === staffId);
  if (request === undefined || recipient === undefined) return null;
  return approvalEmail(sender, {
    ...request,
    id: `call-off-to-approve-${callOffId}-${staffId}`,
    to: { name: recipient.name, address: recipient.email },
  });
}

const callOffToApprove = declareEmail({
  name: "staff-call-off-to-approve",
  title: "Calling off an event waits for approval",
  when: "To everybody who may make refunds, if somebody asks to call off an event.",
  placeholders: { event: "The title of the event.", requester: "Who asked to call it off." },
  texts: {
    subject: "Calling off {event} is waiting for your approval",
    request:
      "{requester} asked to call off {event}. Everybody who bought tickets would get their money back. A second person has to approve or decline it: you, or anybody else who may make refunds.",
    nothing: "Its tickets are not on sale until this is decided. Nothing has been cancelled or refunded yet.",
  },
  examples: {
    "An event": (sender) =>
      approvalEmail(sender, {
        id: "call-off-to-approve-example",
        event: "Charity dinner",
        requester: "Claire Donnelly",
        screenId: 0,
        to: { name: "Priya Nair", address: "priya@example.org" },
      }),
  },
});

export const callOffApprovalEmails = [callOffToApprove] as const;

type ToApprove = {
  readonly id: string;
  readonly event: string;
  readonly requester: string;
  readonly screenId: number;
  readonly to: EmailMessage["to"];
};

function approvalEmail(sender: Sender, { id, event, requester, screenId, to }: ToApprove): EmailMessage {
  const say = fillTexts(callOffToApprove, sender, { event, requester });
  return composeEmail(sender, {
    id,
    subject: say.subject,
    to,
    blocks: [
      paragraph(say.request),
      { kind: "link", label: "Read the request", url: `${sender.publicUrl}/admin/events/${screenId}/call-off` },
      paragraph(say.nothing),
    ],
  });
}
