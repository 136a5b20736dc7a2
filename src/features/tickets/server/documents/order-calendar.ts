import { eventCalendar } from "#shared/events/event-calendar.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { OrderFacts } from "../order-facts.ts";

/** The iCalendar file of an order's event: the same entry as the public one, so that calendars show it once. */
export function orderCalendar(
  { event }: OrderFacts,
  { name, email }: Organisation,
  { publicUrl }: { readonly publicUrl: string },
): string {
  return eventCalendar(event, { publicUrl, organiser: { name, email } });
}
