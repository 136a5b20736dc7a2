import { Icon } from "#shared/ui/icon.tsx";
import type { EventCard } from "../event.ts";
import { sayPlace } from "../event-place.ts";
import { EventLeaf, EventTime, SydneyTime } from "./event-time.tsx";

/** When and where an event is, under its title; the hours of the person who reads are added where their clock is another. */
export function EventFacts({ event }: { event: EventCard }) {
  const { isOver, isAllDay } = event;
  return (
    <div className="event-facts">
      <EventLeaf event={event} />
      <div>
        {isOver && <p className="is-over">This event is over.</p>}
        <p className="event-when" data-enhance={isOver || isAllDay ? undefined : "yourTime"}>
          <EventTime event={event} />
          <SydneyTime event={event} />
        </p>
        <p className="event-where">
          <Icon name="pin" />
          <span>{sayPlace(event)}</span>
        </p>
      </div>
    </div>
  );
}
