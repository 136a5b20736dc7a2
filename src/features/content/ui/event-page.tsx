import type { EventDetails } from "#shared/event.ts";
import { sayPlace } from "#shared/event-place.ts";
import { contactAbout, eventCalendarPath, paths } from "#shared/paths.ts";
import { Breadcrumbs, type Crumb } from "#shared/ui/breadcrumbs.tsx";
import { EventLeaf, EventTime } from "#shared/ui/event-time.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import { ContentPicture } from "#shared/ui/picture.tsx";
import { Prose } from "./prose.tsx";

/** One event (PAGE-5): what, when, where and by whom. */
export function EventPage({ event, trail }: { event: EventDetails; trail: readonly Crumb[] }) {
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
        <Attend event={event} />
      </div>
    </article>
  );
}

function EventFacts({ event }: { event: EventDetails }) {
  const { isOver, isAllDay } = event;
  return (
    <div className="event-facts">
      <EventLeaf event={event} />
      <div>
        {isOver && <p className="is-over">This event is over.</p>}
        <p className="event-when" data-enhance={isOver || isAllDay ? undefined : "yourTime"}>
          <EventTime event={event} />
        </p>
        <p className="event-where">
          <Icon name="pin" />
          <span>{sayPlace(event)}</span>
        </p>
      </div>
    </div>
  );
}

function Attend({ event: { slug, title, createdBy, isOver } }: { event: EventDetails }) {
  return (
    <aside className="stack" aria-label="Taking part">
      <section className="plain-card stack" aria-labelledby="attend-title">
        <h2 id="attend-title">{isOver ? "Were you there?" : "Will you be there?"}</h2>
        {!isOver && (
          <a className="btn btn-block" href={eventCalendarPath(slug)} download>
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
