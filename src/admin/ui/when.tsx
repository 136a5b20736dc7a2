import { addDays, dayInSydney, formatDay, formatMoment, formatTime } from "#shared/language.ts";

const ZONE = "Australia/Sydney";

/**
 * Formats a time as people say it: 'Today, 9:05 am', 'Yesterday, 8:14 pm', 'Fri, 8:14 pm', '22 November 2026, 8:14 pm'.
 * Without `now` always with its date: when printed, and beside older times, 'today' means nothing.
 */
export function describeWhen(
  at: Date,
  now: Date | null,
  { withSeconds = false }: { withSeconds?: boolean } = {},
): string {
  const time = withSeconds
    ? formatMoment(at, { hour: "numeric", minute: "2-digit", second: "2-digit", hour12: true, timeZone: ZONE })
    : formatTime(at, ZONE).toLowerCase();
  const day = dayInSydney(at);
  return `${now === null ? formatDay(day) : describeDay(day, dayInSydney(now), at)}, ${time}`;
}

function describeDay(day: string, today: string, at: Date): string {
  if (day === today) return "Today";
  if (day === addDays(today, -1)) return "Yesterday";
  if (day < today && day > addDays(today, -6)) return formatMoment(at, { weekday: "short", timeZone: ZONE });
  return formatDay(day);
}

export function When({ at, now = null, withSeconds = false }: { at: Date; now?: Date | null; withSeconds?: boolean }) {
  return <time dateTime={at.toISOString()}>{describeWhen(at, now, { withSeconds })}</time>;
}
