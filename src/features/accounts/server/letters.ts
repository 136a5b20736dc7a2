import type { Database } from "#shared/database/connect.ts";
import { idAndSubject, type Sender } from "#shared/mail/letter-heading.ts";
import { type Block, layOutLetter, remark, said } from "#shared/mail/letter-layout.ts";
import type { Letter } from "#shared/mail/mail.ts";
import type { Organisation } from "#shared/organisation.ts";
import { paths } from "#shared/paths.ts";
import type { SessionUser } from "#shared/sessions/session-user.ts";
import { whatGoes, whatStays } from "../closing.ts";
import { addressKey, resetCode } from "./codes.ts";
import { listPasskeysOf } from "./passkey-store.ts";
import { openResetCode } from "./reset-password.ts";
import { findUserById } from "./store.ts";

/** `letterId` names this one letter. `userId` 0 is nobody: a code was asked for an address without an account. */
export type AccountLetterJob = {
  readonly letter:
    | "welcome"
    | "address-check"
    | "reset-code"
    | "password-changed"
    | "passkey-added"
    | "passkey-removed"
    | "passkey-blocked";
  readonly userId: number;
  readonly letterId: string;
};

declare module "#shared/jobs/queues.ts" {
  interface LetterJobs {
    accounts: AccountLetterJob;
  }
}

export type AccountLetterContext = {
  readonly database: Database;
  readonly organisation: () => Organisation;
  readonly config: { readonly publicUrl: string; readonly secretKey: string };
  readonly now: () => Date;
};

// No letter says a name: anybody may register anybody's address, and our letters must not carry their words there.

/** The letter of one job. Null: the account is closed, nobody has the address, or the code is no longer of use. */
export async function writeAccountLetter(
  { database, organisation, config, now }: AccountLetterContext,
  { letter, userId, letterId }: AccountLetterJob,
): Promise<Letter | null> {
  const kept = await findUserById(database, userId);
  if (kept === undefined) return null;
  const { user } = kept;
  const { secretKey, publicUrl } = config;
  const sender = { organisation: organisation(), publicUrl };
  const addressed = { email: user.email, letterId };
  switch (letter) {
    case "welcome":
      return welcomeLetter(sender, addressed, addressLink(config, user, now()));
    case "address-check":
      return addressCheckLetter(sender, addressed, addressLink(config, user, now()));
    case "password-changed":
      return passwordChangedLetter(sender, addressed, (await listPasskeysOf(database, userId)).length);
    case "passkey-added":
    case "passkey-removed":
    case "passkey-blocked":
      return passkeyLetter(sender, addressed, letter);
    case "reset-code": {
      const code = resetCode(secretKey, userId, letterId);
      const isOpen = await openResetCode(database, { userId, code }, { secretKey, now: now() });
      return isOpen ? resetCodeLetter(sender, addressed, code) : null;
    }
  }
}

function addressLink({ publicUrl, secretKey }: AccountLetterContext["config"], user: SessionUser, now: Date): string {
  return `${publicUrl}${paths.verifyEmail}?key=${addressKey(secretKey, user, now)}`;
}

type Addressed = { readonly email: string; readonly letterId: string };
type Content = { readonly word: string; readonly subject: string; readonly title: string; readonly blocks: Block[] };

function letterOf(
  { organisation, publicUrl }: Sender,
  { email, letterId }: Addressed,
  { word, subject, title, blocks }: Content,
): Letter {
  return {
    ...idAndSubject(publicUrl, `${word}-${letterId}`, subject),
    to: { name: "", address: email },
    replyTo: organisation.email,
    ...layOutLetter(organisation, { title, blocks }),
    attachments: [],
  };
}

function welcomeLetter(sender: Sender, to: Addressed, link: string): Letter {
  const { name, phone } = sender.organisation;
  return letterOf(sender, to, {
    word: "welcome",
    subject: `Welcome to ${name}`,
    title: "Your account is open",
    blocks: [
      said(
        "Thank you for joining us. In your account you find all your donations and their receipts, and your details are filled in when you give.",
      ),
      said(
        "Please confirm that this address is yours. Donations that you made with it before, as a guest, then join your account.",
      ),
      { kind: "link", label: "Confirm my address", url: link },
      remark(
        `The link works for 7 days, in the account that was opened with this address. If you did not open one, do not press it: somebody has mistyped their address, and sees nothing of yours. You can call us on ${phone}.`,
      ),
    ],
  });
}

