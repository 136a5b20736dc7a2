import type { EventCard } from "./event.ts";

const online = "access details come from the organiser";

/** Where an event is, for people. */
export function sayPlace({ place, isOnline }: Pick<EventCard, "place" | "isOnline">): string {
  if (!isOnline) return place;
  return place === "" ? `Online: ${online}` : `${place}, and online: ${online}`;
}
