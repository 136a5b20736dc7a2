import { type Role, roles } from "#admin/rights.ts";
import type { Database } from "#shared/database/connect.ts";
import { formatList } from "#shared/language.ts";
import { composeEmail, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts, type Words } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { describeAccountChange } from "./account-change-words.ts";

/** Emails about an act. The audit trail says who did what to whom. */
export type PersonEmail =
  /** To the person themselves. */
  | "staff-roles-changed"
  | "staff-account-ended"
  | "staff-way-in-changed"
  /** To every other administrator. */
  | "staff-administrator-added"
  | "staff-reset";

type PersonEmailJob = { readonly template: PersonEmail; readonly actId: number; readonly toId: number };

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    staffPeople: PersonEmailJob;
  }
}

/** Null if the recipient no longer works here, except for the email that says so. */
export async function writePersonEmail(
  { database, sender }: EmailContext,
  { template, actId, toId }: PersonEmailJob,
): Promise<EmailMessage | null> {
  const [act, to] = await Promise.all([findAct(database, actId), findRecipient(database, toId)]);
  if (act === undefined || to === undefined) return null;
  if (to.state === "ended" && template !== "staff-account-ended") return null;
  return personEmail(sender, { id: `${template}-${actId}-${toId}`, template, act, to });
}

type ToldAct = { readonly verb: string; readonly actor: string; readonly after: unknown; readonly name: string };

type PersonEmailFacts = {
  readonly id: string;
  readonly template: PersonEmail;
  readonly act: ToldAct;
  readonly to: { readonly name: string; readonly email: string };
};

function personEmail(sender: Sender, { id, template, act, to }: PersonEmailFacts): EmailMessage {
  const { subject, heading, blocks, surprise } = write[template](sender, act);
  return composeEmail(sender, {
    id,
    subject,
    title: heading,
    to: { name: to.name, address: to.email },
    blocks: [
      ...blocks,
      remark(surprise),
      ...(template === "staff-account-ended"
        ? []
        : [{ kind: "link", label: "Open the back office", url: `${sender.publicUrl}/admin` } satisfies Block]),
    ],
  });
}

/** The email about an invented act, for its preview. */
const example =
  (template: PersonEmail, act: Partial<ToldAct> = {}) =>
  (sender: Sender) =>
    personEmail(sender, {
      id: "example",
      template,
      to: { name: "Bilal Raza", email: "bilal@example.org" },
      act: { verb: "", actor: "Priya Nair", name: "Claire Donnelly", after: { roles: ["editor"] }, ...act },
    });

const rolesAfter = ({ after }: ToldAct) =>
  formatList(
    ((after as { roles?: Role[] } | null)?.roles ?? []).map((role) => roles[role].name),
    "and",
  );

/** Who asked for a change that another administrator approved. */
const requesterOf = ({ after }: ToldAct): string | null =>
  (after as { requestedBy?: string } | null)?.requestedBy ?? null;

const surprise = "If this surprises you, talk to another administrator now, or to whoever runs the server.";

const rolesChanged = declareEmail({
  name: "staff-roles-changed",
  title: "Roles changed",
  when: "To a member of staff whose roles were changed. The roles cannot be edited.",
  placeholders: { actor: "Who changed them." },
  texts: {
    subject: "Your roles in the back office of {organisation} have changed",
    heading: "Your roles have changed",
    news: "{actor} changed what you may do. It counts from now on.",
    surprise,
  },
  examples: { "A content editor": example("staff-roles-changed") },
});

const logInChanged = declareEmail({
  name: "staff-way-in-changed",
  title: "A change of how somebody logs in",
  when: "To a member of staff, when a passkey, password or code of theirs was added or removed.",
  placeholders: { change: "What was done, as a sentence without a full stop." },
  texts: {
    subject: "{change}",
    heading: "A change of how you log in",
    news: "{change}.",
    surprise: "If this was not you, tell an administrator now, or whoever runs the server.",
  },
  examples: { "A passkey": example("staff-way-in-changed", { verb: "staff-passkey.add" }) },
});

