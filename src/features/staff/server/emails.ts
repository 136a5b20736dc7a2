import type { Config } from "#shared/config/config.ts";
import { formatMoment, fullMoment, plural } from "#shared/language.ts";
import { composeEmail, type EmailContent, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { emailedToken, findInvitation, type Invitation } from "./invitations.ts";
import { findLogInCode } from "./log-in-codes.ts";

/** `emailId` identifies this email. */
export type StaffEmailJob = { readonly emailId: string; readonly staffId: number } & (
  | { readonly template: "staff-invitation" }
  /** `recipientId`: who is told, which may be an administrator. */
  | { readonly template: "staff-passkey-blocked"; readonly recipientId: number }
  | { readonly template: "staff-recovery-code-used" }
  | { readonly template: "staff-log-in-code" }
  | { readonly template: "staff-wrong-tries" }
);

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    staff: StaffEmailJob;
  }
}

type StaffEmailContext = EmailContext<Pick<Config, "secretKey">> & { readonly now: () => Date };

/** Writes the email of one job; null if the link no longer works, or the person's account has ended. */
export async function writeStaffEmail(
  { database, sender, config: { secretKey }, now }: StaffEmailContext,
  job: StaffEmailJob,
): Promise<EmailMessage | null> {
  if (job.template === "staff-invitation") {
    const token = emailedToken(secretKey, job.staffId, job.emailId);
    const invitation = await findInvitation(database, token, now());
    if (invitation?.state !== "open") return null;
    return emailOf(sender, invitation.email, job.emailId, invitationContent(sender, invitation, token));
  }
  const find = (id: number) =>
    database
      .selectFrom("staff")
      .select(["id", "email", "name"])
      .where("id", "=", id)
      .where("state", "!=", "ended")
      .executeTakeFirst();
  const person = await find(job.staffId);
  if (person === undefined) return null;
  if (job.template === "staff-passkey-blocked") {
    const recipient = await find(job.recipientId);
    if (recipient === undefined) return null;
    const isOwn = recipient.id === person.id;
    return emailOf(sender, recipient.email, job.emailId, isOwn ? ownBlocked(sender) : otherBlocked(sender, person));
  }
  if (job.template === "staff-wrong-tries") return emailOf(sender, person.email, job.emailId, triesContent(sender));
  if (job.template === "staff-log-in-code") {
    const code = await findLogInCode(database, secretKey, job, now());
    return code === null ? null : emailOf(sender, person.email, job.emailId, codeContent(sender, code));
  }
  const { left } = await database
    .selectFrom("staff_recovery_codes")
    .select(({ fn }) => fn.countAll<number>().as("left"))
    .where("staff_id", "=", person.id)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return emailOf(sender, person.email, job.emailId, recoveryContent(sender, Number(left)));
}

function emailOf(sender: Sender, address: string, emailId: string, content: EmailContent): EmailMessage {
  const to = { name: "", address };
  return composeEmail(sender, { ...content, id: `${content.id}-${emailId}`, to, replyTo: sender.organisation.email });
}

const moment = { ...fullMoment, timeZone: "Australia/Sydney" } as const;
const inventedDay = new Date("2026-11-24T01:00:00Z");

/** The email with this content, for its preview. */
const example = (content: (sender: Sender) => EmailContent) => (sender: Sender) =>
  emailOf(sender, "bilal@example.org", "example", content(sender));

