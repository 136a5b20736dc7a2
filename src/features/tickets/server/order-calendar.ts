import { eventCalendar } from "#shared/events/event-calendar.ts";
import type { Organisation } from "#shared/organisation.ts";
import type { OrderFacts } from "./letter-facts.ts";

/** The event of an order as an iCalendar file: the public one, so that whoever has both has one entry. */
export function orderCalendar(
  { event }: OrderFacts,
  { name, email }: Organisation,
  { publicUrl }: { readonly publicUrl: string },
): string {
  return eventCalendar(event, { publicUrl, organiser: { name, email } });
}
