import type { Config } from "#shared/config.ts";
import { plural } from "#shared/language.ts";
import { composeEmail, type EmailContent, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { paths } from "#shared/paths.ts";
import { whatGoes, whatStays } from "../closing.ts";
import { addressKey, resetCode } from "./codes.ts";
import { listPasskeysOf } from "./passkey-store.ts";
import { openResetCode } from "./reset-password.ts";
import { findUserById } from "./store.ts";

/** `emailId` identifies this email. `userId` is 0 if a code was requested for an address without an account. */
export type AccountEmailJob = {
  readonly template:
    | "welcome"
    | "confirm-address"
    | "reset-code"
    | "password-changed"
    | "passkey-added"
    | "passkey-removed"
    | "passkey-blocked";
  readonly userId: number;
  readonly emailId: string;
};

declare module "#shared/jobs/queues.ts" {
  interface EmailJobs {
    accounts: AccountEmailJob;
  }
}

type AccountEmailContext = EmailContext<Pick<Config, "secretKey">> & { readonly now: () => Date };

// No email contains a name: anyone can register somebody else's address, and must not write to them through us.

/** Writes the email of one job; null if there is no such account, or the code is no longer valid. */
export async function writeAccountEmail(
  { database, sender, config: { secretKey }, now }: AccountEmailContext,
  { template, userId, emailId }: AccountEmailJob,
): Promise<EmailMessage | null> {
  const kept = await findUserById(database, userId);
  if (kept === undefined) return null;
  const { user } = kept;
  const addressed = { email: user.email, emailId };
  const link = () => `${sender.publicUrl}${paths.verifyEmail}?key=${addressKey(secretKey, user, now())}`;
  switch (template) {
    case "welcome":
      return welcomeEmail(sender, addressed, link());
    case "confirm-address":
      return addressCheckEmail(sender, addressed, link());
    case "password-changed":
      return passwordChangedEmail(sender, addressed, (await listPasskeysOf(database, userId)).length);
    case "passkey-added":
    case "passkey-removed":
    case "passkey-blocked":
      return passkeyEmail(sender, addressed, template);
    case "reset-code": {
      const code = resetCode(secretKey, userId, emailId);
      const isOpen = await openResetCode(database, { userId, code }, { secretKey, now: now() });
      return isOpen ? resetCodeEmail(sender, addressed, code) : null;
    }
  }
}

type Addressed = { readonly email: string; readonly emailId: string };

function emailOf(sender: Sender, { email, emailId }: Addressed, content: EmailContent): EmailMessage {
  const to = { name: "", address: email };
  return composeEmail(sender, { ...content, id: `${content.id}-${emailId}`, to, replyTo: sender.organisation.email });
}

function welcomeEmail(sender: Sender, to: Addressed, link: string): EmailMessage {
  const { name, phone } = sender.organisation;
  return emailOf(sender, to, {
    id: "welcome",
    subject: `Welcome to ${name}`,
    title: "Your account is open",
    blocks: [
      paragraph(
        "Thank you for joining us. Your account shows all your donations and receipts, and fills in your details when you donate.",
      ),
      paragraph(
        "Please confirm that this address is yours. We’ll then add any donations you made with it as a guest to your account.",
      ),
      { kind: "link", label: "Confirm my address", url: link },
      remark(
        `The link works for 7 days, when you are logged in to the account opened with this address. If you didn’t open one, please ignore this email: somebody mistyped their address, and they can’t see anything of yours. If you have questions, call us on ${phone}.`,
      ),
    ],
  });
}

function addressCheckEmail(sender: Sender, to: Addressed, link: string): EmailMessage {
  return emailOf(sender, to, {
    id: "confirm-address",
    subject: "Confirm your email address",
    title: "Is this address yours?",
    blocks: [
      paragraph("Please confirm it. We’ll then add any donations you made with it as a guest to your account."),
      { kind: "link", label: "Confirm my address", url: link },
      remark(
        "The link works for 7 days, when you are logged in to the account opened with this address. If you don’t have an account with us, please ignore this email.",
      ),
    ],
  });
}

function resetCodeEmail(sender: Sender, to: Addressed, code: string): EmailMessage {
  return emailOf(sender, to, {
    id: "reset-code",
    subject: "Your code to reset your password",
    title: "Set a new password",
    blocks: [
      paragraph("Enter this code with your new password:"),
      { kind: "rows", rows: [["Code", code]] },
      { kind: "link", label: "Set a new password", url: `${sender.publicUrl}${paths.resetPassword}` },
      paragraph("The code works once, within 15 minutes. We will never ask you for it."),
      remark("If you didn’t request a code, you can ignore this email. Your password hasn’t changed."),
    ],
  });
}

function passwordChangedEmail(sender: Sender, to: Addressed, passkeys: number): EmailMessage {
  const { phone, email } = sender.organisation;
  return emailOf(sender, to, {
    id: "password-changed",
    subject: "Your password was changed",
    blocks: [
      paragraph("Your account has a new password, and all other devices were logged out."),
      paragraph(
        `If this wasn’t you, set a new password now with 'Forgot Password ?' on the log-in page, and contact us: ${phone}, ${email}.`,
      ),
      ...(passkeys === 0 ? [] : [paragraph(describePasskeys(passkeys))]),
      { kind: "link", label: "Go to the log-in page", url: `${sender.publicUrl}${paths.login}` },
    ],
  });
}

function describePasskeys(count: number): string {
  return plural(count, {
    one: "Your account also has a passkey, which still works. You can see and remove it under 'Change Password'.",
    other: `Your account also has ${count} passkeys, which still work. You can see and remove them under 'Change Password'.`,
  });
}

const passkeyNews = {
  "passkey-added": {
    subject: "A passkey was added to your account",
    text: "You can now log in with it. Your password still works.",
  },
  "passkey-removed": {
    subject: "A passkey was removed from your account",
    text: "It can no longer be used to log in. Your password and other passkeys still work.",
  },
  "passkey-blocked": {
    subject: "A passkey on your account was blocked",
    text: "Somebody used it, and its counter shows that a copy of it may exist. Nobody was logged in, and the passkey no longer works. Please remove it and add a new one.",
  },
} as const;

function passkeyEmail(sender: Sender, to: Addressed, id: keyof typeof passkeyNews): EmailMessage {
  const { phone, email } = sender.organisation;
  const { subject, text } = passkeyNews[id];
  return emailOf(sender, to, {
    id,
    subject,
    blocks: [
      paragraph(text),
      paragraph(
        `If this wasn’t you, change your password now, remove any passkey that isn’t yours, and contact us: ${phone}, ${email}.`,
      ),
      { kind: "link", label: "See my passkeys", url: `${sender.publicUrl}${paths.changePassword}` },
    ],
  });
}

/** Sent by `closeAccount` itself, not by a job. */
export function accountClosedEmail(sender: Sender, to: Addressed): EmailMessage {
  const { phone, email } = sender.organisation;
  return emailOf(sender, to, {
    id: "account-closed",
    subject: "Your account is closed",
    title: "Your account is closed",
    blocks: [
      paragraph("Your account is closed, as you asked."),
      ...[...whatGoes, ...whatStays].map(paragraph),
      { kind: "link", label: "What we keep, and for how long", url: `${sender.publicUrl}${paths.privacy}` },
      paragraph("Thank you for everything you gave. You’re welcome to donate as a guest at any time."),
      remark(`If you didn’t close your account, please contact us: ${phone}, ${email}.`),
    ],
  });
}
