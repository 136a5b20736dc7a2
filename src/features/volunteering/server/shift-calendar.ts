import ical, { ICalCalendarMethod } from "ical-generator";

type CalendarShift = {
  readonly id: string;
  /** Calendars replace an entry by one with the same id and a higher version. */
  readonly version: number;
  readonly title: string;
  readonly place: string;
  readonly notes: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
};

type CalendarOptions = {
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly organiser: { readonly name: string; readonly email: string };
  /** A stored time, so that an email sent twice has the same file. */
  readonly madeAt: Date;
};

/** A shift as an iCalendar file (RFC 5545). */
export function shiftCalendar(shift: CalendarShift, { publicUrl, organiser, madeAt }: CalendarOptions): string {
  const { id, version, title, place, notes, startsAt, endsAt } = shift;
  const calendar = ical({
    prodId: { company: "Almoner", product: "Shifts", language: "EN" },
    method: ICalCalendarMethod.PUBLISH,
  });
  calendar.createEvent({
    id: `shift-${id}@${new URL(publicUrl).hostname}`,
    sequence: version,
    stamp: madeAt,
    summary: title,
    description: notes,
    location: place,
    organizer: organiser,
    start: startsAt,
    end: endsAt,
  });
  return `${calendar.toString()}\r\n`;
}
