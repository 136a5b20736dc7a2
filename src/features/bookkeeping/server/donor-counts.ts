import { sql } from "kysely";
import { paidStateList } from "#payments/attempts.ts";
import { allowLong } from "#shared/database/allow-long.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import { monthsOf, type Period, periodBefore, yearOf } from "../periods.ts";

/** Figures about the donors of a period. A donor is an email address; erased ones are not counted. */
export type DonorCounts = {
  readonly donors: number;
  /** Gave for the first time. */
  readonly newDonors: number;
  /** Gave in the previous period, but not in this one. */
  readonly lapsedDonors: number;
  readonly medianCents: number;
  readonly countedAt: Date;
};

/** The scheduled task counts periods with more gifts than this; those counts may be an hour old. */
export const MAX_COUNTED_LIVE = 3000;
const KEPT_MS = 60 * 60_000;

const isPaid = sql`exists (
  select from payment_attempts attempt where attempt.donation_id = donation.id and attempt.state in ${paidStateList})`;

const within = ({ first, last }: Period) => sql`donation.created_at >= ${startOfDayInSydney(first)}
  and donation.created_at < ${startOfDayInSydney(addDays(last, 1))}`;

async function countDonors(connection: Connection, period: Period, now: Date): Promise<DonorCounts> {
  const { rows } = await sql<Omit<DonorCounts, "countedAt">>`
    with gifts as materialized (
      select lower(donation.email) as donor, donation.total_cents
        from donations donation where ${within(period)} and ${isPaid}),
    donors as materialized (select distinct donor from gifts where donor <> '')
    select (select count(*) from donors) as donors,
      (select count(*) from donors where not exists (
        select from donations donation where lower(donation.email) = donors.donor and donation.email <> ''
          and donation.created_at < ${startOfDayInSydney(period.first)} and ${isPaid})) as "newDonors",
      (select count(*) from (
        select lower(donation.email) as donor from donations donation
         where ${within(periodBefore(period))} and donation.email <> '' and ${isPaid}
        except select donor from donors) lapsed) as "lapsedDonors",
      (select coalesce(round(percentile_cont(0.5) within group (order by total_cents)), 0)::bigint
         from gifts) as "medianCents"`.execute(connection);
  return { ...rows[0]!, countedAt: now };
}

/** Counts by the periods' keys: counted now if there are few gifts, otherwise as the scheduled task stored them. */
export async function readDonorCounts(
  connection: Connection,
  periods: readonly Period[],
  { isLive, now }: { isLive: boolean; now: Date },
): Promise<Map<string, DonorCounts>> {
  if (isLive) {
    return new Map(
      await Promise.all(
        periods.map(async (period) => [period.key, await countDonors(connection, period, now)] as const),
      ),
    );
  }
  const rows = await connection
    .selectFrom("donor_counts")
    .selectAll()
    .where(
      "first_day",
      "in",
      periods.map(({ first }) => first),
    )
    .execute();
  return new Map(
    periods.flatMap((period) => {
      const row = rows.find(({ first_day, last_day }) => first_day === period.first && last_day === period.last);
      if (row === undefined) return [];
      return [
        [
          period.key,
          {
            donors: row.donors,
            newDonors: row.new_donors,
            lapsedDonors: row.lapsed_donors,
            medianCents: row.median_cents,
            countedAt: row.counted_at,
          },
        ] as const,
      ];
    }),
  );
}

/** Stores the counts of every month and financial year since the first gift. Periods that are over are counted once. */
export async function keepDonorCounts(database: Database, now: Date): Promise<void> {
  const { first } = await database
    .selectFrom("book_days")
    .select(({ fn }) => fn.min("day").as("first"))
    .where("subject", "=", "donation")
    .executeTakeFirstOrThrow();
  if (first === null) return;
  const today = dayInSydney(now);
  const kept = await database.selectFrom("donor_counts").selectAll().execute();
  const keptAt = new Map(kept.map((row) => [`${row.first_day} ${row.last_day}`, row.counted_at]));
  for (const period of listPeriods(first, today)) {
    const at = keptAt.get(`${period.first} ${period.last}`);
    // Gifts of the last day may be confirmed on the next.
    const isOver = at !== undefined && dayInSydney(at) > addDays(period.last, 1);
    if (isOver || (at !== undefined && now.getTime() - at.getTime() < KEPT_MS)) continue;
    await database.transaction().execute(async (transaction) => {
      await allowLong(transaction);
      await keepCount(transaction, period, await countDonors(transaction, period, now));
    });
  }
}

/** The months and financial years from one day to another, newest years first. */
export function listPeriods(first: string, today: string): Period[] {
  const periods: Period[] = [];
  for (let year = yearOf(today); year.last >= first; year = periodBefore(year)) {
    periods.push(year, ...monthsOf(year).filter((month) => month.first <= today && month.last >= first));
  }
  return periods;
}

async function keepCount(connection: Connection, { first, last }: Period, counts: DonorCounts) {
  const row = {
    donors: counts.donors,
    new_donors: counts.newDonors,
    lapsed_donors: counts.lapsedDonors,
    median_cents: counts.medianCents,
    counted_at: counts.countedAt,
  };
  await connection
    .insertInto("donor_counts")
    .values({ first_day: first, last_day: last, ...row })
    .onConflict((conflict) => conflict.columns(["first_day", "last_day"]).doUpdateSet(row))
    .execute();
}
