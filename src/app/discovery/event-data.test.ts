import { expect, test } from "vitest";
import type { TicketEvent } from "#features/tickets/contract.ts";
import type { EventDetails } from "#shared/events/event.ts";
import { eventData, ticketOffers } from "./event-data.ts";

const dinner: EventDetails = {
  id: 1,
  slug: "charity-dinner",
  title: "Charity dinner",
  summary: "An evening of stories.",
  html: "",
  picture: { address: "/images/abc", width: 4, height: 3, color: null, widths: [] },
  place: "",
  isOnline: true,
  startsAt: new Date("2027-02-06T15:00:00Z"),
  endsAt: new Date("2027-02-06T18:00:00Z"),
  timeZone: "Asia/Karachi",
  isAllDay: false,
  createdBy: "admin",
  isOver: false,
  updatedAt: new Date("2026-11-20T01:02:03Z"),
};
const context = { organisation: {} as never, publicUrl: "https://give.example", path: "/events/charity-dinner" };

test("NAV-9: an event tells search engines when it is by its own clock, where, and who holds it", () => {
  const url = "https://give.example/events/charity-dinner";
  expect(eventData(dinner, context)).toEqual({
    "@type": "Event",
    "@id": `${url}#event`,
    name: "Charity dinner",
    description: "An evening of stories.",
    url,
    image: ["https://give.example/images/abc"],
    startDate: "2027-02-06T20:00:00+05:00",
    endDate: "2027-02-06T23:00:00+05:00",
    eventStatus: "https://schema.org/EventScheduled",
    eventAttendanceMode: "https://schema.org/OnlineEventAttendanceMode",
    location: { "@type": "VirtualLocation", url },
    organizer: { "@id": "https://give.example/#organisation" },
  });
});

test("NAV-9: an event at a place, in part online, over whole days says so", () => {
  const place = { "@type": "Place", name: "Hall, Auburn", address: "Hall, Auburn" };
  const here = { ...dinner, place: "Hall, Auburn", isOnline: false };
  expect(eventData(here, context)).toMatchObject({
    location: place,
    eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
  });
  expect(eventData({ ...here, isOnline: true }, context)).toMatchObject({
    location: [place, { "@type": "VirtualLocation" }],
    eventAttendanceMode: "https://schema.org/MixedEventAttendanceMode",
  });
  expect(eventData({ ...dinner, isAllDay: true, endsAt: new Date("2027-02-06T19:00:00Z") }, context)).toMatchObject({
    startDate: "2027-02-06",
    endDate: "2027-02-06",
  });
});

test("TIC-1, NAV-9: tickets tell search engines what they cost, in which currency, and whether there are any", () => {
  const vip = {
    ...{ code: "vip", title: "VIP Seat", description: "", priceCents: 10_000, left: 3, limitPerOrder: 10 },
    ...{ state: "on_sale", salesFrom: "2026-12-01T00:00:00.000Z", salesUntil: null },
  } as const;
  const offer = { slug: "charity-dinner", state: "on_sale", types: [vip, { ...vip, state: "sold_out" }] };
  const { offers } = ticketOffers(offer as unknown as TicketEvent, "https://give.example") as { offers: object[] };
  expect(offers[0]).toEqual({
    "@type": "Offer",
    name: "VIP Seat",
    url: "https://give.example/ticketAbout?event=charity-dinner",
    price: "100.00",
    priceCurrency: "AUD",
    availability: "https://schema.org/InStock",
    validFrom: "2026-12-01T00:00:00.000Z",
  });
  expect(offers[1]).toMatchObject({ availability: "https://schema.org/SoldOut" });
  expect(ticketOffers({ ...offer, state: "over" } as unknown as TicketEvent, "https://give.example")).toEqual({});
});
