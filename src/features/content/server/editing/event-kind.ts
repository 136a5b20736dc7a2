import { z } from "zod";
import { describeSkippedTime } from "#shared/events/event-clock.ts";
import { formatTimes } from "#shared/events/event-times.ts";
import { addDays, dayInSydney, listTimeZones, momentIn } from "#shared/language.ts";
import { eventPath } from "#shared/paths.ts";
import {
  address,
  type ContentData,
  type ContentValue,
  htmlText,
  type Kind,
  line,
  lines,
  moment,
  tick,
  toText,
} from "./kind.ts";
import { neededPicture } from "./picture-fields.ts";

const HOME_ZONE = "Australia/Sydney";

/** Longer is a slip of the pen. */
const MAX_DAYS = 60;

const zones = new Set(listTimeZones());
const zone = z
  .string()
  .trim()
  .refine((text) => zones.has(text), "Choose a time zone of the list.");

export const events: Kind = {
  name: "events",
  table: "events",
  key: "id",
  isOpen: true,
  isPlanned: true,
  section: "events",
  rights: { see: "events.see", change: "events.change" },
  sort: { by: "starts_at", descending: true },
  path: ({ data }) => eventPath(String(data.slug)),
  faults: listFaults,
  fillGaps,
  tidy: wholeDays,
  begin: (now) => ({ time_zone: HOME_ZONE, created_by: "Events team", ...evening(addDays(dayInSydney(now), 28)) }),
  fields: [
    { name: "title", label: "Title", input: "line", rule: line(150, "Enter a title.") },
    {
      name: "slug",
      label: "Address",
      input: "address",
      rule: address,
      hint: "The end of the page’s address. Leave it empty to make it from the title. If you change it once it is published, the old address leads to the new one.",
    },
    {
      name: "summary",
      label: "In lists",
      input: "lines",
      rule: lines(300),
      hint: "One or two sentences for lists, search engines and shared links.",
      needed: "Write a sentence for lists before you publish.",
    },
    {
      name: "html",
      label: "Text",
      input: "html",
      rule: htmlText,
      hint: "What happens, for whom, what to bring, how to get there.",
      advised: "The event has no text.",
    },
    {
      name: "starts_at",
      label: "Starts",
      input: "clock",
      rule: moment,
      needed: "Say when it starts before you publish.",
    },
    {
      name: "ends_at",
      label: "Ends",
      input: "clock",
      rule: moment,
      needed: "Say when it ends before you publish.",
    },
    {
      name: "time_zone",
      label: "Time zone",
      input: "zone",
      rule: zone,
      hint: "Of the place where it happens. Visitors also see the time in Sydney, and on their own clock.",
    },
    {
      name: "is_all_day",
      label: "Whole days",
      input: "tick",
      rule: tick,
      hint: "It has no hours: only the days of its start and end count. An end at midnight is the end of the day before.",
    },
    {
      name: "place",
      label: "Place",
      input: "line",
      rule: line(200),
      hint: "With its street and suburb. Leave it empty for an event that is only online.",
      needed: "Say where it is, or tick that people can take part online.",
      isNeeded: ({ is_online }) => is_online !== true,
    },
    {
      name: "is_online",
      label: "Online",
      input: "tick",
      rule: tick,
      hint: "People can take part online. Send the access details by email; they are not on the page.",
    },
    ...neededPicture,
    {
      name: "created_by",
      label: "Organiser",
      input: "line",
      rule: line(100),
      hint: "Who plans it, such as ‘Events team’.",
      needed: "Say who plans it before you publish.",
    },
  ],
  words: {
    plural: "Events",
    one: "event",
    write: "Plan an event",
    about: "Events at /events, with their tickets. The latest come first.",
    nothing: "There are no events yet",
    draftsWaiting: {
      one: "One event has changes that are not published.",
      other: (count) => `${count} events have changes that are not published.`,
    },
  },
};

/** 6:30 pm to 9:30 pm of a day. */
const evening = (day: string) => ({ starts_at: `${day}T18:30:00`, ends_at: `${day}T21:30:00` });

