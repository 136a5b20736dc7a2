import type { EventCard } from "#shared/event.ts";
import { calendarLeaf, tellTimes } from "#shared/event-times.ts";
import { keepTogether } from "#shared/keep-together.ts";

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
