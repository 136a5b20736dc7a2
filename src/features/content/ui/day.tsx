import { keepTogether } from "#shared/keep-together.ts";
import { formatDay } from "#shared/sydney.ts";

/** A day without a time (YYYY-MM-DD) in words. */
export function Day({ date }: { date: string }) {
  return <time dateTime={date}>{keepTogether(formatDay(date))}</time>;
}
