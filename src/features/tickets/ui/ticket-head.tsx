import type { ReactNode } from "react";
import { type EventDetails, formatPlace } from "#shared/events/event.ts";
import { EventTime, SydneyTime } from "#shared/events/ui/event-time.tsx";
import { Icon } from "#shared/ui/icon.tsx";

/** The dark head of a page without the site's header (LAY-1). */
export function TicketHead({ brand, children }: { brand: ReactNode; children?: ReactNode }) {
  return (
    <>
      <div className="strip-scallop ticket-scallop" aria-hidden="true" />
      <header className="ticket-head deep">
        <div className="wrap-narrow">
          {brand}
          {children}
        </div>
      </header>
      <div className="strip-ajrak" aria-hidden="true" />
    </>
  );
}

export function TicketFacts({ event }: { event: EventDetails }) {
  return (
    <>
      <p className="lede">{event.title}</p>
      <ul className="ticket-facts">
        <li className="event-when">
          <Icon name="cal" />
          <span>
            <EventTime event={event} />
            <SydneyTime event={event} />
          </span>
        </li>
        <li>
          <Icon name="pin" />
          <span>{formatPlace(event)}</span>
        </li>
      </ul>
    </>
  );
}
