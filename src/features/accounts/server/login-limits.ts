import { effortBeyond } from "#shared/captcha/effort.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError, type Problem } from "#shared/errors.ts";
import { count, forgetCount, takeBack, tally } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";

const HOUR = 3600;
const QUARTER = 900;

export type LoginLimits = {
  readonly secretKey: string;
  readonly logins: {
    /** How many passwords may be tried for one account without a captcha, from devices that never logged in to it. */
    readonly perAccount: number;
    readonly perAddress: number;
    readonly windowSeconds: number;
  };
  readonly accountsPerHour: number;
};

/** Who tries a password; `device` names one that has logged in to this very account before. */
type Guest = { readonly address: string; readonly email: string; readonly device: string | null };

/** A try that was counted; pass it on to `succeeded` or `undone`. */
export type CountedTry = { readonly keys: readonly string[]; readonly isKnownDevice: boolean };

/** After so many more tries the captcha of the next one is twice as dear. */
const DEARER_AFTER = 5;

/**
 * Counts one password before it is looked at, whether or not the account exists. A device that has logged in to the
 * account has a budget of its own, which ends in a refusal. The email is only claimed, so that many tries under it make
 * the next one dearer and never refuse it (SEC-4): `pay` is called with what its captcha must be worth, and may throw.
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
    const refuseAbove = async (one: string, most: number, isRenewed: boolean) => {
      const refusal = await count(transaction, one, { most, windowSeconds, now, isRenewed });
      if (refusal !== null) throw new AppError("too_many_tries", refusal);
    };
    if (device !== null) {
      const ofDevice = key("device", device);
      await refuseAbove(ofDevice, logins.perAccount, true);
      return { keys: [ofDevice], isKnownDevice: true };
    }
    // Always in this order, so that no two transactions wait for each other.
    const [ofAddress, ofAccount] = [key("address", address), key("email", email)];
    // Many people share an address, and some of them are always there: its window ends by itself.
    await refuseAbove(ofAddress, logins.perAddress, false);
    const tries = await tally(transaction, ofAccount, { windowSeconds, now });
    await pay(transaction, effortBeyond(tries - logins.perAccount, DEARER_AFTER));
    return { keys: [ofAddress, ofAccount], isKnownDevice: false };
  });
}

/**
 * Counts one log-in with a passkey before its signature is looked at. It names no account, so that only its network address
 * and its browser count. @throws AppError `too_many_tries`.
 */
export async function countPasskeyTry(
  database: Database,
  { address, browser }: { readonly address: string; readonly browser: string | undefined },
  { secretKey, logins: { perAddress, perAccount, windowSeconds } }: LoginLimits,
  now: Date,
): Promise<CountedTry> {
  const counts = [{ key: limitKey(secretKey, "passkey", "address", address), most: perAddress, isRenewed: false }];
  if (browser !== undefined) {
    counts.push({ key: limitKey(secretKey, "passkey", "browser", browser), most: perAccount, isRenewed: true });
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
 * The password was right. A known device's budget is whole again; of the budget that strangers share only this one try is
 * given back, because the others may have been somebody else's.
 */
export async function succeeded(connection: Connection, { keys, isKnownDevice }: CountedTry): Promise<void> {
  if (isKnownDevice) await forgetCount(connection, keys[0]!);
  else await takeBack(connection, keys);
}

/** The password was not looked at after all. */
export async function undone(connection: Connection, { keys }: CountedTry): Promise<void> {
  await takeBack(connection, keys);
}

/** What accounts limit beside log-ins: how often, within how many seconds, and what is said then. */
const acts = {
  /** The present password, asked for again in a session. */
  "password check": { most: 10, windowSeconds: QUARTER, problem: "too_many_tries" },
  "reset try": { most: 30, windowSeconds: QUARTER, problem: "too_many_tries" },
  "reset letter from one place": { most: 20, windowSeconds: HOUR, problem: "too_many_letters" },
  "verification letter": { most: 3, windowSeconds: HOUR, problem: "too_many_letters" },
} as const satisfies Record<string, { most: number; windowSeconds: number; problem: Problem }>;

type Act = {
  readonly act: keyof typeof acts;
  readonly by: "address" | "user";
  readonly value: string;
};

/** Counts one act. @throws AppError when there were too many; in a transaction this one is then not counted. */
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

/** What may be done for an email, which anybody can name: so often with no captcha, and then with dearer and dearer ones. */
const claims = {
  "reset letter": { free: 3, windowSeconds: HOUR },
  "reset code": { free: 5, windowSeconds: QUARTER },
} as const;

/** Counts one act for an email and says what its captcha must be worth; 1 for none. */
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

/** Forgets what was counted under this name. */
export async function forgetAct(
  connection: Connection,
  { act, by, value }: Act,
  { secretKey }: Pick<LoginLimits, "secretKey">,
): Promise<void> {
  await forgetCount(connection, limitKey(secretKey, act, by, value));
}

/** Counts one opened account. @throws AppError `too_many_accounts`. */
export async function countAccount(
  transaction: Connection,
  address: string,
  { secretKey, accountsPerHour }: LoginLimits,
  now: Date,
): Promise<void> {
  const key = limitKey(secretKey, "account", "address", address);
  const refusal = await count(transaction, key, { most: accountsPerHour, windowSeconds: HOUR, now });
  if (refusal !== null) throw new AppError("too_many_accounts", refusal);
}
