const sydneyDay = new Intl.DateTimeFormat("en-CA", { timeZone: "Australia/Sydney", dateStyle: "short" });
const longDay = new Intl.DateTimeFormat("en-AU", { timeZone: "UTC", dateStyle: "long" });
const hour = 3_600_000;

/** YYYY-MM-DD, as the calendar in Sydney had it. */
export function dayInSydney(at: Date): string {
  const parts = Object.fromEntries(sydneyDay.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/** The moment at which a day, YYYY-MM-DD, begins in Sydney, summer time or not. */
export function startOfDayInSydney(day: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const isStart = (at: number) => dayInSydney(new Date(at)) === day && dayInSydney(new Date(at - 1)) !== day;
  const start = [11, 10].map((hours) => midnight - hours * hour).find(isStart);
  if (start === undefined) throw new Error(`${day} is not a day.`);
  return new Date(start);
}

/** The day that many days later, or earlier: YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * hour).toISOString().slice(0, 10);
}

/** A day in words: 21 November 2026, from 2026-11-21. */
export function formatDay(day: string): string {
  return longDay.format(new Date(`${day}T00:00:00Z`));
}
