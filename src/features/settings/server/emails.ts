import { sql } from "kysely";
import { composeEmail, type EmailContext } from "#shared/mail/compose-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { describeOrganisationChanges } from "../organisation-changes.ts";
import { organisationGroups } from "../organisation-fields.ts";

/** To every administrator, about a change of the legal name, the ABN or the bank accounts. */
export type SettingsEmailJob = {
  readonly template: "organisation-changed";
  readonly actId: number;
  readonly toId: number;
};

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    settings: SettingsEmailJob;
  }
}

/** Null if the recipient is no administrator any more. */
export async function writeSettingsEmail(
  { database, sender }: EmailContext,
  { actId, toId }: SettingsEmailJob,
): Promise<EmailMessage | null> {
  const [act, to] = await Promise.all([
    database
      .selectFrom("audit_trail")
      .select(["actor", "subject_id", "before", "after"])
      .where("id", "=", actId)
      .executeTakeFirst(),
    database
      .selectFrom("staff")
      .select(["email", "name"])
      .where("id", "=", toId)
      .where("state", "=", "active")
      .where(sql<boolean>`'administrator' = any(roles)`)
      .executeTakeFirst(),
  ]);
  const group = organisationGroups.find(({ name }) => name === act?.subject_id);
  if (act === undefined || to === undefined || group === undefined) return null;
  const changes = describeOrganisationChanges(act.before, act.after);
  return composeEmail(sender, {
    id: `organisation-changed-${actId}-${toId}`,
    subject: `${group.title} of ${sender.organisation.name}: changed by ${act.actor}`,
    title: `${group.title}: changed`,
    to: { name: to.name, address: to.email },
    blocks: [
      paragraph(`${act.actor} changed this in the back office. Visitors, donors and new receipts see it now.`),
      ...changes.flatMap(({ label, before, after }) => [
        paragraph(`${label}\nBefore: ${before || "nothing"}\nNow: ${after || "nothing"}`),
      ]),
      {
        kind: "link",
        label: "See the details",
        url: `${sender.publicUrl}/admin/settings/organisation/${group.name}`,
      },
      remark("If this surprises you, talk to another administrator now, or to whoever runs the server."),
    ],
  });
}
