import type { Config } from "#shared/config.ts";
import { formatMoment, plural } from "#shared/language.ts";
import { composeEmail, type EmailContent, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
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

const moment = { dateStyle: "full", timeStyle: "short", timeZone: "Australia/Sydney" } as const;

function invitationContent(
  { organisation, publicUrl }: Sender,
  { kind, expiresAt }: Pick<Invitation, "kind" | "expiresAt">,
  token: string,
): EmailContent {
  const isReset = kind === "reset";
  return {
    id: "staff-invitation",
    subject: isReset
      ? `Set up your log-in to ${organisation.name} again`
      : `Your invitation to ${organisation.name}’s back office`,
    title: isReset ? "Set up your log-in again" : "You are invited",
    blocks: [
      paragraph(
        isReset
          ? "An administrator has reset your log-in to the back office. Your earlier passkeys, password and recovery codes work no longer."
          : `You are invited to the back office of ${organisation.name}, where donations and refunds are looked after.`,
      ),
      paragraph("Open this link on the device that you work with. There you set up a passkey, which takes a minute."),
      {
        kind: "link",
        label: isReset ? "Set up my log-in" : "Accept the invitation",
        url: `${publicUrl}/admin/welcome/${token}`,
      },
      paragraph(
        `The link works once, until ${formatMoment(expiresAt, moment)} (Sydney time). Do not pass it on: it lets in whoever opens it.`,
      ),
      remark(`If you did not expect this, tell us: ${organisation.phone}, ${organisation.email}.`),
    ],
  };
}

const screenLink = (publicUrl: string, label: string) =>
  ({ kind: "link", label, url: `${publicUrl}/admin/you` }) as const;

function ownBlocked({ organisation, publicUrl }: Sender): EmailContent {
  return {
    id: "staff-passkey-blocked",
    subject: "A passkey of your back-office account was blocked",
    blocks: [
      paragraph(
        "Somebody used it, and its counter shows that a copy of it may exist. Nobody was logged in, and this passkey works no longer.",
      ),
      paragraph(
        "Log in with another way, remove it, and add a new one. If you have no other way to log in, ask an administrator.",
      ),
      screenLink(publicUrl, "See my passkeys"),
      remark(`If this was not you, tell us at once: ${organisation.phone}, ${organisation.email}.`),
    ],
  };
}

function otherBlocked({ publicUrl }: Sender, person: { readonly name: string; readonly email: string }): EmailContent {
  return {
    id: "staff-passkey-blocked",
    subject: `A passkey of ${person.name} was blocked`,
    blocks: [
      paragraph(
        `Somebody used a passkey of ${person.name} (${person.email}), and its counter shows that a copy of it may exist. Nobody was logged in, and this passkey works no longer.`,
      ),
      paragraph("We have told them too. Ask them whether it was them, and whether a device of theirs is missing."),
      { kind: "link", label: "See staff", url: `${publicUrl}/admin/staff` },
    ],
  };
}

function codeContent({ organisation }: Sender, code: string): EmailContent {
  return {
    id: "staff-log-in-code",
    subject: "Your code to log in to the back office",
    title: "Your code to log in",
    blocks: [
      paragraph("Enter this code in the browser that asked for it:"),
      { kind: "rows", rows: [["Code", code]] },
      paragraph(
        "We ask for it because there have been wrong tries to log in as you, and this browser is new. It works once, within ten minutes. We will never ask you for it.",
      ),
      remark(
        `If this was not you, somebody knows your password. Tell an administrator at once, or call us: ${organisation.phone}, ${organisation.email}.`,
      ),
    ],
  };
}

function triesContent({ organisation, publicUrl }: Sender): EmailContent {
  return {
    id: "staff-wrong-tries",
    subject: "Wrong tries to log in to your back-office account",
    title: "Somebody tried to log in as you",
    blocks: [
      paragraph("Five tries in a row with a password or a code were wrong. None of them let anybody in."),
      paragraph(
        "Nothing is locked. For a day after the last such try, a browser that you have not used before also needs a code that we email you. Passkeys, and browsers that you have used, work as always.",
      ),
      screenLink(publicUrl, "See my account"),
      remark(
        `If this was not you, tell an administrator, or call us: ${organisation.phone}, ${organisation.email}. A passkey is safer than a password: nobody can guess it.`,
      ),
    ],
  };
}

function recoveryContent({ organisation, publicUrl }: Sender, left: number): EmailContent {
  return {
    id: "staff-recovery-code-used",
    subject: "A recovery code of your back-office account was used",
    blocks: [
      paragraph("Somebody used one of your recovery codes, with your password, to log in to the back office as you."),
      paragraph(
        plural(left, {
          one: "One code is left. Make new ones soon.",
          other: `${left} codes are left. You can make new ones at any time.`,
        }),
      ),
      screenLink(publicUrl, "See my account"),
      remark(
        `If this was not you, tell an administrator at once, or call us: ${organisation.phone}, ${organisation.email}.`,
      ),
    ],
  };
}
