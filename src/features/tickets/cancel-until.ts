import type { EventCard } from "#shared/event.ts";

/** By then an organiser has to order what the guests eat. */
const HOURS_BEFORE = 48;

/** Until when single tickets may be cancelled for a refund: 48 hours before the event begins. */
export function cancelUntil({ startsAt }: Pick<EventCard, "startsAt">): Date {
  return new Date(startsAt.getTime() - HOURS_BEFORE * 3_600_000);
}
