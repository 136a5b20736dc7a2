import type { Config } from "#shared/config/config.ts";
import { plural } from "#shared/language.ts";
import { composeEmail, type EmailContent, type EmailContext, type Sender } from "#shared/mail/compose-email.ts";
import { type DeclaredEmail, declareEmail } from "#shared/mail/declared-email.ts";
import { paragraph, remark } from "#shared/mail/email-layout.ts";
import { fillTexts } from "#shared/mail/email-texts.ts";
import type { EmailMessage } from "#shared/mail/mail.ts";
import { paths } from "#shared/paths.ts";
import { erasedOnClosing, keptOnClosing } from "../closing.ts";
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

const invented: Addressed = { email: "amina@example.org", emailId: "example" };
const inventedLink = ({ publicUrl }: Sender) => `${publicUrl}${paths.verifyEmail}?key=…`;

const welcome = declareEmail({
  name: "welcome",
  title: "Welcome",
  when: "To somebody who has opened an account.",
  placeholders: {},
  texts: {
    subject: "Welcome to {organisation}",
    heading: "Your account is open",
    thanks:
      "Thank you for joining us. Your account shows all your donations and receipts, and fills in your details when you donate.",
    confirm:
      "Please confirm that this address is yours. We’ll then add any donations you made with it as a guest to your account.",
    mistake:
      "The link works for 7 days, when you are logged in to the account opened with this address. If you didn’t open one, please ignore this email: somebody mistyped their address, and they can’t see anything of yours. If you have questions, call us on {phone}.",
  },
  examples: { "A new account": (sender) => welcomeEmail(sender, invented, inventedLink(sender)) },
});

function welcomeEmail(sender: Sender, to: Addressed, link: string): EmailMessage {
  const say = fillTexts(welcome, sender, {});
  return emailOf(sender, to, {
    id: "welcome",
    subject: say.subject,
    title: say.heading,
    blocks: [
      paragraph(say.thanks),
      paragraph(say.confirm),
      { kind: "link", label: "Confirm my address", url: link },
      remark(say.mistake),
    ],
  });
}

const confirmAddress = declareEmail({
  name: "confirm-address",
  title: "Confirm an address",
  when: "To a member who asks for a new link to confirm the address of the account.",
  placeholders: {},
  texts: {
    subject: "Confirm your email address",
    heading: "Is this address yours?",
    confirm: "Please confirm it. We’ll then add any donations you made with it as a guest to your account.",
    mistake:
      "The link works for 7 days, when you are logged in to the account opened with this address. If you don’t have an account with us, please ignore this email.",
  },
  examples: { "A new link": (sender) => addressCheckEmail(sender, invented, inventedLink(sender)) },
});

function addressCheckEmail(sender: Sender, to: Addressed, link: string): EmailMessage {
  const say = fillTexts(confirmAddress, sender, {});
  return emailOf(sender, to, {
    id: "confirm-address",
    subject: say.subject,
    title: say.heading,
    blocks: [paragraph(say.confirm), { kind: "link", label: "Confirm my address", url: link }, remark(say.mistake)],
  });
}

const resetCodeSent = declareEmail({
  name: "reset-code",
  title: "Code for a new password",
  when: "To a member who has forgotten the password. The code itself cannot be edited.",
  placeholders: {},
  texts: {
    subject: "Your code to reset your password",
    heading: "Set a new password",
    enter: "Enter this code with your new password:",
    rules: "The code works once, within 15 minutes. We will never ask you for it.",
    mistake: "If you didn’t request a code, you can ignore this email. Your password hasn’t changed.",
  },
  examples: { "A code": (sender) => resetCodeEmail(sender, invented, "01234567") },
});

function resetCodeEmail(sender: Sender, to: Addressed, code: string): EmailMessage {
  const say = fillTexts(resetCodeSent, sender, {});
  return emailOf(sender, to, {
    id: "reset-code",
    subject: say.subject,
    title: say.heading,
    blocks: [
      paragraph(say.enter),
      { kind: "rows", rows: [["Code", code]] },
      { kind: "link", label: "Set a new password", url: `${sender.publicUrl}${paths.resetPassword}` },
      paragraph(say.rules),
      remark(say.mistake),
    ],
  });
}

const passwordChanged = declareEmail({
  name: "password-changed",
  title: "Password changed",
  when: "To a member whose password was changed.",
  placeholders: { passkeys: { about: "How many passkeys the account has.", isLocal: true } },
  texts: {
    subject: "Your password was changed",
    changed: "Your account has a new password, and all other devices were logged out.",
    mistake:
      "If this wasn’t you, set a new password now with ‘Forgot Password ?’ on the log-in page, and contact us: {phone}, {email}.",
    onePasskey: {
      words: "Your account also has a passkey, which still works. You can see and remove it under ‘Change Password’.",
      when: "If the account has one passkey.",
    },
    severalPasskeys: {
      words:
        "Your account also has {passkeys} passkeys, which still work. You can see and remove them under ‘Change Password’.",
      when: "If the account has several passkeys.",
    },
  },
  examples: {
    "An account with one passkey": (sender) => passwordChangedEmail(sender, invented, 1),
    "An account with two passkeys": (sender) => passwordChangedEmail(sender, invented, 2),
  },
});

