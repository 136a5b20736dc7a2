import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError, type Problem, problems } from "#shared/errors.ts";
import { count, forgetCount, takeBack, tally } from "#shared/limits/count.ts";
import { effortBeyond } from "#shared/limits/effort.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { accountProblems } from "../problems.ts";

const HOUR = 3600;
const QUARTER = 900;

export type LoginLimits = {
  readonly secretKey: string;
  readonly logins: {
    /** Tries for one account without a captcha, from devices that have never logged in to it. */
    readonly perAccount: number;
    readonly perAddress: number;
    readonly windowSeconds: number;
  };
  readonly accountsPerHour: number;
};

/** Who tries a password; `device` is set if it has logged in to this account before. */
type Guest = { readonly address: string; readonly email: string; readonly device: string | null };

/** A try that was counted; pass it on to `creditSuccess` or `undone`. */
export type CountedTry = { readonly keys: readonly string[]; readonly isKnownDevice: boolean };

/** The captcha's work doubles with every five further tries. */
const DEARER_AFTER = 5;

/**
 * Counts one try before the password is checked, whether or not the account exists. A device that has logged in to the
 * account has its own limit and is refused beyond it. An email is only claimed, so many tries for it make the next
 * captcha harder but are never refused (SEC-4): `pay` gets the effort that the captcha must be worth, and may throw.
 * @throws AppError `too_many_tries`.
 */
export async function countLogin(
  database: Database,
  { address, email, device }: Guest,
  { secretKey, logins }: LoginLimits,
  { now, pay }: { now: Date; pay: (transaction: Connection, effort: number) => Promise<void> },
): Promise<CountedTry> {
  const key = (by: "address" | "email" | "device", value: string) => limitKey(secretKey, "login", by, value);
  const { windowSeconds } = logins;
  return database.transaction().execute(async (transaction) => {
    const refuseAbove = async (one: string, max: number, isRenewed: boolean) => {
      const refusal = await count(transaction, one, { max, windowSeconds, now, isRenewed });
      if (refusal !== null) throw new AppError("too_many_tries", refusal);
    };
    if (device !== null) {
      const ofDevice = key("device", device);
      await refuseAbove(ofDevice, logins.perAccount, true);
      return { keys: [ofDevice], isKnownDevice: true };
    }
    // Always in this order, so that transactions can't deadlock.
    const [ofAddress, ofAccount] = [key("address", address), key("email", email)];
    // Many people may share an address, so further tries don't extend its window.
    await refuseAbove(ofAddress, logins.perAddress, false);
    const tries = await tally(transaction, ofAccount, { windowSeconds, now });
    await pay(transaction, effortBeyond(tries - logins.perAccount, DEARER_AFTER));
    return { keys: [ofAddress, ofAccount], isKnownDevice: false };
  });
}

/**
 * Counts one log-in with a passkey before its signature is checked. It names no account, so only its network address
 * and browser count. @throws AppError `too_many_tries`.
 */
export async function countPasskeyTry(
  database: Database,
  { address, browser }: { readonly address: string; readonly browser: string | undefined },
  { secretKey, logins: { perAddress, perAccount, windowSeconds } }: LoginLimits,
  now: Date,
): Promise<CountedTry> {
  const counts = [{ key: limitKey(secretKey, "passkey", "address", address), max: perAddress, isRenewed: false }];
  if (browser !== undefined) {
    counts.push({ key: limitKey(secretKey, "passkey", "browser", browser), max: perAccount, isRenewed: true });
  }
  return database.transaction().execute(async (transaction) => {
    for (const { key, ...window } of counts) {
      const refusal = await count(transaction, key, { ...window, windowSeconds, now });
      if (refusal !== null) throw new AppError("too_many_tries", refusal);
    }
    return { keys: counts.map(({ key }) => key), isKnownDevice: false };
  });
}

/**
 * For a right password. A known device's count starts again from zero. In the counts that strangers share only this try
 * is taken back, because the others may be somebody else's.
 */
export async function creditSuccess(connection: Connection, { keys, isKnownDevice }: CountedTry): Promise<void> {
  if (isKnownDevice) await forgetCount(connection, keys[0]!);
  else await takeBack(connection, keys);
}

/** For a password that was not checked after all. */
export async function undone(connection: Connection, { keys }: CountedTry): Promise<void> {
  await takeBack(connection, keys);
}

/** Limits other than for log-ins: how often, within how many seconds, and the problem to answer beyond that. */
const acts = {
  /** The current password, entered again during a session. */
  "password check": { max: 10, windowSeconds: QUARTER, problem: problems.too_many_tries },
  "reset try": { max: 30, windowSeconds: QUARTER, problem: problems.too_many_tries },
  "reset email from one place": { max: 20, windowSeconds: HOUR, problem: problems.too_many_emails },
  "verification email": { max: 3, windowSeconds: HOUR, problem: problems.too_many_emails },
} as const satisfies Record<string, { max: number; windowSeconds: number; problem: Problem }>;

type Act = {
  readonly act: keyof typeof acts;
  readonly by: "address" | "user";
  readonly value: string;
};

/** @throws AppError if there were too many; in a transaction, the act is then not counted. */
export async function countAct(
  connection: Connection,
  { act, by, value }: Act,
  { secretKey }: Pick<LoginLimits, "secretKey">,
  now: Date,
): Promise<void> {
  const { problem, ...window } = acts[act];
  const key = limitKey(secretKey, act, by, value);
  const refusal = await count(connection, key, { ...window, now, isRenewed: by !== "address" });
  if (refusal !== null) throw new AppError(problem, refusal);
}

/** Acts for an email, which anyone can enter: `free` times without a captcha, then with ever harder ones. */
const claims = {
  "reset email": { free: 3, windowSeconds: HOUR },
  "reset code": { free: 5, windowSeconds: QUARTER },
} as const;

/** Counts one act for an email and returns the effort that its captcha must be worth; 1 for none. */
export async function countClaim(
  connection: Connection,
  { act, email }: { act: keyof typeof claims; email: string },
  { secretKey }: Pick<LoginLimits, "secretKey">,
  now: Date,
): Promise<number> {
  const { free, windowSeconds } = claims[act];
  const times = await tally(connection, limitKey(secretKey, act, "email", email), { windowSeconds, now });
  return effortBeyond(times - free, free);
}

/** Forgets the acts that were counted, as after a right password. */
export async function forgetAct(
  connection: Connection,
  { act, by, value }: Act,
  { secretKey }: Pick<LoginLimits, "secretKey">,
): Promise<void> {
  await forgetCount(connection, limitKey(secretKey, act, by, value));
}

/** @throws AppError `too_many_accounts`. */
export async function countAccount(
  transaction: Connection,
  address: string,
  { secretKey, accountsPerHour }: LoginLimits,
  now: Date,
): Promise<void> {
  const key = limitKey(secretKey, "account", "address", address);
  const refusal = await count(transaction, key, { max: accountsPerHour, windowSeconds: HOUR, now });
  if (refusal !== null) throw new AppError(accountProblems.too_many_accounts, refusal);
}
