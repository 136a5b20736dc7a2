import { addDays } from "#shared/language.ts";

/** A month, or a financial year from July to June; both days belong to it. */
export type Period = {
  readonly kind: "month" | "year";
  /** '2026-11', or '2026-27' for July 2026 to June 2027. */
  readonly key: string;
  readonly first: string;
  readonly last: string;
};

const pad = (number: number) => String(number).padStart(2, "0");

/** The month of a day such as '2026-11-24'. `last` is included. */
export function monthOf(day: string): Period {
  const key = day.slice(0, 7);
  const [year, month] = key.split("-").map(Number) as [number, number];
  const next = month === 12 ? `${year + 1}-01-01` : `${year}-${pad(month + 1)}-01`;
  return { kind: "month", key, first: `${key}-01`, last: addDays(next, -1) };
}

/** The financial year of a day, from 1 July to 30 June; its key is '2026-27'. */
export function yearOf(day: string): Period {
  const year = Number(day.slice(0, 4)) - (day.slice(5) < "07-01" ? 1 : 0);
  return { kind: "year", key: `${year}-${pad((year + 1) % 100)}`, first: `${year}-07-01`, last: `${year + 1}-06-30` };
}

/** Null if the key is invalid. '2001-02' is a month; keys of years from 2013-14 on cannot be one. */
export function readPeriod(key: string): Period | null {
  const [year, rest] = (/^(20\d\d)-(\d\d)$/.exec(key) ?? []).slice(1).map(Number);
  if (year === undefined || rest === undefined) return null;
  if (rest >= 1 && rest <= 12) return monthOf(`${key}-01`);
  return rest === (year + 1) % 100 ? yearOf(`${year}-07-01`) : null;
}

/** The previous month or financial year. */
export function periodBefore({ kind, first }: Period): Period {
  const day = addDays(first, -1);
  return kind === "month" ? monthOf(day) : yearOf(day);
}

/** The same month a year earlier, or the previous financial year. */
export function yearBefore(period: Period): Period {
  if (period.kind === "year") return periodBefore(period);
  return monthOf(`${Number(period.first.slice(0, 4)) - 1}${period.first.slice(4)}`);
}

/** The months of a financial year. */
export function monthsOf({ first, last }: Period): Period[] {
  const months: Period[] = [];
  for (let day = first; day <= last; ) {
    const month = monthOf(day);
    months.push(month);
    day = addDays(month.last, 1);
  }
  return months;
}