const accountEnded = declareEmail({
  name: "staff-account-ended",
  title: "Account ended",
  when: "To a member of staff whose account was ended.",
  placeholders: { actor: "Who ended it." },
  texts: {
    subject: "Your account in the back office of {organisation} has ended",
    heading: "Your account has ended",
    news: "{actor} ended your account, so you can no longer log in.",
    deleted: "We have deleted your passkeys, password and codes. Your name stays with what you did. Thank you for it.",
    surprise,
  },
  examples: { "An account": example("staff-account-ended") },
});

const administratorAdded = declareEmail({
  name: "staff-administrator-added",
  title: "A new administrator",
  when: "To every other administrator.",
  placeholders: {
    actor: "Who made the person an administrator.",
    person: "The new administrator.",
    requester: { about: "Who had asked for it.", isLocal: true },
  },
  texts: {
    subject: "{actor} made {person} an administrator",
    heading: "There is a new administrator",
    news: "{actor} made {person} an administrator, who may do everything, such as change roles.",
    requested: { words: "{requester} had asked for it.", when: "If another administrator asked for it." },
    surprise,
  },
  examples: {
    "Asked for by another administrator": example("staff-administrator-added", {
      after: { roles: ["administrator"], requestedBy: "Hana Sato" },
    }),
  },
});

const logInReset = declareEmail({
  name: "staff-reset",
  title: "A log-in was reset",
  when: "To every other administrator.",
  placeholders: { actor: "Who reset it.", person: "Whose log-in it is." },
  texts: {
    subject: "{actor} reset the back-office log-in of {person}",
    heading: "The log-in of {person} was reset",
    news: "{actor} removed the passkeys, password and codes of {person}, ended their sessions, and sent them a new invitation.",
    surprise,
  },
  examples: { "A log-in": example("staff-reset") },
});

export const personEmails = [rolesChanged, logInChanged, accountEnded, administratorAdded, logInReset] as const;

type Written = Readonly<Record<"subject" | "heading" | "surprise", Words>> & { readonly blocks: readonly Block[] };

const write: Readonly<Record<PersonEmail, (sender: Sender, act: ToldAct) => Written>> = {
  "staff-roles-changed": (sender, act) => {
    const say = fillTexts(rolesChanged, sender, { actor: act.actor });
    return { ...say, blocks: [paragraph(say.news), { kind: "rows", rows: [["Your roles", rolesAfter(act)]] }] };
  },
  "staff-way-in-changed": (sender, { verb, after }) => {
    const change = describeAccountChange(verb, after as Readonly<Record<string, unknown>> | null);
    const say = fillTexts(logInChanged, sender, { change });
    return { ...say, blocks: [paragraph(say.news)] };
  },
  "staff-account-ended": (sender, { actor }) => {
    const say = fillTexts(accountEnded, sender, { actor });
    return { ...say, blocks: [paragraph(say.news), paragraph(say.deleted)] };
  },
  "staff-administrator-added": (sender, act) => {
    const requester = requesterOf(act);
    const values = { actor: act.actor, person: act.name, requester: requester ?? "" };
    const say = fillTexts(administratorAdded, sender, values);
    return { ...say, blocks: [paragraph(say.news), ...(requester === null ? [] : [paragraph(say.requested)])] };
  },
  "staff-reset": (sender, { actor, name }) => {
    const say = fillTexts(logInReset, sender, { actor, person: name });
    return { ...say, blocks: [paragraph(say.news)] };
  },
};

async function findAct(database: Database, id: number): Promise<ToldAct | undefined> {
  return database
    .selectFrom("audit_trail")
    .innerJoin("staff", (join) => join.on((on) => on(on.cast(on.ref("staff.id"), "text"), "=", on.ref("subject_id"))))
    .where("audit_trail.id", "=", id)
    .select(["verb", "actor", "after", "staff.name"])
    .executeTakeFirst();
}

function findRecipient(database: Database, id: number) {
  return database.selectFrom("staff").select(["email", "name", "state"]).where("id", "=", id).executeTakeFirst();
}
