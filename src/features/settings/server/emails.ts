import { sql } from "kysely";
import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { describeOrganisationChanges } from "../organisation-changes.ts";
import { type OrganisationGroup, organisationGroups } from "../organisation-fields.ts";

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
  return changedEmail(sender, {
    ...{ id: `organisation-changed-${actId}-${toId}`, to: { name: to.name, address: to.email } },
    ...{ group, actor: act.actor, changes: describeOrganisationChanges(act.before, act.after) },
  });
}

const organisationChanged = declareEmail({
  name: "organisation-changed",
  title: "Legal name, ABN or bank accounts changed",
  when: "To every administrator. What was changed cannot be edited.",
  placeholders: { actor: "Who changed it.", group: "What was changed, such as ‘Bank accounts’." },
  texts: {
    subject: "{group} of {organisation}: changed by {actor}",
    heading: "{group}: changed",
    changed: "{actor} changed this in the back office. Visitors, donors and new receipts see it now.",
    surprise: "If this surprises you, talk to another administrator now, or to whoever runs the server.",
  },
  examples: {
    "Bank accounts": (sender) =>
      changedEmail(sender, {
        ...{ id: "example", to: { name: "Priya Nair", address: "priya@example.org" }, actor: "Claire Donnelly" },
        group: organisationGroups.find(({ name }) => name === "banks")!,
        changes: [{ label: "Bank accounts", before: "Bank, account 0000 0000", after: "Bank, account 1234 5678" }],
      }),
  },
});

export const settingsEmails = [organisationChanged] as const;

type Changed = {
  readonly id: string;
  readonly to: EmailMessage["to"];
  readonly group: OrganisationGroup;
  readonly actor: string;
  readonly changes: ReturnType<typeof describeOrganisationChanges>;
};

function changedEmail(sender: Sender, { id, to, group, actor, changes }: Changed): EmailMessage {
  const say = fillTexts(organisationChanged, sender, { actor, group: group.title });
  return composeEmail(sender, {
    ...{ id, to, subject: say.subject, title: say.heading },
    blocks: [
      paragraph(say.changed),
      ...changes.map(({ label, before, after }) =>
        paragraph(`${label}\nBefore: ${before || "nothing"}\nNow: ${after || "nothing"}`),
      ),
      {
        kind: "link",
        label: "See the details",
        url: `${sender.publicUrl}/admin/settings/organisation/${group.name}`,
      },
      remark(say.surprise),
    ],
  });
}
