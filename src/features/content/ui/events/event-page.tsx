import type { Booking, EventDetails } from "#shared/events/event.ts";
import { CalendarAndContact, EventHead } from "#shared/events/ui/event-head.tsx";
import { paths } from "#shared/paths.ts";
import { Breadcrumbs, type Crumb } from "#shared/ui/page-navigation.tsx";
import { Prose } from "#shared/ui/prose.tsx";

type EventPageProps = {
  readonly event: EventDetails;
  readonly trail: readonly Crumb[];
  readonly booking?: Booking | null;
};

export function EventPage({ event, trail, booking = null }: EventPageProps) {
  const { summary, html } = event;
  return (
    <article>
      <EventHead event={event}>
        <Breadcrumbs trail={trail} />
      </EventHead>
      <div className="wrap with-aside event-body">
        <div className="stack">
          <p className="lede" dir="auto">
            {summary}
          </p>
          {html !== "" && <Prose html={html} />}
        </div>
        <Attend event={event} booking={booking} />
      </div>
    </article>
  );
}

function Attend({ event, booking }: Required<Omit<EventPageProps, "trail">>) {
  const isOnSale = booking !== null && !booking.isStopped;
  return (
    <aside className="stack" aria-label="Taking part">
      <section className="plain-card stack" aria-labelledby="attend-title">
        <h2 id="attend-title">
          {event.calledOffAt !== null ? "Called off" : event.isOver ? "Were you there?" : "Will you be there?"}
        </h2>
        {event.calledOffAt !== null && (
          <p>This event does not take place. Whoever has a ticket gets an email and their money back.</p>
        )}
        {booking?.isStopped && (
          <p>
            <b>Tickets are not on sale at the moment.</b> Tickets that people have are valid. Please check back later,
            or ask the organiser.
          </p>
        )}
        {isOnSale && (
          <>
            <a className="btn btn-cta btn-block" href={booking.href}>
              Book tickets
            </a>
            <p className="small muted">{booking.price}</p>
          </>
        )}
        <CalendarAndContact event={event} isMain={!isOnSale} />
        <p className="small muted">
          Created by <bdi>{event.createdBy}</bdi>
        </p>
      </section>
      <a className="btn btn-quiet btn-block" href={paths.events}>
        All events
      </a>
    </aside>
  );
}
