import { type Role, roles } from "#admin/rights.ts";
import type { Database } from "#shared/database/connect.ts";
import { formatList } from "#shared/language.ts";
import { composeEmail, type EmailContext } from "#shared/mail/compose-email.ts";
import { type Block, paragraph, remark } from "#shared/mail/email-layout.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { describeWayIn } from "./way-in-words.ts";

/** Emails about an act. The audit trail says who did what to whom. */
export type PersonEmail =
  /** To the person themselves. */
  | "staff-roles-changed"
  | "staff-account-ended"
  | "staff-way-in-changed"
  /** To every other administrator. */
  | "staff-administrator-added"
  | "staff-reset";

export type PersonEmailJob = { readonly template: PersonEmail; readonly actId: number; readonly toId: number };

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
  const { subject, title, blocks } = write[template](act);
  const place = `the back office of ${sender.organisation.name}`;
  return composeEmail(sender, {
    id: `${template}-${actId}-${toId}`,
    ...{ subject: subject(place), title },
    blocks: [
      ...blocks,
      remark(
        template === "staff-way-in-changed"
          ? "If this was not you, tell an administrator now, or whoever runs the server."
          : "If this surprises you, talk to another administrator now, or to whoever runs the server.",
      ),
      ...(template === "staff-account-ended"
        ? []
        : [{ kind: "link", label: "Open the back office", url: `${sender.publicUrl}/admin` } satisfies Block]),
    ],
    to: { name: to.name, address: to.email },
  });
}

type ToldAct = { readonly verb: string; readonly actor: string; readonly after: unknown; readonly name: string };
type Written = { subject: (place: string) => string; title: string; blocks: readonly Block[] };

const rolesAfter = ({ after }: ToldAct) =>
  formatList(
    ((after as { roles?: Role[] } | null)?.roles ?? []).map((role) => roles[role].name),
    "and",
  );

/** Who asked for a change that another administrator approved. */
const requesterOf = ({ after }: ToldAct): string | null =>
  (after as { requestedBy?: string } | null)?.requestedBy ?? null;

const write: Readonly<Record<PersonEmail, (act: ToldAct) => Written>> = {
  "staff-roles-changed": (act) => ({
    subject: (place) => `Your roles in ${place} have changed`,
    title: "Your roles have changed",
    blocks: [
      paragraph(`${act.actor} changed what you may do. It counts from now on.`),
      { kind: "rows", rows: [["Your roles", rolesAfter(act)]] },
    ],
  }),
  "staff-way-in-changed": ({ verb, after }) => {
    const said = describeWayIn(verb, after as Readonly<Record<string, unknown>> | null);
    return { subject: () => said, title: "A change of how you log in", blocks: [paragraph(`${said}.`)] };
  },
  "staff-account-ended": ({ actor }) => ({
    subject: (place) => `Your account in ${place} has ended`,
    title: "Your account has ended",
    blocks: [
      paragraph(`${actor} ended your account, so you can no longer log in.`),
      paragraph(
        "We have deleted your passkeys, password and codes. Your name stays with what you did. Thank you for it.",
      ),
    ],
  }),
  "staff-administrator-added": (act) => ({
    subject: (place) => `${act.name} is to be an administrator of ${place}`,
    title: "There is a new administrator",
    blocks: [
      paragraph(`${act.actor} made ${act.name} an administrator, who may do everything, such as change roles.`),
      ...(requesterOf(act) === null ? [] : [paragraph(`${requesterOf(act)} had asked for it.`)]),
    ],
  }),
  "staff-reset": ({ actor, name }) => ({
    subject: (place) => `The log-in of ${name} to ${place} was reset`,
    title: `The log-in of ${name} was reset`,
    blocks: [
      paragraph(
        `${actor} removed the passkeys, password and codes of ${name}, ended their sessions, and sent them a new invitation.`,
      ),
    ],
  }),
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
