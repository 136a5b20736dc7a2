import { type RawBuilder, sql } from "kysely";
import { paidStateList } from "#payments/attempts.ts";
import { allowLong } from "#shared/database/allow-long.ts";
import type { Connection } from "#shared/database/connect.ts";
import { DAY_MS } from "#shared/day-length.ts";
import type { CoreServices } from "#shared/jobs/core-services.ts";
import { dayInSydney } from "#shared/language.ts";
import { allOf, always, type Condition, isInTime, passesFilter } from "./conditions.ts";
import type { DonationFilter } from "./donation-filter.ts";
import { donationStates } from "./donation-states.ts";
import { type DonationSums, isPaidDonation, MAX_COUNTED, paymentJoined, sumColumns } from "./sum-columns.ts";

/**
 * Reads this many events and entries before the last counted one again: transactions in progress at that time may have
 * committed since.
 */
const OVERLAP = 1000;
const CHECK_EVERY_MS = DAY_MS;

type Progress = { readonly event_id: number | null; readonly entry_id: number | null };
const dayOf = (column: string) => sql`(${sql.ref(column)} at time zone 'Australia/Sydney')::date`;

/**
 * Counts each day that has new payments, refunds or moves between funds; everything at first, and again if a daily look
 * finds donations that are not counted. Safe in several processes.
 */
export function keepDonationDays({ database, now }: CoreServices<"database" | "now">): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    // Skipped while another process counts.
    const progress = await transaction
      .selectFrom("donation_days_progress")
      .selectAll()
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (progress === undefined) return;
    await allowLong(transaction);
    const last = await findLast(transaction);
    const isDue = progress.checked_at === null || now().getTime() - progress.checked_at.getTime() >= CHECK_EVERY_MS;
    const isWhole = progress.event_id !== null && !(isDue && (await missesDonations(transaction)));
    if (isWhole) await recount(transaction, await listChangedDays(transaction, progress));
    else await recount(transaction, null);
    await transaction
      .updateTable("donation_days_progress")
      .set({ ...last, ...(isDue ? { checked_at: now() } : {}) })
      .execute();
  });
}

async function findLast(connection: Connection): Promise<{ event_id: number; entry_id: number }> {
  const { rows } = await sql<{ event_id: number; entry_id: number }>`
    select coalesce((select max(id) from payment_events), 0) as event_id,
           coalesce((select max(id) from ledger_entries), 0) as entry_id`.execute(connection);
  return rows[0]!;
}

async function missesDonations(connection: Connection): Promise<boolean> {
  const { rows } = await sql<{ misses: boolean }>`
    select (select count(*) from donations) is distinct from
           (select sum(donations) from donation_days where fund = '') as misses`.execute(connection);
  return rows[0]!.misses;
}

/** The days of the donations whose payments, refunds or funds changed since the last count, or shortly before it. */
async function listChangedDays(connection: Connection, { event_id, entry_id }: Progress): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct ${dayOf("donation.created_at")}::text as day
      from (select attempt_id from payment_events where id > ${event_id! - OVERLAP}
            union
            select attempt_id from ledger_entries where id > ${entry_id! - OVERLAP}) changed
      join payment_attempts attempt on attempt.id = changed.attempt_id
      join donations donation on donation.id = attempt.donation_id`.execute(connection);
  return rows.map(({ day }) => day);
}

/** Counts these days, or all of them. */
async function recount(transaction: Connection, days: readonly string[] | null): Promise<void> {
  await sql`delete from donation_days where ${days === null ? always : sql`day = any(${days}::date[])`}`.execute(
    transaction,
  );
  const [given, ofFunds] =
    days === null
      ? [sql`donations d`, sql`donation_funds f join donations d on d.id = f.donation_id`]
      : [givenOn(days), sql`${givenOn(days)} join donation_funds f on f.donation_id = d.id`];
  await sql`
    insert into donation_days (day, fund, method, state, donations, given_cents, fee_cents, admin_fee_cents, refunded_cents)
    select ${dayOf("d.created_at")}, fund, d.method, coalesce(payment.state, ''), ${sumColumns}
      from (select '' as fund, d.* from ${given} union all select f.fund, d.* from ${ofFunds}) d ${paymentJoined}
     group by 1, 2, 3, 4`.execute(transaction);
}

/** The donations given on any of the days, each day found by the index of time. */
const givenOn = (days: readonly string[]) => sql`unnest(${days}::date[]) as given_day join donations d
  on d.created_at >= given_day::timestamp at time zone 'Australia/Sydney'
  and d.created_at < (given_day + 1)::timestamp at time zone 'Australia/Sydney'`;

/**
 * The sums from the totals by day; days that changed since they were counted are added up from their donations. Null if
 * the totals cannot tell: nothing was counted yet, or the filter has words, amounts or single donations.
 */
export async function sumDays(connection: Connection, filter: DonationFilter): Promise<DonationSums | "many" | null> {
  const { q, minCents, maxCents, ids } = filter;
  if (q !== "" || minCents !== null || maxCents !== null || ids !== null) return null;
  const progress = await connection.selectFrom("donation_days_progress").selectAll().executeTakeFirst();
  if (progress === undefined || progress.event_id === null) return null;
  const changed = await listChangedDays(connection, progress);
  const live = await sumFound(
    connection,
    sql`(select d.* from ${givenOn(changed)}
          where ${allOf([...isInTime(filter), ...passesFilter(filter, true)])} limit ${MAX_COUNTED + 1}) d`,
  );
  if (live.count > MAX_COUNTED) return "many";
  const { rows } = await sql<DonationSums>`
    select coalesce(sum(donations), 0)::bigint as count, coalesce(sum(given_cents), 0)::bigint as "givenCents",
           coalesce(sum(fee_cents), 0)::bigint as "feeCents", coalesce(sum(admin_fee_cents), 0)::bigint as "adminFeeCents",
           coalesce(sum(refunded_cents), 0)::bigint as "refundedCents",
           coalesce(sum(donations) filter (where state in ${paidStateList}), 0)::bigint as "paidCount"
      from donation_days where ${allOf([...passesByDay(filter), sql<boolean>`day <> all(${changed}::date[])`])}`.execute(
    connection,
  );
  const counted = rows[0]!;
  const names = Object.keys(counted) as (keyof DonationSums)[];
  return Object.fromEntries(names.map((name) => [name, counted[name] + live[name]])) as DonationSums;
}

/** The sums of the donations `found d`. */
export async function sumFound(connection: Connection, found: RawBuilder<unknown>): Promise<DonationSums> {
  const { rows } = await sql<DonationSums>`
    select sums.* from (select ${sumColumns}, count(*) filter (where ${isPaidDonation}) from ${found} ${paymentJoined})
      as sums (count, "givenCents", "feeCents", "adminFeeCents", "refundedCents", "paidCount")`.execute(connection);
  return rows[0]!;
}

function passesByDay({ from, until, method, fund, state }: DonationFilter): Condition[] {
  return [
    sql<boolean>`fund = ${fund ?? ""}`,
    ...(from === null ? [] : [sql<boolean>`day >= ${dayInSydney(from)}::date`]),
    ...(until === null ? [] : [sql<boolean>`day < ${dayInSydney(until)}::date`]),
    ...(method === null ? [] : [sql<boolean>`method = ${method}`]),
    ...(state === null ? [] : [sql<boolean>`state in (${sql.join(donationStates[state].states)})`]),
  ];
}
