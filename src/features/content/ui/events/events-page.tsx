import type { Paged } from "#shared/contract/paging.ts";
import { type EventCard, formatPlace } from "#shared/events/event.ts";
import { EventLeaf, EventTime, SydneyTime } from "#shared/events/ui/event-time.tsx";
import { acrossPhone, ContentPicture } from "#shared/images/ui/picture.tsx";
import { contactAbout, eventPath, paths } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { invitations } from "#shared/ui/invitations.ts";
import type { Crumb } from "#shared/ui/page-navigation.tsx";
import { ListHead } from "../list-head.tsx";
import { ListPager } from "../list-pager.tsx";

type EventsPageProps = { events: Paged<EventCard>; lede: string; isFirst: boolean; trail: readonly Crumb[] };

/** All events: upcoming, soonest first; then past, latest first (PAGE-5). */
export function EventsPage({ events: { items, next }, lede, isFirst, trail }: EventsPageProps) {
  const coming = items.filter(({ isOver }) => !isOver);
  const past = items.filter(({ isOver }) => isOver);
  return (
    <>
      <ListHead title="Events" text={lede} trail={trail} />
      <div className="section paper-bg">
        <div className="wrap events">
          {(coming.length > 0 || isFirst) && (
            <section aria-labelledby="upcoming-title">
              <h2 id="upcoming-title">Upcoming</h2>
              {coming.length > 0 ? (
                <ul className="coming-events">
                  {coming.map((event, index) => (
                    <EventItem key={event.slug} event={event} sizes={wide} isEager={index === 0} />
                  ))}
                </ul>
              ) : (
                <NothingPlanned />
              )}
            </section>
          )}
          {past.length > 0 && (
            <section aria-labelledby="past-title">
              <h2 id="past-title">Past</h2>
              <ul className="past-events">
                {past.map((event, index) => (
                  <EventItem
                    key={event.slug}
                    event={event}
                    sizes={narrow}
                    isEager={coming.length === 0 && index === 0}
                  />
                ))}
              </ul>
            </section>
          )}
          {items.length === 0 && !isFirst && <p className="lede">There are no more events.</p>}
          <ListPager
            path={paths.events}
            next={next}
            isFirst={isFirst}
            older="More events"
            newest="Back to the newest events"
          />
        </div>
      </div>
    </>
  );
}

const wide = `(min-width: 821px) 25rem, ${acrossPhone}`;
const narrow = `(min-width: 1025px) 24rem, (min-width: 701px) 50vw, ${acrossPhone}`;

function EventItem({ event, sizes, isEager }: { event: EventCard; sizes: string; isEager: boolean }) {
  return (
    <li className="card event-card">
      <div className="media">
        <ContentPicture picture={event.picture} alt="" sizes={sizes} isEager={isEager} />
      </div>
      <EventLeaf event={event} />
      <div className="body">
        <h3 dir="auto">
          <a href={eventPath(event.slug)}>{event.title}</a>
        </h3>
        {event.calledOffAt !== null && (
          <p>
            <b>This event has been called off.</b>
          </p>
        )}
        <p className="event-when">
          <EventTime event={event} />
          <SydneyTime event={event} />
        </p>
        <p className="event-where">
          <Icon name="pin" />
          <span dir="auto">{formatPlace(event)}</span>
        </p>
        <p dir="auto">{event.summary}</p>
        <p className="muted small">
          Created by <bdi>{event.createdBy}</bdi>
        </p>
      </div>
    </li>
  );
}

function NothingPlanned() {
  return (
    <div className="empty">
      <p>No events are planned at the moment. New events appear here first.</p>
      <p className="muted">
        Would you like to hold one with us? <a href={contactAbout("Holding an event together")}>Write to us</a>.
      </p>
      <div className="row">
        {invitations.map(({ label, path }) => (
          <a key={path} className="btn btn-quiet" href={path}>
            {label}
          </a>
        ))}
      </div>
    </div>
  );
}
