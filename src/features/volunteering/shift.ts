import { z } from "zod";
import { messages } from "#shared/contract/messages.ts";
import { plainLine, plainText } from "#shared/contract/plain-line.ts";
import { addDays, formatMoment, formatTime, isDay, momentInSydney } from "#shared/language.ts";

// Shifts of volunteers. Days and times are Sydney's.

/** A free place that a volunteer may take, or one that they have. */
export type OfferedShift = {
  readonly id: string;
  readonly title: string;
  readonly place: string;
  readonly notes: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** The roles that they may take; why not, if they may not now. */
  readonly roles: readonly OfferedRole[];
  /** The role in which they come; null if they have not signed up. */
  readonly taken: string | null;
};
type OfferedRole = { readonly role: string; readonly free: number; readonly fault: "check_not_valid" | null };

/** The most hours of a shift. */
const MAX_MINUTES = 24 * 60;

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time such as 17:30");
const Line = (maxLength: number) =>
  z.string().trim().max(maxLength, messages.atMost(maxLength)).regex(plainLine, messages.notPlain);

/** The form of a shift; `wanted` is the number of people for each role, in the order of the roles. */
export const ShiftFields = z.object({
  title: Line(120).min(1, "Enter a name, such as Charity dinner"),
  place: Line(200).default(""),
  notes: z
    .string()
    .default("")
    .transform((text) => plainText(text).trim())
    .pipe(z.string().max(2000, messages.atMost(2000))),
  day: z.string().refine(isDay, "Enter a day"),
  from: Time,
  until: Time,
});
export type ShiftFields = z.output<typeof ShiftFields>;

export type ShiftTimes = { readonly startsAt: Date; readonly endsAt: Date; readonly lastDay: string };

/** One that ends at or before its beginning ends on the next day. */
export function shiftTimes({ day, from, until }: Pick<ShiftFields, "day" | "from" | "until">): ShiftTimes {
  const endDay = until > from ? day : addDays(day, 1);
  return { startsAt: momentInSydney(day, from), endsAt: momentInSydney(endDay, until), lastDay: endDay };
}

/** How many minutes a shift lasts. */
export function minutesOf({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }): number {
  return Math.min(MAX_MINUTES, Math.round((endsAt.getTime() - startsAt.getTime()) / 60_000));
}

/** '3', '2.5' or '2:30' hours as minutes; null if it is no such time. */
export function readHours(typed: string): number | null {
  const text = typed.trim().replace(",", ".");
  const clock = /^(\d{1,2}):([0-5]\d)$/.exec(text);
  const minutes =
    clock === null
      ? /^\d{1,2}(\.\d{1,2})?$/.test(text)
        ? Math.round(Number(text) * 60)
        : Number.NaN
      : Number(clock[1]) * 60 + Number(clock[2]);
  return minutes >= 0 && minutes <= MAX_MINUTES ? minutes : null;
}

/** 150 as '2.5' */
export function writeHours(minutes: number): string {
  return String(Math.round((minutes / 60) * 100) / 100);
}

/** The most shifts of a weekly plan: a year of them. */
export const MAX_WEEKS = 53;

/** The days of a shift that is repeated each week until a day, both included; more than `MAX_WEEKS` are too many. */
export function weeklyDays(day: string, until: string): string[] {
  const days = [day];
  while (days.length <= MAX_WEEKS && addDays(days.at(-1)!, 7) <= until) days.push(addDays(days.at(-1)!, 7));
  return days;
}

/** A shift in which a volunteer came. */
export type ShiftHours = {
  readonly title: string;
  readonly role: string;
  /** YYYY-MM-DD */
  readonly day: string;
  readonly minutes: number;
};

/** 'Saturday 5 December 2026, 9:00 AM – 1:00 PM', or 'Sat, 5 Dec 2026, …' for lists; in Sydney. */
export function describeShiftTimes(
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
  names: "long" | "short" = "long",
): string {
  const timeZone = "Australia/Sydney";
  const day = formatMoment(startsAt, { weekday: names, day: "numeric", month: names, year: "numeric", timeZone });
  return `${day}, ${formatTime(startsAt, timeZone)} – ${formatTime(endsAt, timeZone)}`;
}
