import { sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import { transact } from "#shared/database/transact.ts";
import { allOf, type Condition, isInTime, passesFilter, searchConditions } from "./conditions.ts";
import { sumDays, sumFound } from "./donation-days.ts";
import type { DonationFilter } from "./donation-filter.ts";
import { configureSearch } from "./find-donations.ts";
import { readSearchTerms } from "./search-terms.ts";
import { type DonationSums, isPaidDonation, MAX_COUNTED, noSums, paymentJoined } from "./sum-columns.ts";

const TIMEOUT_MS = 150;

/** `many`: more than 10,000 donations. `slow`: they could not be counted in the time that the list waits for it. */
export type CountedDonations = DonationSums | "many" | "slow";

/** The sums of all donations that pass the filter: from the totals by day, else of up to 10,000 donations. */
export async function sumDonations(
  database: Database,
  filter: DonationFilter,
  timeoutMs = TIMEOUT_MS,
): Promise<CountedDonations> {
  return readInTime(database, timeoutMs, async (transaction) => {
    const ofDays = await sumDays(transaction, filter);
    if (ofDays !== null) return ofDays;
    const found = await selectFound(transaction, filter);
    if (found === null) return noSums;
    const sums = await sumFound(transaction, found);
    return sums.count > MAX_COUNTED ? "many" : sums;
  });
}

async function readInTime<Found>(
  database: Database,
  timeoutMs: number,
  read: (transaction: Connection) => Promise<Found>,
): Promise<Found | "slow"> {
  try {
    return await transact(database, async (transaction) => {
      await configureSearch(transaction, timeoutMs);
      return { result: await read(transaction) };
    });
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELED) return "slow";
    throw error;
  }
}

/** The donations `d` that pass the filter, one more than are added up; null if the words can find none. */
async function selectFound(transaction: Connection, filter: DonationFilter) {
  const terms = await readSearchTerms(transaction, filter.q);
  const alternatives = terms === null ? [] : searchConditions(terms);
  if (terms !== null && alternatives.length === 0) return null;
  const matchesTerms: Condition[] =
    alternatives.length === 0 ? [] : [sql<boolean>`(${sql.join(alternatives, sql` or `)})`];
  const conditions = [...isInTime(filter), ...passesFilter(filter, false), ...matchesTerms];
  return sql`(select d.* from donations d where ${allOf(conditions)} limit ${MAX_COUNTED + 1}) d`;
}

/**
 * What the paid donations that pass the filter gave to its fund, without fees. Null without a fund, and if they are too
 * many to add up for a screen.
 */
export async function sumPart(database: Database, filter: DonationFilter): Promise<number | null> {
  const { fund } = filter;
  if (fund === null) return null;
  const part = await readInTime(database, TIMEOUT_MS, async (transaction) => {
    const found = await selectFound(transaction, filter);
    if (found === null) return 0;
    const { rows } = await sql<{ count: number; cents: number }>`
      select count(*)::integer as count, coalesce(sum((select sum(line.line_cents) from donation_lines line
               where line.donation_id = d.id and line.fund = ${fund})) filter (where ${isPaidDonation}), 0)::bigint as cents
        from ${found} ${paymentJoined}`.execute(transaction);
    const { count, cents } = rows[0]!;
    return count > MAX_COUNTED ? null : cents;
  });
  return part === "slow" ? null : part;
}

/** PostgreSQL's error code for a statement that took too long. */
export const QUERY_CANCELED = "57014";
