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

/** An event's local time, and Sydney's if it differs. */
export function formatEventWhen(event: Times): string {
  const inSydney = formatInSydney(event);
  return formatTimes(event) + (inSydney === null ? "" : `. Sydney time: ${inSydney}`);
}
