import { keepTogether } from "#shared/keep-together.ts";
import type { EventCard } from "../event.ts";
import { sayInSydney, sydney } from "../event-clock.ts";
import { calendarLeaf, tellTimes } from "../event-times.ts";

/** When an event is, by its own clock (TIC-1). */
export function EventTime({ event }: { event: EventCard }) {
  const { start, end, offset } = tellTimes(event);
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

/** The same in Sydney, where the event goes by another clock: nobody here should have to work out the hour (PAGE-11). */
export function SydneyTime({ event }: { event: EventCard }) {
  if (sayInSydney(event) === null) return null;
  return (
    <span className="sydney-time">
      Sydney time: <EventTime event={{ ...event, timeZone: sydney }} />
    </span>
  );
}

/** The first day as the leaf of a calendar; the whole date is said beside it. */
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
