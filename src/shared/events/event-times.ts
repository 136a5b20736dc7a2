import { clockIn, formatDay, formatTime } from "#shared/language.ts";
import type { EventCard } from "./event.ts";

type Times = Pick<EventCard, "startsAt" | "endsAt" | "timeZone" | "isAllDay">;

/** A moment for people, and as `<time datetime>` says it: with its offset, or the date alone. */
type FormattedMoment = { readonly text: string; readonly datetime: string };
type TimeParts = {
  readonly start: FormattedMoment;
  /** Null for an event on a single day or at a single moment. */
  readonly end: FormattedMoment | null;
  /** 'UTC+05'; empty for whole days. */
  readonly offset: string;
};

/** When an event is, by its own clock; joined by `formatTimes`. */
export function formatTimeParts({ startsAt, endsAt, timeZone, isAllDay }: Times): TimeParts {
  const start = readClock(startsAt, timeZone);
  if (isAllDay) return formatDayParts(start.iso, readClock(lastMoment(startsAt, endsAt), timeZone).iso);
  const end = readClock(endsAt, timeZone);
  const began = `${start.day} ${start.time}`;
  const isOneOffset = start.offset === end.offset;
  const ended = start.iso === end.iso ? end.time : `${end.day} ${end.time}`;
  return {
    // If the offset changes during the event, each end has its own.
    start: { text: isOneOffset ? began : `${began} (${formatOffset(start.offset)})`, datetime: start.moment },
    end: endsAt <= startsAt ? null : { text: ended, datetime: end.moment },
    offset: formatOffset(end.offset),
  };
}

/** 'Saturday 27 April 2024 8:00 PM to 11:00 PM (UTC+05)'; for whole days '28 August 2022'. */
export function formatTimes(event: Times): string {
  const { start, end, offset } = formatTimeParts(event);
  return start.text + (end === null ? "" : ` to ${end.text}`) + (offset === "" ? "" : ` (${offset})`);
}

/** One moment by a clock: 'Saturday 27 April 2024 8:00 PM (UTC+05)'. */
export function formatEventMoment(at: Date, timeZone: string): string {
  return formatTimes({ startsAt: at, endsAt: at, timeZone, isAllDay: false });
}

/** The first and last day, YYYY-MM-DD in local time. */
export function daysOf({ startsAt, endsAt, timeZone }: Times): { readonly first: string; readonly last: string } {
  return { first: readClock(startsAt, timeZone).iso, last: readClock(lastMoment(startsAt, endsAt), timeZone).iso };
}

/** The parts of a calendar leaf: '27', 'Apr', '2024'. */
export function calendarLeaf({ startsAt, timeZone }: Times): { readonly day: string; month: string; year: string } {
  const { iso } = readClock(startsAt, timeZone);
  return {
    day: formatDay(iso, { day: "numeric" }),
    month: formatDay(iso, { month: "long" }).slice(0, 3),
    year: formatDay(iso, { year: "numeric" }),
  };
}

function formatDayParts(first: string, last: string): TimeParts {
  if (first === last) return { start: { text: formatDay(first), datetime: first }, end: null, offset: "" };
  const isOneMonth = first.slice(0, 7) === last.slice(0, 7);
  const isOneYear = first.slice(0, 4) === last.slice(0, 4);
  const options = isOneMonth ? oneMonth : isOneYear ? oneYear : undefined;
  return {
    start: { text: formatDay(first, options), datetime: first },
    end: { text: formatDay(last), datetime: last },
    offset: "",
  };
}

const oneMonth = { day: "numeric" } as const;
const oneYear = { day: "numeric", month: "long" } as const;

/** An event that ends at midnight ends on the day before. */
function lastMoment(startsAt: Date, endsAt: Date): Date {
  return new Date(Math.max(startsAt.getTime(), endsAt.getTime() - 1));
}

type Clock = {
  /** 'Saturday 27 April 2024'. */
  readonly day: string;
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
  const moment = clockIn(timeZone, at);
  const iso = moment.slice(0, 10);
  return {
    day: formatDay(iso, { ...oneYear, weekday: "long", year: "numeric" }),
    time: formatTime(Date.parse(`${moment.slice(0, 19)}Z`), "UTC"),
    offset: moment.slice(19),
    iso,
    moment,
  };
}

/** 'UTC+05', with minutes where there are any. */
function formatOffset(offset: string): string {
  return `UTC${offset.replace(/:00$/, "").replace("-", "−")}`;
}
