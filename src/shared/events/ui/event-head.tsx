import type { ReactNode } from "react";
import { pictureWords } from "#shared/images/picture-words.ts";
import { acrossPhone, ContentPicture } from "#shared/images/ui/picture.tsx";
import { contactAbout, eventCalendarPath } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { EventDetails } from "../event.ts";
import { EventFactList } from "./event-facts.tsx";

type EventHeadProps = { readonly event: EventDetails; readonly className?: string; readonly children: ReactNode };

/** The top of an event's page: links, title, when and where, and picture. */
export function EventHead({ event, className = "", children }: EventHeadProps) {
  return (
    <>
      <header className={`event-head ${className}deep`}>
        <div className="wrap">
          <div>
            {children}
            <h1 dir="auto">{event.title}</h1>
            <EventFactList event={event} />
          </div>
          <ContentPicture
            picture={event.picture}
            alt={event.alt ?? pictureWords(event.picture.address) ?? ""}
            sizes={`(min-width: 821px) 36rem, ${acrossPhone}`}
            className="pic"
            isEager
          />
        </div>
      </header>
      <div className="strip-ajrak" aria-hidden="true" />
    </>
  );
}

export function CalendarAndContact({
  event: { slug, title, isOver, calledOffAt },
  isMain = false,
}: CalendarAndContactProps) {
  return (
    <>
      {!isOver && calledOffAt === null && (
        <a className={`btn ${isMain ? "" : "btn-quiet "}btn-block`} href={eventCalendarPath(slug)} download>
          <Icon name="cal" />
          Add to your calendar
        </a>
      )}
      <a className="btn btn-quiet btn-block" href={contactAbout(title)}>
        <Icon name="mail" />
        Contact the organiser
      </a>
    </>
  );
}

type CalendarAndContactProps = {
  readonly event: EventDetails;
  /** Whether the calendar is the page's main action. */
  readonly isMain?: boolean;
};
