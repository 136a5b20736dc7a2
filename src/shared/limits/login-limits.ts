import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError, type Problem } from "#shared/errors.ts";
import { count, forgetCount, takeBack } from "./count.ts";
import { limitKey } from "./limit-key.ts";

const HOUR = 3600;
const QUARTER = 900;

export type LoginLimits = {
  readonly secretKey: string;
  readonly logins: {
    /** How many passwords may be tried for one account within the window, from devices that never logged in to it. */
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

/**
 * Counts one password before it is looked at, whether or not the account exists. A device that has logged in to the
 * account has a budget of its own: whoever uses up the others' budget does not lock the owner out.
 * @throws AppError `too_many_tries`.
 */
export async function countLogin(
  database: Database,
  { address, email, device }: Guest,
  { secretKey, logins }: LoginLimits,
  now: Date,
): Promise<CountedTry> {
  const key = (by: "address" | "email" | "device", value: string) => limitKey(secretKey, "login", by, value);
  const ofAccount = { most: logins.perAccount, windowSeconds: logins.windowSeconds, now, isRenewed: true };
  // Many people share an address, and some of them are always there: its window ends by itself.
  const ofAddress = { most: logins.perAddress, windowSeconds: logins.windowSeconds, now };
  // Always in this order, so that no two transactions wait for each other.
  const counted =
    device === null
      ? [[key("address", address), ofAddress] as const, [key("email", email), ofAccount] as const]
      : [[key("device", device), ofAccount] as const];
  await database.transaction().execute(async (transaction) => {
    for (const [one, window] of counted) {
      const refusal = await count(transaction, one, window);
      if (refusal !== null) throw new AppError("too_many_tries", refusal);
    }
  });
  return { keys: counted.map(([one]) => one), isKnownDevice: device !== null };
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
  "reset letter": { most: 3, windowSeconds: HOUR, problem: "too_many_letters" },
  "reset letter from one place": { most: 20, windowSeconds: HOUR, problem: "too_many_letters" },
  "verification letter": { most: 3, windowSeconds: HOUR, problem: "too_many_letters" },
} as const satisfies Record<string, { most: number; windowSeconds: number; problem: Problem }>;

type Act = {
  readonly act: keyof typeof acts;
  readonly by: "address" | "email" | "user";
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
