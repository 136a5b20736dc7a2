import type { FastifyRequest } from "fastify";
import type { Connection, Database } from "#shared/database/connect.ts";
import { AppError } from "#shared/errors.ts";
import { count, forgetCount, takeBack } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import { browserOf } from "#shared/sessions/browser.ts";

/** Wrong passwords and codes of one browser before it has to wait. */
export const MOST_WRONG_TRIES = 5;
/** Several people may share an address. */
const MOST_OF_ADDRESS = 20;
const WINDOW_SECONDS = 900;

export type CountedTry = { readonly address: string; readonly browser: string | null };

/**
 * Counts a try with a password before it is checked. Only browser and address are paused: an account that a stranger
 * could pause by naming it would lock out its owner (SEC-4). @throws AppError `too_many_tries`.
 */
export async function countTry(
  database: Database,
  secretKey: string,
  request: FastifyRequest,
  now: Date,
): Promise<CountedTry> {
  const id = browserOf(request);
  const address = limitKey(secretKey, "staff log-in", "address", request.ip);
  const browser = id === undefined ? null : limitKey(secretKey, "staff log-in", "browser", id);
  await database.transaction().execute(async (transaction) => {
    const refuseAbove = async (key: string, most: number, isRenewed: boolean) => {
      const refusal = await count(transaction, key, { most, windowSeconds: WINDOW_SECONDS, now, isRenewed });
      if (refusal !== null) throw new AppError("too_many_tries", refusal);
    };
    // Always in this order, so that transactions can't deadlock.
    await refuseAbove(address, MOST_OF_ADDRESS, false);
    if (browser !== null) await refuseAbove(browser, MOST_WRONG_TRIES, true);
  });
  return { address, browser };
}

/** For a right password and code: the browser begins again from zero. */
export async function creditTry(connection: Connection, { address, browser }: CountedTry): Promise<void> {
  await takeBack(connection, [address]);
  if (browser !== null) await forgetCount(connection, browser);
}
