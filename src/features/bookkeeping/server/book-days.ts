import { sql } from "kysely";
import { allowLong } from "#shared/database/allow-long.ts";
import type { Connection, Database } from "#shared/database/connect.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { addDays, startOfDayInSydney } from "#shared/language.ts";

/**
 * Reads this many entries before the last counted one again: transactions in progress at that time may have committed
 * since.
 */
const OVERLAP = 1000;
/** A screen counts at most this many entries; the scheduled task counts the rest within ten minutes. */
const MAX_FOR_SCREEN = 100_000;
/** Nor, in a long ledger, more days than this, because entries of an import may belong to any day. */
const MAX_DAYS_FOR_SCREEN = 14;
const MAX_DAYS_AT_ONCE = 31;
const CHECK_EVERY_MS = DAY_MS;

const inSydney = (at: string) => sql.raw(`(${at} at time zone 'Australia/Sydney')::date`);

/**
 * Recounts the totals of the days that have new ledger entries. Returns whether the totals are up to date; false while
 * another process counts, or if there is too much to count for a screen.
 */
export function countNewEntries(database: Database, limit: number = MAX_FOR_SCREEN): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const progress = await lockProgress(transaction);
    if (progress === undefined) return false;
    const isScreen = limit !== Number.POSITIVE_INFINITY;
    if (!isScreen) await allowLong(transaction);
    const last = await lastEntry(transaction);
    if (isScreen && last === progress.counted_id) return true;
    if (last - progress.counted_id > limit) return false;
    const { rows } = await sql<{ day: string; isNew: boolean }>`
      select case when entry.refund_id is null then ${inSydney("attempt.created_at")}
                  else ${inSydney("entry.at")} end as day, bool_or(entry.id > ${progress.counted_id}) as "isNew"
        from ledger_entries entry join payment_attempts attempt on attempt.id = entry.attempt_id
       where entry.id > ${progress.counted_id - OVERLAP} and entry.id <= ${last}
       group by 1 order by 1`.execute(transaction);
    const isMuch = isScreen && last > MAX_FOR_SCREEN && rows.length > MAX_DAYS_FOR_SCREEN;
    const days = rows.filter(({ isNew }) => isNew || !isMuch).map(({ day }) => day);
    if (isMuch && days.length > MAX_DAYS_FOR_SCREEN) return false;
    for (const joined of joinDays(days)) await recount(transaction, joined);
    await transaction.updateTable("book_days_progress").set({ counted_id: last }).execute();
    return true;
  });
}

/** Undefined while another process counts. */
function lockProgress(transaction: Connection) {
  return transaction.selectFrom("book_days_progress").selectAll().forUpdate().skipLocked().executeTakeFirst();
}

async function lastEntry(connection: Connection): Promise<number> {
  const { last } = await connection
    .selectFrom("ledger_entries")
    .select(({ fn }) => fn.max("id").as("last"))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

type Days = { readonly first: string; last: string; count: number };

/** Joins consecutive days into ranges. */
function joinDays(days: readonly string[]): Days[] {
  const joined: Days[] = [];
  for (const day of days) {
    const open = joined.at(-1);
    if (open !== undefined && addDays(open.last, 1) === day && open.count < MAX_DAYS_AT_ONCE) {
      open.last = day;
      open.count += 1;
    } else joined.push({ first: day, last: day, count: 1 });
  }
  return joined;
}

async function recount(transaction: Connection, { first, last }: Days): Promise<void> {
  const start = startOfDayInSydney(first);
  const end = startOfDayInSydney(addDays(last, 1));
  await transaction.deleteFrom("book_days").where("day", ">=", first).where("day", "<=", last).execute();
  await sql`
    insert into book_days (day, subject, provider, account, is_refund, movements, amount_cents)
    select day, subject, provider, account, is_refund, count(*), sum(cents) from (
      select day, subject, provider, account, is_refund, moved_by, sum(amount_cents) as cents from (
        select ${inSydney("attempt.created_at")} as day, ${subjectOf}, attempt.provider, entry.account,
               false as is_refund, attempt.id as moved_by, entry.amount_cents
          from payment_attempts attempt
          join ledger_entries entry on entry.attempt_id = attempt.id and entry.refund_id is null
         where attempt.created_at >= ${start} and attempt.created_at < ${end}
        union all
        select ${inSydney("entry.at")}, ${subjectOf}, attempt.provider, entry.account, true, entry.refund_id,
               entry.amount_cents
          from ledger_entries entry join payment_attempts attempt on attempt.id = entry.attempt_id
         where entry.refund_id is not null and entry.at >= ${start} and entry.at < ${end}
      ) entries group by 1, 2, 3, 4, 5, 6 having sum(amount_cents) <> 0
    ) movements group by 1, 2, 3, 4, 5`.execute(transaction);
}

const subjectOf = sql.raw("case when attempt.donation_id is null then 'tickets' else 'donation' end as subject");

/**
 * Counts everything new and, once a day, compares the totals with the whole ledger; if they differ, everything is
 * counted again. Safe in several processes.
 */
export async function keepBookDays(database: Database, now: Date): Promise<void> {
  await countNewEntries(database, Number.POSITIVE_INFINITY);
  const isEqual = await database.transaction().execute(async (transaction) => {
    const progress = await lockProgress(transaction);
    if (progress === undefined) return true;
    const { checked_at, counted_id } = progress;
    await allowLong(transaction);
    if (checked_at !== null && now.getTime() - checked_at.getTime() < CHECK_EVERY_MS) return true;
    const { rows } = await sql<{ account: string }>`
      select account from (
        select account, sum(amount_cents) as cents from ledger_entries where id <= ${counted_id} group by account
        union all
        select account, -sum(amount_cents) from book_days group by account
      ) both_sides group by account having sum(cents) <> 0`.execute(transaction);
    const isRight = rows.length === 0;
    await transaction
      .updateTable("book_days_progress")
      .set({ checked_at: now, ...(isRight ? {} : { counted_id: 0 }) })
      .execute();
    return isRight;
  });
  if (!isEqual) await countNewEntries(database, Number.POSITIVE_INFINITY);
}
