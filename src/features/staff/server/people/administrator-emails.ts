import { roles as roleTitles } from "#admin/rights.ts";
import { formatList } from "#shared/language.ts";
import { composeEmail, type EmailContext } from "#shared/mail/compose-email.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { type AdministratorRequest, findAdministratorRequest } from "./administrator-requests.ts";
import { selectPeople } from "./change-staff.ts";

/** To every administrator, about a request for a new one. */
export type AdministratorEmail = "staff-administrator-asked" | "staff-administrator-declined";

export type AdministratorEmailJob = {
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
  const { blocks, ...content } = isAsking ? asked(request) : declined(request);
  return composeEmail(sender, {
    id: `${template}-${requestId}-${toId}`,
    ...content,
    to: { name: to.name, address: to.email },
    blocks: [
      ...blocks,
      { kind: "link", label: "See the request", url: `${sender.publicUrl}/admin/staff/requests/${requestId}` },
      remark("If this surprises you, talk to another administrator now, or to whoever runs the server."),
    ],
  });
}

type Content = { readonly subject: string; readonly title: string; readonly blocks: readonly Block[] };

function asked({ name, email, roles, requestedBy }: AdministratorRequest): Content {
  const titles = formatList(
    roles.map((role) => roleTitles[role].name),
    "and",
  );
  return {
    subject: `${requestedBy.name} asks to make ${name} an administrator`,
    title: "A new administrator waits for approval",
    blocks: [
      paragraph(`${requestedBy.name} asks to make ${name} (${email}) an administrator, who may do everything.`),
      { kind: "rows", rows: [["Their roles would be", titles]] },
      paragraph("Another administrator has to approve or decline it. Until then nothing changes."),
    ],
  };
}

function declined({ name, requestedBy, decidedBy, decisionReason }: AdministratorRequest): Content {
  return {
    subject: `${name} does not become an administrator`,
    title: "A request was declined",
    blocks: [
      paragraph(`${requestedBy.name} asked to make ${name} an administrator. ${decidedBy} declined it:`),
      paragraph(decisionReason),
      paragraph("Nothing was changed."),
    ],
  };
}
