import ical, { ICalCalendarMethod } from "ical-generator";
import { eventPath } from "#shared/paths.ts";
import type { EventDetails } from "./event.ts";
import { sayPlace } from "./event-place.ts";
import { daysOf } from "./event-times.ts";

const DAY_MS = 86_400_000;

type CalendarOptions = {
  /** The site's address, without a slash at the end. */
  readonly publicUrl: string;
  readonly organiser: { readonly name: string; readonly email: string };
};

/** The event as an iCalendar file (RFC 5545); the same text until the event changes. Hours are in UTC, whole days are dates. */
export function eventCalendar(event: EventDetails, { publicUrl, organiser }: CalendarOptions): string {
  const { slug, title, summary, updatedAt, isAllDay } = event;
  const url = publicUrl + eventPath(slug);
  const calendar = ical({
    prodId: { company: "Almoner", product: "Events", language: "EN" },
    method: ICalCalendarMethod.PUBLISH,
  });
  calendar.createEvent({
    id: `event-${slug}@${new URL(publicUrl).hostname}`,
    stamp: updatedAt,
    lastModified: updatedAt,
    summary: title,
    description: `${summary}\n\n${url}`,
    location: sayPlace(event),
    url,
    organizer: organiser,
    allDay: isAllDay,
    ...(isAllDay ? wholeDays(event) : hours(event)),
  });
  return `${calendar.toString()}\r\n`;
}

/** Dates as midnights of UTC, as the library takes them; the last one is no longer part of the event. */
function wholeDays(event: EventDetails) {
  const { first, last } = daysOf(event);
  return { start: new Date(first), end: new Date(Date.parse(last) + DAY_MS) };
}

/** An end that is no later than the start may not be written. */
function hours({ startsAt, endsAt }: EventDetails) {
  return { start: startsAt, end: endsAt > startsAt ? endsAt : null };
}
