import type { EventCard } from "./event.ts";

type Times = Pick<EventCard, "startsAt" | "endsAt" | "timeZone" | "isAllDay">;

/** A moment for people, and as `<time datetime>` says it: with its offset, or the date alone. */
type SaidMoment = { readonly text: string; readonly datetime: string };
export type SaidTimes = {
  readonly start: SaidMoment;
  /** Null for an event of one day or of one moment. */
  readonly end: SaidMoment | null;
  /** 'UTC+05'; empty where hours are not given. */
  readonly offset: string;
};

/** When an event is, by its own clock; joined by `sayTimes`. */
export function tellTimes({ startsAt, endsAt, timeZone, isAllDay }: Times): SaidTimes {
  const start = readClock(startsAt, timeZone);
  if (isAllDay) return tellDays(start, readClock(lastMoment(startsAt, endsAt), timeZone));
  const end = readClock(endsAt, timeZone);
  const began = `${start.weekday} ${start.date} ${start.time}`;
  const isOneOffset = start.offset === end.offset;
  const ended = start.iso === end.iso ? end.time : `${end.weekday} ${end.date} ${end.time}`;
  return {
    // Where the clocks are changed in between, each end says its own.
    start: { text: isOneOffset ? began : `${began} (${sayOffset(start.offset)})`, datetime: start.moment },
    end: endsAt <= startsAt ? null : { text: ended, datetime: end.moment },
    offset: sayOffset(end.offset),
  };
}

/** 'Saturday 27 April 2024 8:00 PM to 11:00 PM (UTC+05)'; of an event without hours '28 August 2022'. */
export function sayTimes(event: Times): string {
  const { start, end, offset } = tellTimes(event);
  return start.text + (end === null ? "" : ` to ${end.text}`) + (offset === "" ? "" : ` (${offset})`);
}

/** One moment by a clock: 'Saturday 27 April 2024 8:00 PM (UTC+05)'. */
export function sayMoment(at: Date, timeZone: string): string {
  return sayTimes({ startsAt: at, endsAt: at, timeZone, isAllDay: false });
}

/** The first and the last day, YYYY-MM-DD by the event's own clock. */
export function daysOf({ startsAt, endsAt, timeZone }: Times): { readonly first: string; readonly last: string } {
  return { first: readClock(startsAt, timeZone).iso, last: readClock(lastMoment(startsAt, endsAt), timeZone).iso };
}

/** What stands on the leaf of a calendar: '27', 'Apr', '2024'. */
export function calendarLeaf({ startsAt, timeZone }: Times): { readonly day: string; month: string; year: string } {
  const { day, month, year } = readClock(startsAt, timeZone);
  return { day, month: month.slice(0, 3), year };
}

function tellDays(first: Clock, last: Clock): SaidTimes {
  if (first.iso === last.iso) return { start: { text: first.date, datetime: first.iso }, end: null, offset: "" };
  const isOneYear = first.year === last.year;
  const isOneMonth = isOneYear && first.month === last.month;
  const text = isOneMonth ? first.day : isOneYear ? `${first.day} ${first.month}` : first.date;
  return { start: { text, datetime: first.iso }, end: { text: last.date, datetime: last.iso }, offset: "" };
}

/** An event that ends at midnight is over with the day before. */
function lastMoment(startsAt: Date, endsAt: Date): Date {
  return new Date(Math.max(startsAt.getTime(), endsAt.getTime() - 1));
}

type Clock = {
  readonly weekday: string;
  readonly day: string;
  readonly month: string;
  readonly year: string;
  /** '27 April 2024'. */
  readonly date: string;
  /** '8:00 PM'. */
  readonly time: string;
  /** '+05:30'. */
  readonly offset: string;
  /** '2024-04-27'. */
  readonly iso: string;
  /** '2024-04-27T20:00:00+05:00'. */
  readonly moment: string;
};

function readClock(at: Date, timeZone: string): Clock {
  const parts = Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const { weekday = "", day = "", month = "", year = "", hour, minute, dayPeriod, timeZoneName = "" } = parts;
  const [offset = "+00:00", sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(timeZoneName) ?? [];
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -60_000 : 60_000);
  const shown = new Date(at.getTime() + ahead).toISOString();
  return {
    weekday,
    day,
    month,
    year,
    date: `${day} ${month} ${year}`,
    time: `${hour}:${minute} ${dayPeriod}`,
    offset,
    iso: shown.slice(0, 10),
    moment: `${shown.slice(0, 19)}${offset}`,
  };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = makeFormat(timeZone);
  formats.set(timeZone, made);
  return made;
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  const options = {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    hour12: true,
    timeZoneName: "longOffset",
  } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone });
  } catch {
    // A zone that is misspelt, or too new for this machine, must not take the whole list down; what is shown says UTC+00.
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
  }
}

/** 'UTC+05', with minutes where there are any. */
function sayOffset(offset: string): string {
  return `UTC${offset.replace(/:00$/, "").replace("-", "−")}`;
}
