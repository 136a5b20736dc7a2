import { keepTogether } from "#shared/language.ts";
import type { EventCard } from "../event.ts";
import { formatInSydney, sydney } from "../event-clock.ts";
import { calendarLeaf, formatTimeParts } from "../event-times.ts";

/** An event's local time (TIC-1). */
export function EventTime({ event }: { event: EventCard }) {
  const { start, end, offset } = formatTimeParts(event);
  return (
    <>
      <time dateTime={start.datetime}>{keepTogether(start.text)}</time>
      {end !== null && (
        <>
          {" to "}
          <time dateTime={end.datetime}>{keepTogether(end.text)}</time>
        </>
      )}
      {offset !== "" && ` (${offset})`}
    </>
  );
}

/** The time in Sydney if it differs, so that nobody has to convert it (PAGE-11). */
export function SydneyTime({ event }: { event: EventCard }) {
  if (formatInSydney(event) === null) return null;
  return (
    <span className="sydney-time">
      Sydney time: <EventTime event={{ ...event, timeZone: sydney }} />
    </span>
  );
}

/** The first day as a calendar leaf; the full date is beside it. */
export function EventLeaf({ event }: { event: EventCard }) {
  const { day, month, year } = calendarLeaf(event);
  return (
    <p className="leaf num" aria-hidden="true">
      <span>{month}</span>
      <b>{day}</b>
      <small>{year}</small>
    </p>
  );
}
