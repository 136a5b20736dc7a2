import type { FastifyRequest } from "fastify";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { count, forgetCount, readCounts, takeBack, tally } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { browserOf } from "#shared/sessions/browser.ts";

/**
 * After this many wrong passwords and codes a browser has to wait, and after as many for one person their account is
 * guarded.
 */
export const MAX_WRONG_TRIES = 5;
/** Several people may share an address. */
const MAX_TRIES_OF_ADDRESS = 20;
const WINDOW_SECONDS = 900;
/** A person's account stays guarded for a day after the last failed attempt; one email a day says so. */
const GUARD_SECONDS = 86_400;

type CountedTry = {
  readonly keys: { readonly address: string; readonly browser: string | null; readonly person: string | null };
  /** The tries for the email since the last right one, including this one; 0 without an email. */
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
    const refuseAbove = async (key: string, max: number, isRenewed: boolean) => {
      const refusal = await count(transaction, key, { max, windowSeconds: WINDOW_SECONDS, now, isRenewed });
      if (refusal !== null) throw new AppError("too_many_tries", refusal);
    };
    // Always in this order, so that transactions can't deadlock.
    await refuseAbove(address, MAX_TRIES_OF_ADDRESS, false);
    if (browser !== null) await refuseAbove(browser, MAX_WRONG_TRIES, true);
    return person === null ? 0 : tally(transaction, person, { windowSeconds: GUARD_SECONDS, now });
  });
  return { keys: { address, browser, person }, ofPerson };
}

/** Call it for a right password and code: resets the counts of browser and person. */
export async function creditTry(
  connection: Connection,
  { keys: { address, browser, person } }: Pick<CountedTry, "keys">,
): Promise<void> {
  await takeBack(connection, [address]);
  for (const key of [browser, person]) if (key !== null) await forgetCount(connection, key);
}

/** The key of a person's count of tries; a log-in that the emailed code completes resets it. */
export const forgetTriesFor = (connection: Connection, secretKey: string, email: string): Promise<void> =>
  forgetCount(connection, personKey(secretKey, email));

/** How many more failed attempts this browser has; null if it sends no cookie. */
export async function countTriesLeft(
  connection: Connection,
  { keys: { browser } }: CountedTry,
  now: Date,
): Promise<number | null> {
  if (browser === null) return null;
  const [counted] = await readCounts(connection, [browser], now);
  return MAX_WRONG_TRIES - (counted?.points ?? 0);
}

/** Whether to tell the person about failed attempts now: at most once a day. */
export async function isWarningDue(
  connection: Connection,
  secretKey: string,
  email: string,
  now: Date,
): Promise<boolean> {
  const key = limitKey(secretKey, "staff told of tries", "email", email);
  return (await count(connection, key, { max: 1, windowSeconds: GUARD_SECONDS, now })) === null;
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
      .filter(({ points }) => points >= MAX_WRONG_TRIES)
      .map(({ key, leftMs }) => [byKey.get(key)!, new Date(now.getTime() + leftMs)]),
  );
}
