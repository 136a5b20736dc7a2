import { sql } from "kysely";
import type { Run } from "#payments/reconciliation/reconciliation-store.ts";
import type { Connection } from "#shared/database/connect.ts";
import { addDays, dayInSydney } from "#shared/language.ts";

/**
 * `differs`: a difference is open. `unread`: a provider's books could not be read. `closed`: a person closed the day's
 * differences with a reason.
 */
export type DayState = "differs" | "unread" | "comparing" | "not compared" | "closed" | "agrees";

export type BookedDay = {
  readonly day: string;
  readonly state: DayState;
  readonly runs: readonly Run[];
  readonly open: number;
  /** Differences that were resolved, or closed by a person. */
  readonly ended: number;
  /** The last reason that a person gave. */
  readonly closedBecause: string;
};

/** How many days a screen lists. */
const MAX_DAYS = 31;

/** Days before `before`, newest first, back to the first payment. `older` is null if there are no more. */
export async function listDays(
  connection: Connection,
  before: string,
): Promise<{ days: BookedDay[]; older: string | null }> {
  const first = await firstDay(connection);
  if (first === null || first >= before) return { days: [], older: null };
  const start = [addDays(before, -MAX_DAYS), first].sort().at(-1)!;
  const days = await readReconciliationDays(connection, start, addDays(before, -1));
  return { days: days.reverse(), older: start > first ? start : null };
}

async function firstDay(connection: Connection): Promise<string | null> {
  const first = await connection
    .selectFrom("payment_attempts")
    .select(({ fn }) => fn.min("created_at").as("at"))
    .executeTakeFirst();
  return first?.at ? dayInSydney(first.at) : null;
}

/** The days from `first` to `last`, oldest first. */
export async function readReconciliationDays(
  connection: Connection,
  first: string,
  last: string,
): Promise<BookedDay[]> {
  const [runs, findings] = await Promise.all([
    connection
      .selectFrom("reconciliation_runs")
      .selectAll()
      .where("day", ">=", first)
      .where("day", "<=", last)
      .orderBy("provider", "desc")
      .execute(),
    connection
      .selectFrom("reconciliation_findings")
      .select(({ fn }) => [
        "day",
        fn.countAll<number>().filterWhere("resolved_at", "is", null).as("open"),
        fn.countAll<number>().filterWhere("resolved_at", "is not", null).as("ended"),
        fn.countAll<number>().filterWhere("closed_at", "is not", null).as("closed"),
        sql<string>`coalesce((array_agg(closed_reason order by closed_at desc)
          filter (where closed_at is not null))[1], '')`.as("closedBecause"),
      ])
      .where("day", ">=", first)
      .where("day", "<=", last)
      .groupBy("day")
      .execute(),
  ]);
  const runsOf = Map.groupBy(runs, ({ day }) => day);
  const found = new Map(findings.map((counts) => [counts.day, counts]));
  const days: BookedDay[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) {
    const { open = 0, ended = 0, closed = 0, closedBecause = "" } = found.get(day) ?? {};
    const dayRuns = runsOf.get(day) ?? [];
    days.push({ day, runs: dayRuns, open, ended, closedBecause, state: stateOf(dayRuns, open, closed) });
  }
  return days;
}

function stateOf(runs: readonly Run[], open: number, closed: number): DayState {
  if (open > 0) return "differs";
  if (runs.some(({ state }) => state === "failed")) return "unread";
  if (runs.some(({ state }) => state === "running")) return "comparing";
  if (runs.length === 0) return "not compared";
  return closed > 0 ? "closed" : "agrees";
}
