import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { transact } from "#shared/database/transact.ts";
import { allOf, type Condition, isInTime, passesFilter, waysToMean } from "./conditions.ts";
import { addUp, sumDays } from "./donation-days.ts";
import type { DonationFilter } from "./donation-filter.ts";
import { settleForSearch } from "./find-donations.ts";
import { seek } from "./seek.ts";
import { type DonationSums, MOST_COUNTED, nothing } from "./sum-columns.ts";

const MOST_MS = 150;

/** `many`: more than 10,000 donations. `slow`: they could not be counted in the time that the list waits for it. */
export type Counted = DonationSums | "many" | "slow";

/** The sums of all donations that pass the filter: from the totals by day, else of up to 10,000 donations. */
export async function sumDonations(database: Database, filter: DonationFilter, mostMs = MOST_MS): Promise<Counted> {
  try {
    return await transact<Counted>(database, async (transaction) => {
      await settleForSearch(transaction, mostMs);
      const ofDays = await sumDays(transaction, filter);
      if (ofDays !== null) return { result: ofDays };
      const sought = await seek(transaction, filter.q);
      const ways = sought === null ? [] : waysToMean(sought);
      if (sought !== null && ways.length === 0) return { result: nothing };
      const means: Condition[] = ways.length === 0 ? [] : [sql<boolean>`(${sql.join(ways, sql` or `)})`];
      const conditions = [...isInTime(filter), ...passesFilter(filter, false), ...means];
      const found = sql`(select d.* from donations d where ${allOf(conditions)} limit ${MOST_COUNTED + 1}) d`;
      const sums = await addUp(transaction, found);
      return { result: sums.count > MOST_COUNTED ? "many" : sums };
    });
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELED) return "slow";
    throw error;
  }
}

/** PostgreSQL's error code for a statement that took too long. */
export const QUERY_CANCELED = "57014";
