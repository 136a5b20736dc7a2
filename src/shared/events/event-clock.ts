import type { EventCard } from "./event.ts";
import { sayTimes } from "./event-times.ts";

type Times = Pick<EventCard, "startsAt" | "endsAt" | "timeZone" | "isAllDay">;

export const sydney = "Australia/Sydney";

/** When an event is by Sydney's clock, for a buyer here; null where that says nothing else than the event's own. */
export function sayInSydney(event: Times): string | null {
  // A day without hours is the same day everywhere.
  if (event.isAllDay) return null;
  const there = sayTimes({ ...event, timeZone: sydney });
  return there === sayTimes(event) ? null : there;
}

/** When an event is, by its own clock and by Sydney's where that is another. */
export function sayWhen(event: Times): string {
  const inSydney = sayInSydney(event);
  return sayTimes(event) + (inSydney === null ? "" : `. Sydney time: ${inSydney}`);
}
