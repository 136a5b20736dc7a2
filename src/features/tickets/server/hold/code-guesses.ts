import { count, readCounts } from "#shared/limits/count.ts";
import { limitKey } from "#shared/limits/limit-key.ts";
import type { HoldServices } from "./decide-hold.ts";

/** Unknown discount codes from one network address; beyond that it can use none, so that nobody finds one by trying. */
const GUESSES = { max: 30, windowSeconds: 900 };

export const TOO_MANY_GUESSES =
  "Your network has sent too many codes that we don’t know. Wait 15 minutes, or go on without a code.";

/** Whether too many unknown codes came from this network address. Counts this one if it is unknown. */
export async function isGuessing(
  { database, config }: Pick<HoldServices, "database" | "config">,
  { address, isKnown, now }: { readonly address: string; readonly isKnown: boolean; readonly now: Date },
): Promise<boolean> {
  const key = limitKey(config.secretKey, "discount code", "address", address);
  if (!isKnown) return (await count(database, key, { ...GUESSES, now })) !== null;
  const [counted] = await readCounts(database, [key], now);
  return counted !== undefined && counted.points > GUESSES.max;
}