const invitation = declareEmail({
  name: "staff-invitation",
  title: "Invitation to the back office",
  when: "To somebody whom an administrator invites, or whose log-in is reset. The link itself cannot be edited.",
  placeholders: { until: "Until when the link works, in Sydney time." },
  texts: {
    subject: { words: "Your invitation to {organisation}’s back office", when: "For an invitation." },
    heading: { words: "You are invited", when: "For an invitation." },
    invited: {
      words: "You are invited to the back office of {organisation}, where donations and refunds are looked after.",
      when: "For an invitation.",
    },
    subjectReset: { words: "Set up your log-in to {organisation} again", when: "If the log-in was reset." },
    headingReset: { words: "Set up your log-in again", when: "If the log-in was reset." },
    reset: {
      words:
        "An administrator has reset your log-in to the back office. Your earlier passkeys, password and recovery codes no longer work.",
      when: "If the log-in was reset.",
    },
    open: "Open this link on the device that you work with. There you set up a passkey, which takes a minute.",
    rules: "The link works once, until {until} (Sydney time). Do not pass it on: it lets in whoever opens it.",
    surprise: "If you did not expect this, tell us: {phone}, {email}.",
  },
  examples: {
    "An invitation": example((sender) =>
      invitationContent(sender, { kind: "invitation", expiresAt: inventedDay }, "…"),
    ),
    "A log-in that was reset": example((sender) =>
      invitationContent(sender, { kind: "reset", expiresAt: inventedDay }, "…"),
    ),
  },
});

function invitationContent(
  sender: Sender,
  { kind, expiresAt }: Pick<Invitation, "kind" | "expiresAt">,
  token: string,
): EmailContent {
  const isReset = kind === "reset";
  const say = fillTexts(invitation, sender, { until: formatMoment(expiresAt, moment) });
  return {
    id: "staff-invitation",
    subject: isReset ? say.subjectReset : say.subject,
    title: isReset ? say.headingReset : say.heading,
    blocks: [
      paragraph(isReset ? say.reset : say.invited),
      paragraph(say.open),
      {
        kind: "link",
        label: isReset ? "Set up my log-in" : "Accept the invitation",
        url: `${sender.publicUrl}/admin/welcome/${token}`,
      },
      paragraph(say.rules),
      remark(say.surprise),
    ],
  };
}

const screenLink = ({ publicUrl }: Sender, label: string) =>
  ({ kind: "link", label, url: `${publicUrl}/admin/you` }) as const;

const ownPasskeyBlocked = declareEmail({
  name: "staff-passkey-blocked",
  title: "A passkey of your own was blocked",
  when: "To a member of staff, when a copy of a passkey of theirs may have been used.",
  placeholders: {},
  texts: {
    subject: "A passkey of your back-office account was blocked",
    news: "Somebody used it, and its counter shows that a copy of it may exist. Nobody was logged in, and this passkey no longer works.",
    advice:
      "Log in with another way, remove it, and add a new one. If you have no other way to log in, ask an administrator.",
    surprise: "If this was not you, tell us immediately: {phone}, {email}.",
  },
  examples: { "A passkey": example((sender) => ownBlocked(sender)) },
});

function ownBlocked(sender: Sender): EmailContent {
  const say = fillTexts(ownPasskeyBlocked, sender, {});
  return {
    id: "staff-passkey-blocked",
    subject: say.subject,
    blocks: [paragraph(say.news), paragraph(say.advice), screenLink(sender, "See my passkeys"), remark(say.surprise)],
  };
}

const otherPasskeyBlocked = declareEmail({
  name: "staff-passkey-blocked.other",
  title: "A passkey of somebody else was blocked",
  when: "To every administrator, when a copy of somebody’s passkey may have been used.",
  placeholders: { person: "Whose passkey it is.", address: "That person’s email address." },
  texts: {
    subject: "A passkey of {person} was blocked",
    news: "Somebody used a passkey of {person} ({address}), and its counter shows that a copy of it may exist. Nobody was logged in, and this passkey no longer works.",
    advice: "We have told them too. Ask them whether it was them, and whether a device of theirs is missing.",
  },
  examples: {
    "A passkey": example((sender) => otherBlocked(sender, { name: "Claire Donnelly", email: "claire@example.org" })),
  },
});

