import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { ACCOUNTS_SETTING, type JournalAccount, listAccounts } from "../accounts.ts";
import type { JournalDay } from "../journal-formats.ts";

/** A journal that was exported. */
type JournalBatch = {
  readonly id: number;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly madeAt: Date;
  readonly madeBy: string;
  readonly days: number;
  readonly corrections: number;
  readonly lines: number;
};

type Waiting = { day: string; account: string; cents: number };

/** What is still to be exported of these days: the ledger's totals less what was exported. Only days that are over. */
function selectWaiting(first: string, last: string) {
  return sql<Waiting>`
    select day, account, sum(cents)::bigint as cents from (
      select day::text as day, account, amount_cents as cents from book_days where day >= ${first} and day <= ${last}
      union all
      select out.day::text, line.account, -line.amount_cents
        from journal_days out join journal_lines line on line.journal_day_id = out.id
       where out.day >= ${first} and out.day <= ${last}
    ) owed group by day, account having sum(cents) <> 0 order by day, account`;
}

/** The days up to `last` that were not exported yet, or have changed since. */
export async function countWaiting(connection: Connection, last: string) {
  const { rows } = await sql<{ days: number; corrections: number; firstDay: string | null }>`
    select count(*)::int as days, count(*) filter (where exists (
        select from journal_days out where out.day = waiting.day::date))::int as corrections,
      min(waiting.day) as "firstDay"
      from (select distinct day from (${selectWaiting("-infinity", last)}) owed) waiting`.execute(connection);
  return rows[0]!;
}

/**
 * Writes what is still to be exported as journals: of a day, or of a correction to a day that was exported before. Null
 * if there is nothing. If two callers do this at the same time, the second waits and finds nothing.
 */
export async function makeJournal(
  transaction: Connection,
  { first, last, by, now }: { first: string; last: string; by: number; now: Date },
): Promise<{ id: number; days: number; lines: number } | null> {
  await sql`select pg_advisory_xact_lock(hashtext('journal'))`.execute(transaction);
  const { rows } = await selectWaiting(first, last).execute(transaction);
  if (rows.length === 0) return null;
  const { id } = await transaction
    .insertInto("journal_batches")
    .values({ first_day: first, last_day: last, made_by: by, made_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const days = await transaction
    .insertInto("journal_days")
    .values(
      [...byDay.keys()].map((day) => ({
        batch_id: id,
        day,
        part: sql<number>`(select count(*) + 1 from journal_days out where out.day = ${day})`,
      })),
    )
    .returning(["id", "day"])
    .execute();
  // As arrays: the lines of several years are more than a statement may have parameters.
  const lines = days.flatMap(({ id, day }) => byDay.get(day)!.map((line) => ({ id, ...line })));
  await sql`
    insert into journal_lines (journal_day_id, account, amount_cents)
    select * from unnest(${lines.map(({ id }) => id)}::bigint[], ${lines.map(({ account }) => account)}::text[],
      ${lines.map(({ cents }) => cents)}::bigint[])`.execute(transaction);
  return { id, days: days.length, lines: rows.length };
}

/** The exported journals of these days, or of one batch, in the order of days. */
export async function readJournal(
  connection: Connection,
  of: { first: string; last: string } | { batch: number },
): Promise<JournalDay[]> {
  const rows = await connection
    .selectFrom("journal_days as out")
    .innerJoin("journal_lines as line", "line.journal_day_id", "out.id")
    .select(["out.id", "out.day", "out.part", "line.account", "line.amount_cents as cents"])
    .where((where) =>
      "batch" in of
        ? where("out.batch_id", "=", of.batch)
        : where.and([where("out.day", ">=", of.first), where("out.day", "<=", of.last)]),
    )
    .orderBy("out.day")
    .orderBy("out.part")
    .orderBy(sql`line.amount_cents < 0`)
    .orderBy("line.account")
    .execute();
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((lines) => {
    const { id, day, part } = lines[0]!;
    return { id, day, part, lines: lines.map(({ account, cents }) => ({ account, cents })) };
  });
}

/** The newest journals, at most 50. */
export async function listBatches(connection: Connection): Promise<JournalBatch[]> {
  const { rows } = await sql<JournalBatch>`
    select batch.id, batch.first_day as "firstDay", batch.last_day as "lastDay", batch.made_at as "madeAt",
      coalesce(staff.name, '') as "madeBy", count(distinct out.id)::int as days,
      count(distinct out.id) filter (where out.part > 1)::int as corrections, count(*)::int as lines
      from journal_batches batch join journal_days out on out.batch_id = batch.id
      join journal_lines line on line.journal_day_id = out.id left join staff on staff.id = batch.made_by
     group by batch.id, staff.name order by batch.id desc limit 50`.execute(connection);
  return [...rows];
}

/** The accounts, with the organisation's own codes if it has set any. */
export const readAccounts = async (connection: Connection) => (await readAccountSettings(connection)).accounts;

/** The same, with the organisation's changes and a version that differs after every change. */
export async function readAccountSettings(connection: Connection) {
  const [funds, setting] = await Promise.all([
    connection.selectFrom("donation_categories").select(["fund", "title"]).orderBy("id").execute(),
    connection
      .selectFrom("site_settings")
      .select(["value", "updated_at"])
      .where("key", "=", ACCOUNTS_SETTING)
      .executeTakeFirst(),
  ]);
  const set = (setting?.value ?? {}) as Readonly<Record<string, Partial<JournalAccount>>>;
  return { accounts: listAccounts(funds, set), set, version: setting?.updated_at.toISOString() ?? "" };
}
