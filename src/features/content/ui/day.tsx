import { formatDay, keepTogether } from "#shared/language.ts";

/** Formats a date without a time (YYYY-MM-DD). */
export function Day({ date }: { date: string }) {
  return <time dateTime={date}>{keepTogether(formatDay(date))}</time>;
}
