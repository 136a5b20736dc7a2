import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import { eventPath } from "#shared/paths.ts";
import { type EventDetails, formatPlace } from "./event.ts";
import { daysOf } from "./event-times.ts";

const DAY_MS = 86_400_000;

type CalendarOptions = {
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly organiser: { readonly name: string; readonly email: string };
};

/** The event as an iCalendar file (RFC 5545), the same text until it changes. Hours are UTC, whole days are dates. */
export function eventCalendar(event: EventDetails, { publicUrl, organiser }: CalendarOptions): string {
  const { slug, title, summary, updatedAt, calledOffAt, isAllDay } = event;
  const changedAt = calledOffAt !== null && calledOffAt > updatedAt ? calledOffAt : updatedAt;
  const url = publicUrl + eventPath(slug);
  const calendar = ical({
    prodId: { company: "Almoner", product: "Events", language: "EN" },
    method: ICalCalendarMethod.PUBLISH,
  });
  calendar.createEvent({
    id: `event-${slug}@${new URL(publicUrl).hostname}`,
    stamp: changedAt,
    lastModified: changedAt,
    summary: title,
    description: `${summary}\n\n${url}`,
    location: formatPlace(event),
    url,
    organizer: organiser,
    allDay: isAllDay,
    ...(calledOffAt === null ? {} : { status: ICalEventStatus.CANCELLED }),
    ...(isAllDay ? wholeDays(event) : hours(event)),
  });
  return `${calendar.toString()}\r\n`;
}

/** Whole days as midnights in UTC, as the library expects; the end is exclusive. */
function wholeDays(event: EventDetails) {
  const { first, last } = daysOf(event);
  return { start: new Date(first), end: new Date(Date.parse(last) + DAY_MS) };
}

/** The end must be later than the start, or left out. */
function hours({ startsAt, endsAt }: EventDetails) {
  return { start: startsAt, end: endsAt > startsAt ? endsAt : null };
}
