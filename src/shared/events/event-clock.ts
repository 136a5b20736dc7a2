import { clockIn, formatTime, momentIn } from "#shared/language.ts";
import type { EventCard } from "./event.ts";
import { formatTimes } from "./event-times.ts";

type Times = Pick<EventCard, "startsAt" | "endsAt" | "timeZone" | "isAllDay">;

export const sydney = "Australia/Sydney";

/** An event's time in Sydney; null if that is the same as its own. */
export function formatInSydney(event: Times): string | null {
  // A whole day is the same everywhere.
  if (event.isAllDay) return null;
  const there = formatTimes({ ...event, timeZone: sydney });
  return there === formatTimes(event) ? null : there;
}

/** What to choose instead of a local time (YYYY-MM-DDTHH:MM:SS) that clocks skip; null for any other time. */
export function describeSkippedTime(timeZone: string, local: string): string | null {
  const at = momentIn(timeZone, local);
  return clockIn(timeZone, at).startsWith(local)
    ? null
    : `Clocks go forward then and skip this time. Choose ${formatTime(at, timeZone)}, or another time.`;
}

/** An event's local time, and Sydney's if it differs. */
export function formatEventWhen(event: Times): string {
  const inSydney = formatInSydney(event);
  return formatTimes(event) + (inSydney === null ? "" : `. Sydney time: ${inSydney}`);
}
