import type { FastifyRequest } from "fastify";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { count, forgetCount, readCounts, takeBack, tally } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { browserOf } from "#shared/sessions/browser.ts";

/** Wrong passwords and codes of one browser before it has to wait, and for one person before the site is on guard. */
export const MOST_WRONG_TRIES = 5;
/** Several people may share an address. */
const MOST_OF_ADDRESS = 20;
const WINDOW_SECONDS = 900;
/** For a day after the last try for a person the site stays on guard, and it sends one email a day about it. */
const GUARD_SECONDS = 86_400;

export type CountedTry = {
  readonly keys: { readonly address: string; readonly browser: string | null; readonly person: string | null };
  /** The tries for the email since one was right, this one included; 0 without an email. */
  readonly ofPerson: number;
};

const personKey = (secretKey: string, email: string) => limitKey(secretKey, "staff log-in", "email", email);

/**
 * Counts a try before it is checked, whether or not somebody has that email. Only browser and address are paused: an
 * account that a stranger could pause by naming it would lock out its owner (SEC-4). @throws AppError `too_many_tries`.
 */
export async function countTry(
  database: Database,
  secretKey: string,
  { request, email }: { readonly request: FastifyRequest; readonly email: string | null },
  now: Date,
): Promise<CountedTry> {
  const id = browserOf(request);
  const address = limitKey(secretKey, "staff log-in", "address", request.ip);
  const browser = id === undefined ? null : limitKey(secretKey, "staff log-in", "browser", id);
  const person = email === null ? null : personKey(secretKey, email);
  const ofPerson = await database.transaction().execute(async (transaction) => {
    const refuseAbove = async (key: string, most: number, isRenewed: boolean) => {
      const refusal = await count(transaction, key, { most, windowSeconds: WINDOW_SECONDS, now, isRenewed });
      if (refusal !== null) throw new AppError("too_many_tries", refusal);
    };
    // Always in this order, so that transactions can't deadlock.
    await refuseAbove(address, MOST_OF_ADDRESS, false);
    if (browser !== null) await refuseAbove(browser, MOST_WRONG_TRIES, true);
    return person === null ? 0 : tally(transaction, person, { windowSeconds: GUARD_SECONDS, now });
  });
  return { keys: { address, browser, person }, ofPerson };
}

/** For a right password and code: browser and person begin again from zero. */
export async function creditTry(
  connection: Connection,
  { keys: { address, browser, person } }: Pick<CountedTry, "keys">,
): Promise<void> {
  await takeBack(connection, [address]);
  for (const key of [browser, person]) if (key !== null) await forgetCount(connection, key);
}

/** The count of tries for a person, to be forgotten with a log-in that the emailed code completes. */
export const forgetTriesFor = (connection: Connection, secretKey: string, email: string): Promise<void> =>
  forgetCount(connection, personKey(secretKey, email));

/** How many more wrong tries this browser has; null if it sends no cookie. */
export async function countTriesLeft(
  connection: Connection,
  { keys: { browser } }: CountedTry,
  now: Date,
): Promise<number | null> {
  if (browser === null) return null;
  const [counted] = await readCounts(connection, [browser], now);
  return MOST_WRONG_TRIES - (counted?.points ?? 0);
}

/** Whether the person is to be told of wrong tries now: once a day. */
export async function isTimeToTell(
  connection: Connection,
  secretKey: string,
  email: string,
  now: Date,
): Promise<boolean> {
  const key = limitKey(secretKey, "staff told of tries", "email", email);
  return (await count(connection, key, { most: 1, windowSeconds: GUARD_SECONDS, now })) === null;
}

/** Until when browsers that a person has not used before need an emailed code, by the people's emails. */
export async function listGuarded(
  connection: Connection,
  secretKey: string,
  emails: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  const byKey = new Map(emails.map((email) => [personKey(secretKey, email), email]));
  const counts = await readCounts(connection, [...byKey.keys()], now);
  return new Map(
    counts
      .filter(({ points }) => points >= MOST_WRONG_TRIES)
      .map(({ key, leftMs }) => [byKey.get(key)!, new Date(now.getTime() + leftMs)]),
  );
}
