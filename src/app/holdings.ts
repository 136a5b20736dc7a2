import type { Connection } from "#shared/database/connect.ts";
import type { Holdings, Person, PersonSubject, RetentionRule } from "#shared/retention/retention.ts";
import { allFeatures } from "./feature.ts";
import type { Services } from "./services.ts";
import { siteHoldings } from "./site-holdings.ts";

/** What each part of the site keeps, in the order of the privacy policy. */
export function listHoldings(
  services: Pick<Services, "sessions" | "staffSessions" | "database" | "files" | "jobs" | "now" | "config">,
): Holdings[] {
  return [...allFeatures.map((feature) => feature.holdings(services)), siteHoldings];
}

export const rulesOf = (holdings: readonly Holdings[]): RetentionRule[] => holdings.flatMap(({ rules }) => rules);

/** The same with files, which may be in a bucket: outside of any transaction. @throws AppError `files_away` */
export async function fillExport<Held extends Record<string, unknown>>(
  holdings: readonly Holdings[],
  held: Held,
): Promise<Held> {
  for (const each of holdings) await each.fillExport?.(held);
  return held;
}

/** Everything we hold on a person (PRO-12), without files: `fillExport` adds them. `subjects`: only for a download by staff (PER-7). */
export async function exportPerson(
  connection: Connection,
  holdings: readonly Holdings[],
  person: Person,
  subjects: readonly PersonSubject[] = [],
): Promise<Record<string, unknown>> {
  const held: Record<string, unknown> = {};
  for (const { exportOf } of holdings) Object.assign(held, await exportOf?.(connection, person, subjects));
  return held;
}

/** Runs before an account is deleted (PRO-11) or when staff erase a person (PER-8), in the same transaction. */
export async function releasePerson(
  transaction: Connection,
  holdings: readonly Holdings[],
  { person, now }: { person: Person; now: Date },
): Promise<void> {
  for (const { release } of holdings) await release?.(transaction, person, now);
}

/** Adds the donations made with this email as a guest to the account. Returns how many. */
export async function joinGuestDonations(
  connection: Connection,
  person: { readonly userId: number; readonly email: string },
): Promise<number> {
  let joined = 0;
  for (const { joinGuest } of allFeatures) joined += (await joinGuest?.(connection, person)) ?? 0;
  return joined;
}