function addressCheckLetter(sender: Sender, to: Addressed, link: string): Letter {
  return letterOf(sender, to, {
    word: "address-check",
    subject: "Confirm your email address",
    title: "Is this address yours?",
    blocks: [
      said("Please confirm it. Donations that you made with this address as a guest then join your account."),
      { kind: "link", label: "Confirm my address", url: link },
      remark(
        "The link works for 7 days, in the account that was opened with this address. If you have no account with us, do not press it.",
      ),
    ],
  });
}

function resetCodeLetter(sender: Sender, to: Addressed, code: string): Letter {
  return letterOf(sender, to, {
    word: "reset-code",
    subject: "Your code for a new password",
    title: "Set a new password",
    blocks: [
      said("Enter this code, together with your new password:"),
      { kind: "rows", rows: [["Code", code]] },
      { kind: "link", label: "Set a new password", url: `${sender.publicUrl}${paths.resetPassword}` },
      said("The code works once, within 15 minutes. Nobody of ours will ever ask you for it."),
      remark("If you did not ask for a code, you need not do anything: your password stays as it is."),
    ],
  });
}

function passwordChangedLetter(sender: Sender, to: Addressed, passkeys: number): Letter {
  const { phone, email } = sender.organisation;
  return letterOf(sender, to, {
    word: "password-changed",
    subject: "Your password was changed",
    title: "Your password was changed",
    blocks: [
      said("Your account has a new password, and every other device was logged out."),
      said(
        `If this was not you, set a new password now with 'Forgot Password ?' on the login page, and tell us: ${phone}, ${email}.`,
      ),
      ...(passkeys === 0 ? [] : [said(tellPasskeys(passkeys))]),
      { kind: "link", label: "Go to the login page", url: `${sender.publicUrl}${paths.login}` },
    ],
  });
}

function tellPasskeys(count: number): string {
  const [have, them] =
    count === 1 ? ["a passkey, which still works", "it"] : [`${count} passkeys, which still work`, "them"];
  return `Your account also has ${have}. You can see and remove ${them} under 'Change Password'.`;
}

const passkeyNews = {
  "passkey-added": {
    subject: "A passkey was added to your account",
    says: "You can now log in with it. Your password still works.",
  },
  "passkey-removed": {
    subject: "A passkey was removed from your account",
    says: "Nobody can log in with it any more. Your password and other passkeys still work.",
  },
  "passkey-blocked": {
    subject: "A passkey of your account was blocked",
    says: "Somebody used it, and its counter shows that a copy of it may exist. Nobody was logged in, and it does not work any more. Please remove it, and add a new one.",
  },
} as const;

function passkeyLetter(sender: Sender, to: Addressed, word: keyof typeof passkeyNews): Letter {
  const { phone, email } = sender.organisation;
  const { subject, says } = passkeyNews[word];
  return letterOf(sender, to, {
    word,
    subject,
    title: subject,
    blocks: [
      said(says),
      said(
        `If this was not you, change your password now, remove every passkey that is not yours, and tell us: ${phone}, ${email}.`,
      ),
      { kind: "link", label: "See my passkeys", url: `${sender.publicUrl}${paths.changePassword}` },
    ],
  });
}

/** Written while the address is still at hand; see `closeAccount`. */
export function accountClosedLetter(sender: Sender, to: Addressed): Letter {
  const { phone, email } = sender.organisation;
  return letterOf(sender, to, {
    word: "account-closed",
    subject: "Your account is closed",
    title: "Your account is closed",
    blocks: [
      said("Your account is closed, as you asked."),
      ...[...whatGoes, ...whatStays].map(said),
      { kind: "link", label: "What we keep, and for how long", url: `${sender.publicUrl}${paths.privacy}` },
      said("Thank you for everything you gave. You are welcome to give as a guest at any time."),
      remark(`If you did not close your account, please tell us: ${phone}, ${email}.`),
    ],
  });
}
