type DescribeAct = (after: Readonly<Record<string, unknown>> | null) => string;

/** The acts on an account about which its owner gets an email, because somebody else might have done them. */
const describedActs: Readonly<Record<string, DescribeAct>> = {
  "staff-passkey.add": () => "A passkey was added to your back-office account",
  "staff-passkey.remove": () => "A passkey was removed from your back-office account",
  "staff-password.set": () => "A password and an authenticator app were set for your back-office account",
  "staff-password.remove": () => "The password, app and recovery codes of your back-office account were removed",
  "staff-codes.renew": () => "New recovery codes were made for your back-office account",
  "staff.set-up": (after) =>
    after?.way === "passkey"
      ? "Your back-office account was set up with a passkey"
      : "Your back-office account was set up with a password and an authenticator app",
};

/** Whether the person gets an email about an act with this verb. */
export const isEmailedToPerson = (verb: string): boolean => Object.hasOwn(describedActs, verb);

/** What was done, as a sentence without its full stop. Never the name of a passkey, which is typed text. */
export const describeAccountChange = (verb: string, after: Parameters<DescribeAct>[0]): string =>
  describedActs[verb]?.(after) ?? "Your back-office account was changed";
