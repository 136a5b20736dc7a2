import { Icon } from "#shared/ui/icon.tsx";
import { type EventCard, formatPlace } from "../event.ts";
import { EventLeaf, EventTime, SydneyTime } from "./event-time.tsx";

/** When and where an event is. The reader's own time is added if it differs. */
export function EventFactList({ event }: { event: EventCard }) {
  const { isOver, isAllDay } = event;
  return (
    <div className="event-facts">
      <EventLeaf event={event} />
      <div>
        {isOver && <p className="is-over">This event has ended.</p>}
        <p className="event-when" data-enhance={isOver || isAllDay ? undefined : "your-time"}>
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
