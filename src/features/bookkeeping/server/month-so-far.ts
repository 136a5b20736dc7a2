import { sql } from "kysely";
import type { Figure } from "#admin/dashboard.ts";
import type { Database } from "#shared/database/connect.ts";
import { addDays, dayInSydney } from "#shared/language.ts";
import { monthOf, type Period, periodBefore } from "../periods.ts";
import { countNewEntries } from "./book-days.ts";

type DayRow = {
  readonly day: string;
  readonly gifts: number;
  readonly givenCents: number;
  readonly refundedCents: number;
};

/**
 * What was given and refunded this month so far, and on the same days of the previous month, from the totals by day.
 */
export async function listMonthSoFar(database: Database, now: Date): Promise<Figure[]> {
  await countNewEntries(database);
  const today = dayInSydney(now);
  const month = monthOf(today);
  const before = periodBefore(month);
  const { rows } = await sql<DayRow>`
    select to_char(day, 'YYYY-MM-DD') as day,
           coalesce(sum(movements) filter (where not is_refund), 0)::integer as gifts,
           coalesce(sum(amount_cents) filter (where not is_refund), 0)::bigint as "givenCents",
           coalesce(-sum(amount_cents) filter (where is_refund), 0)::bigint as "refundedCents"
      from book_days
     where day >= ${before.first} and day <= ${today} and subject = 'donation' and account like 'receivable:%'
     group by day`.execute(database);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const so = runningTotals(byDay, month, today);
  const then = runningTotals(byDay, before, before.last);
  const pick = (label: string, unit: Figure["unit"], value: (sum: DayRow) => number): Figure => {
    const days = so.map(value);
    const daysBefore = then.map(value);
    const sameDay = Math.min(days.length, daysBefore.length) - 1;
    return { label, unit, now: days.at(-1)!, before: daysBefore[sameDay]!, days, daysBefore };
  };
  return [
    pick("Given", "cents", ({ givenCents }) => givenCents),
    pick("Donations", "count", ({ gifts }) => gifts),
    pick("Average donation", "cents", ({ givenCents, gifts }) => (gifts === 0 ? 0 : Math.round(givenCents / gifts))),
    pick("Refunded", "cents", ({ refundedCents }) => refundedCents),
  ];
}

/** The totals from the period's first day to each day, up to `last`. */
function runningTotals(byDay: ReadonlyMap<string, DayRow>, { first }: Period, last: string): DayRow[] {
  const totals: DayRow[] = [];
  let total: DayRow = { day: first, gifts: 0, givenCents: 0, refundedCents: 0 };
  for (let day = first; day <= last; day = addDays(day, 1)) {
    const row = byDay.get(day);
    total = {
      day,
      gifts: total.gifts + (row?.gifts ?? 0),
      givenCents: total.givenCents + (row?.givenCents ?? 0),
      refundedCents: total.refundedCents + (row?.refundedCents ?? 0),
    };
    totals.push(total);
  }
  return totals;
}
