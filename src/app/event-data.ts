import type { EventDetails } from "#shared/event.ts";
import { tellTimes } from "#shared/event-times.ts";
import type { PageContext } from "./page.ts";
import { organisationId } from "./structured-data.ts";

/** An event as schema.org describes it (NAV-9); its times carry the offset of its own clock, whole days are dates. */
export function eventData(event: EventDetails, { publicUrl, path }: PageContext): object {
  const { title, summary, picture, place, isOnline } = event;
  const { start, end } = tellTimes(event);
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
    eventStatus: "https://schema.org/EventScheduled",
    eventAttendanceMode: `https://schema.org/${mode}EventAttendanceMode`,
    location: others.length > 0 ? [location, ...others] : location,
    organizer: { "@id": organisationId(publicUrl) },
  };
}
