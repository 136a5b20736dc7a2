import { roles as roleTitles } from "#admin/rights.ts";
import { formatList } from "#shared/language.ts";
import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts, type Words } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { type AdministratorRequest, findAdministratorRequest } from "./administrator-requests.ts";
import { selectPeople } from "./change-staff.ts";

/** To every administrator, about a request for a new one. */
export type AdministratorEmail = "staff-administrator-asked" | "staff-administrator-declined";

type AdministratorEmailJob = {
  readonly template: AdministratorEmail;
  readonly requestId: number;
  readonly toId: number;
};

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    staffAdministrators: AdministratorEmailJob;
  }
}

/** Null if the recipient is no longer an administrator, or the email no longer applies. */
export async function writeAdministratorEmail(
  { database, sender }: EmailContext,
  { template, requestId, toId }: AdministratorEmailJob,
): Promise<EmailMessage | null> {
  const [request, to] = await Promise.all([
    findAdministratorRequest(database, requestId),
    selectPeople(database).where("id", "=", toId).where("state", "=", "active").executeTakeFirst(),
  ]);
  if (request === null || !to?.roles.includes("administrator")) return null;
  const isAsking = template === "staff-administrator-asked";
  if (request.decision !== (isAsking ? null : "declined")) return null;
  const recipient = { id: to.id, name: to.name, email: to.email };
  return isAsking ? askedEmail(sender, request, recipient) : declinedEmail(sender, request, recipient);
}

type Recipient = { readonly id: number; readonly name: string; readonly email: string };
type Asked = Pick<AdministratorRequest, "id" | "name" | "email" | "roles" | "requestedBy">;
type Declined = Asked & Pick<AdministratorRequest, "decidedBy" | "decisionReason">;

const invented: Declined = {
  id: 0,
  name: "Bilal Raza",
  email: "bilal@example.org",
  roles: ["administrator"],
  requestedBy: { id: 0, name: "Claire Donnelly" },
  decidedBy: "Priya Nair",
  decisionReason: "He helps with events, for which an editor’s rights are enough.",
};
const inventedRecipient: Recipient = { id: 0, name: "Priya Nair", email: "priya@example.org" };

const surprise = "If this surprises you, talk to another administrator now, or to whoever runs the server.";

const administratorAsked = declareEmail({
  name: "staff-administrator-asked",
  title: "A new administrator is waiting for approval",
  when: "To every administrator, if one of them asks to make somebody an administrator. The roles cannot be edited.",
  placeholders: {
    requester: "Who asks.",
    person: "Who would become an administrator.",
    address: "That person’s email address.",
  },
  texts: {
    subject: "{requester} asks to make {person} an administrator",
    heading: "A new administrator is waiting for approval",
    request: "{requester} asks to make {person} ({address}) an administrator, who may do everything.",
    next: "Another administrator has to approve or decline it. Until then nothing changes.",
    surprise,
  },
  examples: { "A request": (sender) => askedEmail(sender, invented, inventedRecipient) },
});

function askedEmail(sender: Sender, request: Asked, to: Recipient): EmailMessage {
  const { name, email, roles, requestedBy } = request;
  const titles = formatList(
    roles.map((role) => roleTitles[role].name),
    "and",
  );
  const say = fillTexts(administratorAsked, sender, { requester: requestedBy.name, person: name, address: email });
  return composeEmail(sender, {
    id: `staff-administrator-asked-${request.id}-${to.id}`,
    subject: say.subject,
    title: say.heading,
    to: { name: to.name, address: to.email },
    blocks: [
      paragraph(say.request),
      { kind: "rows", rows: [["Their roles would be", titles]] },
      paragraph(say.next),
      ...closing(sender, request, say),
    ],
  });
}

const administratorDeclined = declareEmail({
  name: "staff-administrator-declined",
  title: "A new administrator was declined",
  when: "To every administrator. The reason cannot be edited.",
  placeholders: {
    requester: "Who asked.",
    person: "Who does not become an administrator.",
    decider: "Who declined it.",
  },
  texts: {
    subject: "{person} does not become an administrator",
    heading: "A request was declined",
    declined: "{requester} asked to make {person} an administrator. {decider} declined it:",
    nothing: "Nothing was changed.",
    surprise,
  },
  examples: { "A request": (sender) => declinedEmail(sender, invented, inventedRecipient) },
});

function declinedEmail(sender: Sender, request: Declined, to: Recipient): EmailMessage {
  const { name, requestedBy, decidedBy, decisionReason } = request;
  const values = { requester: requestedBy.name, person: name, decider: decidedBy ?? "A command on the server" };
  const say = fillTexts(administratorDeclined, sender, values);
  return composeEmail(sender, {
    id: `staff-administrator-declined-${request.id}-${to.id}`,
    subject: say.subject,
    title: say.heading,
    to: { name: to.name, address: to.email },
    blocks: [
      paragraph(say.declined),
      paragraph(decisionReason),
      paragraph(say.nothing),
      ...closing(sender, request, say),
    ],
  });
}

const closing = ({ publicUrl }: Sender, { id }: Asked, say: { readonly surprise: Words }) => [
  { kind: "link", label: "See the request", url: `${publicUrl}/admin/staff/requests/${id}` } as const,
  remark(say.surprise),
];

export const administratorEmails = [administratorAsked, administratorDeclined] as const;
