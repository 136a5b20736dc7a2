import { Icon } from "#shared/ui/icon.tsx";
import { type EventCard, formatPlace } from "../event.ts";
import { EventLeaf, EventTime, SydneyTime } from "./event-time.tsx";

/** When and where an event is. The reader's own time is added if it differs. */
export function EventFactList({ event }: { event: EventCard }) {
  const { isOver, isAllDay, calledOffAt } = event;
  const isOn = !isOver && calledOffAt === null;
  return (
    <div className="event-facts">
      <EventLeaf event={event} />
      <div>
        {calledOffAt !== null && <p className="is-over">This event has been called off.</p>}
        {isOver && calledOffAt === null && <p className="is-over">This event has ended.</p>}
        <p className="event-when" data-enhance={isOn && !isAllDay ? "your-time" : undefined}>
          <EventTime event={event} />
          <SydneyTime event={event} />
        </p>
        <p className="event-where">
          <Icon name="pin" />
          <span>{formatPlace(event)}</span>
        </p>
      </div>
    </div>
  );
}
