import type { EventFacts } from "#shared/events/event.ts";

/** When cancelling single tickets for a refund closes: `hours` before the event begins. */
export function cancelUntil({ startsAt }: Pick<EventFacts, "startsAt">, hours: number): Date {
  return new Date(startsAt.getTime() - hours * 3_600_000);
}
