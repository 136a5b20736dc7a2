import type { Connection } from "#shared/database/connect.ts";
import type { Holdings, Person, RetentionRule } from "#shared/retention/retention.ts";
import { siteHoldings } from "#shared/retention/site-holdings.ts";
import { allFeatures } from "./feature.ts";
import type { Services } from "./services.ts";

/** What each part of the site keeps, in the order in which the privacy policy shows it. */
export function listHoldings(
  services: Pick<Services, "sessions" | "database" | "jobs" | "now" | "config">,
): Holdings[] {
  return [...allFeatures.map((feature) => feature.holdings(services)), siteHoldings];
}

export const rulesOf = (holdings: readonly Holdings[]): RetentionRule[] => holdings.flatMap(({ rules }) => rules);

/** Everything that is held on a person beside the account itself (PRO-12). */
export async function exportPerson(
  connection: Connection,
  holdings: readonly Holdings[],
  person: Person,
): Promise<Record<string, unknown>> {
  const held: Record<string, unknown> = {};
  for (const { exportOf } of holdings) Object.assign(held, await exportOf?.(connection, person));
  return held;
}

/** What comes before an account is deleted, in its transaction (PRO-11). */
export async function releasePerson(
  transaction: Connection,
  holdings: readonly Holdings[],
  { person, now }: { person: Person; now: Date },
): Promise<void> {
  for (const { release } of holdings) await release?.(transaction, person, now);
}

/** Gives an account what was done with its address before there was one. Returns how many gifts and the like that is. */
export async function joinGuestGifts(
  connection: Connection,
  person: { readonly userId: number; readonly email: string },
): Promise<number> {
  let joined = 0;
  for (const { joinGuest } of allFeatures) joined += (await joinGuest?.(connection, person)) ?? 0;
  return joined;
}