function passwordChangedEmail(sender: Sender, to: Addressed, passkeys: number): EmailMessage {
  const say = fillTexts(passwordChanged, sender, { passkeys: String(passkeys) });
  const withPasskeys = plural(passkeys, { one: say.onePasskey, other: say.severalPasskeys });
  return emailOf(sender, to, {
    id: "password-changed",
    subject: say.subject,
    blocks: [
      paragraph(say.changed),
      paragraph(say.mistake),
      ...(passkeys === 0 ? [] : [paragraph(withPasskeys)]),
      { kind: "link", label: "Go to the log-in page", url: `${sender.publicUrl}${paths.login}` },
    ],
  });
}

const ifNotYou =
  "If this wasn’t you, change your password now, remove any passkey that isn’t yours, and contact us: {phone}, {email}.";

const passkeyAdded = declareEmail({
  name: "passkey-added",
  title: "Passkey added",
  when: "To a member when a passkey was added to the account.",
  placeholders: {},
  texts: {
    subject: "A passkey was added to your account",
    news: "You can now log in with it. Your password still works.",
    mistake: ifNotYou,
  },
  examples: { "A passkey": (sender) => passkeyEmail(sender, invented, "passkey-added") },
});

const passkeyRemoved = declareEmail({
  name: "passkey-removed",
  title: "Passkey removed",
  when: "To a member when a passkey was removed from the account.",
  placeholders: {},
  texts: {
    subject: "A passkey was removed from your account",
    news: "It can no longer be used to log in. Your password and other passkeys still work.",
    mistake: ifNotYou,
  },
  examples: { "A passkey": (sender) => passkeyEmail(sender, invented, "passkey-removed") },
});

const passkeyBlocked = declareEmail({
  name: "passkey-blocked",
  title: "Passkey blocked",
  when: "To a member when a copy of a passkey may have been used.",
  placeholders: {},
  texts: {
    subject: "A passkey on your account was blocked",
    news: "Somebody used it, and its counter shows that a copy of it may exist. Nobody was logged in, and the passkey no longer works. Please remove it and add a new one.",
    mistake: ifNotYou,
  },
  examples: { "A passkey": (sender) => passkeyEmail(sender, invented, "passkey-blocked") },
});

type PasskeyTemplate = Extract<AccountEmailJob["template"], `passkey-${string}`>;

const passkeyEmails: Readonly<Record<PasskeyTemplate, DeclaredEmail<"subject" | "news" | "mistake", never>>> = {
  "passkey-added": passkeyAdded,
  "passkey-removed": passkeyRemoved,
  "passkey-blocked": passkeyBlocked,
};

function passkeyEmail(sender: Sender, to: Addressed, id: PasskeyTemplate): EmailMessage {
  const say = fillTexts(passkeyEmails[id], sender, {});
  return emailOf(sender, to, {
    id,
    subject: say.subject,
    blocks: [
      paragraph(say.news),
      paragraph(say.mistake),
      { kind: "link", label: "See my passkeys", url: `${sender.publicUrl}${paths.changePassword}` },
    ],
  });
}

const accountClosed = declareEmail({
  name: "account-closed",
  title: "Account closed",
  when: "To somebody who has closed the account. What we delete and keep cannot be edited.",
  placeholders: {},
  texts: {
    subject: "Your account is closed",
    closed: "Your account is closed, as you asked.",
    thanks: "Thank you for everything you gave. You’re welcome to donate as a guest at any time.",
    mistake: "If you didn’t close your account, please contact us: {phone}, {email}.",
  },
  examples: { "A closed account": (sender) => accountClosedEmail(sender, invented) },
});

/** Sent by `closeAccount` itself, not by a job. */
export function accountClosedEmail(sender: Sender, to: Addressed): EmailMessage {
  const say = fillTexts(accountClosed, sender, {});
  return emailOf(sender, to, {
    id: "account-closed",
    subject: say.subject,
    blocks: [
      paragraph(say.closed),
      ...[...erasedOnClosing, ...keptOnClosing].map(paragraph),
      { kind: "link", label: "What we keep, and for how long", url: `${sender.publicUrl}${paths.privacy}` },
      paragraph(say.thanks),
      remark(say.mistake),
    ],
  });
}

export const accountEmails = [
  welcome,
  confirmAddress,
  resetCodeSent,
  passwordChanged,
  passkeyAdded,
  passkeyRemoved,
  passkeyBlocked,
  accountClosed,
] as const;