function otherBlocked(sender: Sender, person: { readonly name: string; readonly email: string }): EmailContent {
  const say = fillTexts(otherPasskeyBlocked, sender, { person: person.name, address: person.email });
  return {
    id: "staff-passkey-blocked",
    subject: say.subject,
    blocks: [
      paragraph(say.news),
      paragraph(say.advice),
      { kind: "link", label: "See staff", url: `${sender.publicUrl}/admin/staff` },
    ],
  };
}

const logInCode = declareEmail({
  name: "staff-log-in-code",
  title: "Code to log in",
  when: "To a member of staff who logs in with a new browser after failed attempts. The code itself cannot be edited.",
  placeholders: {},
  texts: {
    subject: "Your code to log in to the back office",
    heading: "Your code to log in",
    enter: "Enter this code in the browser that asked for it:",
    why: "We ask for it because there have been failed attempts to log in as you, and this browser is new. It works once, within ten minutes. We will never ask you for it.",
    surprise:
      "If this was not you, somebody knows your password. Tell an administrator immediately, or call us: {phone}, {email}.",
  },
  examples: { "A code": example((sender) => codeContent(sender, "01234567")) },
});

function codeContent(sender: Sender, code: string): EmailContent {
  const say = fillTexts(logInCode, sender, {});
  return {
    id: "staff-log-in-code",
    subject: say.subject,
    title: say.heading,
    blocks: [paragraph(say.enter), { kind: "rows", rows: [["Code", code]] }, paragraph(say.why), remark(say.surprise)],
  };
}

const wrongTries = declareEmail({
  name: "staff-wrong-tries",
  title: "Failed attempts to log in",
  when: "To a member of staff, after five wrong passwords or codes in a row.",
  placeholders: {},
  texts: {
    subject: "Failed attempts to log in to your back-office account",
    heading: "Somebody tried to log in as you",
    news: "Five tries in a row with a password or a code were wrong. None of them let anybody in.",
    next: "Nothing is locked. For a day after the last such try, a browser that you have not used before also needs a code that we email you. Passkeys, and browsers that you have used, work as always.",
    surprise:
      "If this was not you, tell an administrator, or call us: {phone}, {email}. A passkey is safer than a password: nobody can guess it.",
  },
  examples: { "Five tries": example((sender) => triesContent(sender)) },
});

function triesContent(sender: Sender): EmailContent {
  const say = fillTexts(wrongTries, sender, {});
  return {
    id: "staff-wrong-tries",
    subject: say.subject,
    title: say.heading,
    blocks: [paragraph(say.news), paragraph(say.next), screenLink(sender, "See my account"), remark(say.surprise)],
  };
}

const recoveryCodeUsed = declareEmail({
  name: "staff-recovery-code-used",
  title: "A recovery code was used",
  when: "To a member of staff, when a recovery code of theirs was used.",
  placeholders: { left: "How many codes are left." },
  texts: {
    subject: "A recovery code of your back-office account was used",
    news: "Somebody used one of your recovery codes, with your password, to log in to the back office as you.",
    oneLeft: { words: "One code is left. Make new ones soon.", when: "If one code is left." },
    manyLeft: {
      words: "{left} codes are left. You can make new ones at any time.",
      when: "If no code is left, or several are.",
    },
    surprise: "If this was not you, tell an administrator immediately, or call us: {phone}, {email}.",
  },
  examples: {
    "With nine left": example((sender) => recoveryContent(sender, 9)),
    "With one left": example((sender) => recoveryContent(sender, 1)),
  },
});

function recoveryContent(sender: Sender, left: number): EmailContent {
  const say = fillTexts(recoveryCodeUsed, sender, { left: String(left) });
  return {
    id: "staff-recovery-code-used",
    subject: say.subject,
    blocks: [
      paragraph(say.news),
      paragraph(plural(left, { one: say.oneLeft, other: say.manyLeft })),
      screenLink(sender, "See my account"),
      remark(say.surprise),
    ],
  };
}

export const staffEmails = [
  invitation,
  logInCode,
  wrongTries,
  recoveryCodeUsed,
  ownPasskeyBlocked,
  otherPasskeyBlocked,
] as const;