function listFaults(data: ContentData): Record<string, string> {
  const [from, until] = [toText(data.starts_at), toText(data.ends_at)];
  const skipped = listSkippedTimes(data);
  // Other times of this form are in the order of their texts.
  if (Object.keys(skipped).length > 0 || from === "" || until === "") return skipped;
  if (until < from) return { ends_at: "Choose an end after the start." };
  if (until.slice(0, 10) > addDays(from.slice(0, 10), MAX_DAYS)) {
    return { ends_at: `Choose an end within ${MAX_DAYS} days of the start.` };
  }
  return {};
}

/** A sentence for each time that clocks skip because they go forward. Of whole days, the time of day is ignored. */
function listSkippedTimes({ is_all_day, time_zone, ...data }: ContentData): Record<string, string> {
  if (is_all_day === true) return {};
  const zone = toText(time_zone);
  const sentences = ["starts_at", "ends_at"].flatMap((name) => {
    const text = toText(data[name]);
    const skipped = text === "" ? null : describeSkippedTime(zone, text);
    return skipped === null ? [] : [[name, skipped]];
  });
  return Object.fromEntries(sentences);
}

/** Whole days begin at midnight, and end in the last minute of their day: at midnight it is the day before, as shown. */
function wholeDays(data: ContentData): ContentData {
  if (data.is_all_day !== true) return data;
  const [first, end] = [toText(data.starts_at).slice(0, 10), toText(data.ends_at)];
  const day = end.slice(0, 10);
  const last = day > first && /T00:00(:00)?$/.test(end) ? addDays(day, -1) : day;
  const at = (on: string, time: string) => (on === "" ? null : `${on}T${time}`);
  return { ...data, starts_at: at(first, "00:00:00"), ends_at: at(last, "23:59:00") };
}

/** A draft may lack what a row cannot: its times, its place, its picture. */
function fillGaps(data: ContentData, now: Date): ContentData {
  const or = (name: string, filler: string) => toText(data[name]) || filler;
  const time_zone = or("time_zone", HOME_ZONE);
  const starts_at = or("starts_at", evening(dayInSydney(now)).starts_at);
  const ends_at = or("ends_at", starts_at);
  return {
    ...data,
    time_zone,
    starts_at,
    ends_at: momentIn(time_zone, ends_at) < momentIn(time_zone, starts_at) ? starts_at : ends_at,
    place: data.is_online === true ? toText(data.place) : or("place", "The place is not known yet"),
    image: or("image", "/identity/brand/logo-mark.svg"),
    summary: toText(data.summary),
    html: toText(data.html),
    created_by: toText(data.created_by),
    is_online: data.is_online === true,
    is_all_day: data.is_all_day === true,
    image_words: toText(data.image_words),
    image_decorates: data.image_decorates === true,
  };
}

type Clocked = {
  readonly from: string | null;
  readonly until: string | null;
  readonly timeZone: string;
  readonly isAllDay: boolean;
};

/** When an event is, by its own clock, as lists say it: 'Saturday 5 December 2026 6:30 PM to 9:30 PM (UTC+11): over'. */
export function describeEventTimes({ from, until, timeZone, isAllDay }: Clocked, now: Date): string {
  if (from === null || until === null) return "It has no time yet";
  const [startsAt, endsAt] = [momentIn(timeZone, from), momentIn(timeZone, until)];
  return formatTimes({ startsAt, endsAt, timeZone, isAllDay }) + (endsAt <= now ? ": over" : "");
}

/**
 * The data moved to another start, with everything else as it was: the end is as much later on the event's own clock,
 * also if clocks change in between. Of whole days, only the day moves.
 */
export function moveEvent(data: ContentData, start: string): ContentData {
  const { starts_at: from, ends_at: until } = wholeDays(data);
  const starts_at = data.is_all_day === true ? `${start.slice(0, 10)}T00:00:00` : start;
  const onClock = (text: ContentValue | undefined) => Date.parse(`${toText(text)}Z`);
  const end = new Date(onClock(starts_at) + onClock(until) - onClock(from));
  return { ...data, starts_at, ends_at: end.toISOString().slice(0, 19) };
}
