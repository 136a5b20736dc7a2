import type { ReactNode } from "react";
import { sayMoment } from "#shared/events/event-times.ts";
import { EventFacts } from "#shared/events/ui/event-facts.tsx";
import { ContentPicture } from "#shared/images/ui/picture.tsx";
import { keepTogether } from "#shared/keep-together.ts";
import { formatDollars } from "#shared/money.ts";
import { contactAbout, eventCalendarPath, paths, ticketPath } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { TicketEvent, TicketType } from "../../contract.ts";
import type { TicketedEvent } from "../../reads.ts";
import { firstSale, sayAvailability } from "../../sale.ts";

type AboutPageProps = TicketedEvent & {
  readonly brand: ReactNode;
  /** What staff wrote about the event; null when they wrote nothing. */
  readonly about: ReactNode;
};

/** What one may buy a ticket for, and what it costs (TIC-1). */
export function AboutPage({ event, offer, brand, about }: AboutPageProps) {
  const { title, summary, picture } = event;
  return (
    <article>
      <div className="strip-scallop ticket-scallop" aria-hidden="true" />
      <header className="event-head ticket-about-head deep">
        <div className="wrap">
          <div>
            {brand}
            <h1>{title}</h1>
            <EventFacts event={event} />
          </div>
          <ContentPicture picture={picture} alt="" sizes="(min-width: 821px) 36rem, 100vw" className="pic" isEager />
        </div>
      </header>
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="wrap ticket-about">
        <Tickets event={event} offer={offer} />
        <section className="stack event-body" aria-labelledby="about-title">
          <h2 id="about-title">About the event</h2>
          <p className="lede">{summary}</p>
          {about}
        </section>
      </div>
    </article>
  );
}

/** Stands before the text: on a phone the way to book is not below everything that can be read. */
function Tickets({ event, offer }: TicketedEvent) {
  const { slug, title } = event;
  return (
    <section className="plain-card stack ticket-prices" aria-labelledby="tickets-title">
      <h2 id="tickets-title">Tickets</h2>
      {offer.state !== "over" && (
        <ul className="prices">
          {offer.types.map((type) => (
            <Price key={type.code} type={type} timeZone={offer.timeZone} />
          ))}
        </ul>
      )}
      <Sale event={event} offer={offer} />
      {!event.isOver && (
        <a className="btn btn-quiet btn-block" href={eventCalendarPath(slug)} download>
          <Icon name="cal" />
          Add to your calendar
        </a>
      )}
      <a className="btn btn-quiet btn-block" href={contactAbout(title)}>
        <Icon name="mail" />
        Contact the organiser
      </a>
    </section>
  );
}

function Price({ type, timeZone }: { type: TicketType; timeZone: string }) {
  const availability = sayAvailability(type, timeZone);
  return (
    <li>
      <b>{type.title}</b>
      <span className="price num">{formatDollars(type.priceCents)}</span>
      {type.description !== "" && <span className="muted">{type.description}</span>}
      {availability !== null && <span className="availability">{keepTogether(availability)}</span>}
    </li>
  );
}

/** The way to book, or why there is none and what one can do instead. */
function Sale({ event, offer }: TicketedEvent) {
  if (offer.state === "on_sale") {
    return (
      <>
        <p className="small muted">Prices are in Australian dollars. No fees are added.</p>
        <a className="btn btn-cta btn-lg btn-block" href={ticketPath("selectTickets", event.slug)}>
          Book tickets
        </a>
      </>
    );
  }
  return (
    <div className="note">
      <Icon name="info" />
      <div>{sayNoSale(offer)}</div>
    </div>
  );
}

function sayNoSale(offer: TicketEvent): ReactNode {
  const from = firstSale(offer);
  switch (offer.state) {
    case "over":
      return (
        <p>
          <b>This event is over.</b> Its tickets are no longer sold. <a href={paths.events}>See what is coming up.</a>
        </p>
      );
    case "sold_out":
      return (
        <p>
          <b>Sold out.</b> Every seat is sold, or held for somebody who is paying. Seats that are given up come back on
          sale here, so it is worth looking again in {Math.ceil(offer.holdSeconds / 60)} minutes.
        </p>
      );
    case "not_yet":
      return (
        <p>
          <b>Not on sale yet.</b>{" "}
          {from === null
            ? "Please come back later, or ask the organiser when it begins."
            : keepTogether(`Tickets can be booked here from ${sayMoment(new Date(from), offer.timeZone)}.`)}
        </p>
      );
    default:
      return (
        <p>
          <b>Booking has closed.</b> Please ask the organiser whether there are seats left.
        </p>
      );
  }
}
