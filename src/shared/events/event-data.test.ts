import { expect, test } from "vitest";
import { dinner } from "#test/dinner.ts";
import { eventData } from "./event-data.ts";

const context = { publicUrl: "https://give.example", path: "/events/charity-dinner" };

test("NAV-9: an event tells search engines its local time, place and organiser", () => {
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

test("NAV-9: an event over whole days, partly online, tells its days and both places", () => {
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

test("EVT-11: an event that was called off tells search engines so", () => {
  expect(eventData({ ...dinner, calledOffAt: new Date("2027-01-01T00:00:00Z") }, context)).toMatchObject({
    eventStatus: "https://schema.org/EventCancelled",
  });
});
