import type { EventDetails } from "#shared/events/event.ts";

/** An event online, in the evening of Karachi. */
export const dinner: EventDetails = {
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
  calledOffAt: null,
  updatedAt: new Date("2026-11-20T01:02:03Z"),
};
