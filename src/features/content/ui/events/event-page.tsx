import type { EventDetails } from "#shared/events/event.ts";
import { EventFacts } from "#shared/events/ui/event-facts.tsx";
import { ContentPicture } from "#shared/images/ui/picture.tsx";
import { contactAbout, eventCalendarPath, paths } from "#shared/paths.ts";
import { Breadcrumbs, type Crumb } from "#shared/ui/breadcrumbs.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { Prose } from "../prose.tsx";

/** Where tickets for an event are sold. The page is kept, so nothing here depends on how many are left. */
export type Booking = {
  readonly href: string;
  readonly label: string;
  /** 'From $50.00 a ticket'. */
  readonly price: string;
};
type EventPageProps = {
  readonly event: EventDetails;
  readonly trail: readonly Crumb[];
  readonly booking?: Booking | undefined;
};

/** One event (PAGE-5): what, when, where and by whom. */
export function EventPage({ event, trail, booking }: EventPageProps) {
  const { title, summary, html, picture } = event;
  return (
    <article>
      <header className="event-head deep">
        <div className="wrap">
          <div>
            <Breadcrumbs trail={trail} />
            <h1>{title}</h1>
            <EventFacts event={event} />
          </div>
          <ContentPicture picture={picture} alt="" sizes="(min-width: 821px) 36rem, 100vw" className="pic" isEager />
        </div>
      </header>
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="wrap with-aside event-body">
        <div className="stack">
          <p className="lede">{summary}</p>
          {html !== "" && <Prose html={html} />}
        </div>
        <Attend event={event} booking={booking} />
      </div>
    </article>
  );
}

function Attend({ event: { slug, title, createdBy, isOver }, booking }: Omit<EventPageProps, "trail">) {
  return (
    <aside className="stack" aria-label="Taking part">
      <section className="plain-card stack" aria-labelledby="attend-title">
        <h2 id="attend-title">{isOver ? "Were you there?" : "Will you be there?"}</h2>
        {booking !== undefined && (
          <>
            <a className="btn btn-cta btn-block" href={booking.href}>
              {booking.label}
            </a>
            <p className="small muted">{booking.price}</p>
          </>
        )}
        {!isOver && (
          <a
            className={`btn ${booking === undefined ? "" : "btn-quiet "}btn-block`}
            href={eventCalendarPath(slug)}
            download
          >
            <Icon name="cal" />
            Add to your calendar
          </a>
        )}
        <a className="btn btn-quiet btn-block" href={contactAbout(title)}>
          <Icon name="mail" />
          Contact the organiser
        </a>
        <p className="small muted">Created by {createdBy}</p>
      </section>
      <a className="btn btn-quiet btn-block" href={paths.events}>
        All events
      </a>
    </aside>
  );
}
