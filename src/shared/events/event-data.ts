import { organisationId } from "#shared/organisation.ts";
import type { EventDetails } from "./event.ts";
import { formatTimeParts } from "./event-times.ts";

/** An event for schema.org (NAV-9): times with the local offset, whole days as dates. */
export function eventData(event: EventDetails, { publicUrl, path }: { publicUrl: string; path: string }): object {
  const { title, summary, picture, place, isOnline, calledOffAt } = event;
  const { start, end } = formatTimeParts(event);
  const url = publicUrl + path;
  const room = place === "" ? [] : [{ "@type": "Place", name: place, address: place }];
  const screen = isOnline ? [{ "@type": "VirtualLocation", url }] : [];
  const [location, ...others] = [...room, ...screen];
  const mode = others.length > 0 ? "Mixed" : isOnline ? "Online" : "Offline";
  return {
    "@type": "Event",
    "@id": `${url}#event`,
    name: title,
    description: summary,
    url,
    image: [publicUrl + picture.address],
    startDate: start.datetime,
    endDate: (end ?? start).datetime,
    eventStatus: `https://schema.org/${calledOffAt === null ? "EventScheduled" : "EventCancelled"}`,
    eventAttendanceMode: `https://schema.org/${mode}EventAttendanceMode`,
    location: others.length > 0 ? [location, ...others] : location,
    organizer: { "@id": organisationId(publicUrl) },
  };
}
