import type { EventFacts } from "#shared/events/event.ts";

/** Until when single tickets may be cancelled for a refund: so many hours before the event begins. */
export function cancelUntil({ startsAt }: Pick<EventFacts, "startsAt">, hours: number): Date {
  return new Date(startsAt.getTime() - hours * 3_600_000);
}
