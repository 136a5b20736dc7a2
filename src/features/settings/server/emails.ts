import { listStaffWith } from "#admin/two-people.ts";
import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { describeOrganisationChanges } from "../organisation-changes.ts";
import { banksGroup, type OrganisationGroup, organisationGroups } from "../organisation-fields.ts";
import { bankAccountRule } from "./bank-account-requests.ts";

/** To every administrator: the legal name, the ABN or the bank accounts changed, or new accounts wait for approval. */
export type SettingsEmailJob = {
  readonly template: "organisation-changed" | "bank-accounts-asked";
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
  { template, actId, toId }: SettingsEmailJob,
): Promise<EmailMessage | null> {
  const [act, people] = await Promise.all([
    database
      .selectFrom("audit_trail")
      .select(["actor", "subject_id", "before", "after"])
      .where("id", "=", actId)
      .executeTakeFirst(),
    listStaffWith(database, bankAccountRule.decides),
  ]);
  const to = people.find(({ id }) => id === toId);
  if (act === undefined || to === undefined) return null;
  const about = {
    id: `${template}-${actId}-${toId}`,
    to: { name: to.name, address: to.email },
    actor: act.actor,
    changes: describeOrganisationChanges(act.before, act.after),
  };
  if (template === "bank-accounts-asked") return askedEmail(sender, { ...about, requestId: act.subject_id });
  const group = organisationGroups.find(({ name }) => name === act.subject_id);
  return group === undefined ? null : changedEmail(sender, { ...about, group });
}

const exampleChanges = [
  { label: "Bank accounts", before: "Bank, account 0000 0000", after: "Bank, account 1234 5678" },
];

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
        id: "example",
        to: { name: "Priya Nair", address: "priya@example.org" },
        actor: "Claire Donnelly",
        group: banksGroup,
        changes: exampleChanges,
      }),
  },
});

const bankAccountsAsked = declareEmail({
  name: "bank-accounts-asked",
  title: "New bank accounts are waiting for approval",
  when: "To every administrator, when one of them asks to change the bank accounts that donors see.",
  placeholders: { actor: "Who asked." },
  texts: {
    subject: "{organisation}: {actor} asks to change the bank accounts",
    heading: "New bank accounts are waiting for approval",
    asked:
      "{actor} asks to change the bank accounts that donors see. Another administrator has to approve or decline it.",
    surprise: "Telephone {actor} before you approve it. If this surprises you, decline it, and tell the others.",
  },
  examples: {
    "Another account number": (sender) =>
      askedEmail(sender, {
        id: "example",
        to: { name: "Priya Nair", address: "priya@example.org" },
        actor: "Claire Donnelly",
        requestId: "1",
        changes: exampleChanges,
      }),
  },
});

export const settingsEmails = [organisationChanged, bankAccountsAsked] as const;

type About = {
  readonly id: string;
  readonly to: EmailMessage["to"];
  readonly actor: string;
  readonly changes: ReturnType<typeof describeOrganisationChanges>;
};
type Changed = About & { readonly group: OrganisationGroup };

function askedEmail(
  sender: Sender,
  { id, to, actor, changes, requestId }: About & { readonly requestId: string },
): EmailMessage {
  const say = fillTexts(bankAccountsAsked, sender, { actor });
  return composeEmail(sender, {
    id,
    to,
    subject: say.subject,
    title: say.heading,
    blocks: [
      paragraph(say.asked),
      ...changes.map(({ before, after }) => paragraph(`Now: ${before || "nothing"}\nAsked for: ${after || "nothing"}`)),
      {
        kind: "link",
        label: "Approve or decline",
        url: `${sender.publicUrl}/admin/settings/organisation/requests/${requestId}`,
      },
      remark(say.surprise),
    ],
  });
}

function changedEmail(sender: Sender, { id, to, group, actor, changes }: Changed): EmailMessage {
  const say = fillTexts(organisationChanged, sender, { actor, group: group.title });
  return composeEmail(sender, {
    id,
    to,
    subject: say.subject,
    title: say.heading,
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
