import type { TicketEvent, TicketType } from "#features/tickets/contract.ts";
import type { EventDetails } from "#shared/events/event.ts";
import { tellTimes } from "#shared/events/event-times.ts";
import { ticketPath } from "#shared/paths.ts";
import type { PageContext } from "../rendering/page.ts";
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

/** What tickets for an event cost and whether there are any, beside what `eventData` says; nothing once it is over. */
export function ticketOffers({ slug, state, types }: TicketEvent, publicUrl: string): object {
  if (state === "over") return {};
  const url = publicUrl + ticketPath("ticketAbout", slug);
  return {
    offers: types.map(({ title, priceCents, salesFrom, salesUntil, state }) => ({
      "@type": "Offer",
      name: title,
      url,
      price: (priceCents / 100).toFixed(2),
      priceCurrency: "AUD",
      availability: `https://schema.org/${availability[state]}`,
      ...(salesFrom === null ? {} : { validFrom: salesFrom }),
      ...(salesUntil === null ? {} : { validThrough: salesUntil }),
    })),
  };
}

const availability = {
  on_sale: "InStock",
  sold_out: "SoldOut",
  not_yet: "PreOrder",
  closed: "OutOfStock",
} as const satisfies Record<TicketType["state"], string>;
