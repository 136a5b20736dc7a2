import { Fragment, type ReactNode } from "react";
import { formatEventMoment } from "#shared/events/event-times.ts";
import { CalendarAndContact, EventHead } from "#shared/events/ui/event-head.tsx";
import { keepTogether } from "#shared/language.ts";
import { paths, ticketPath, waitingListPath } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { TicketEvent, TicketType } from "../../contract.ts";
import { formatPrice } from "../../order.ts";
import type { TicketedEvent } from "../../reads.ts";
import { describeAvailability, firstSale } from "../../sale.ts";

type AboutPageProps = TicketedEvent & {
  readonly brand: ReactNode;
  /** What staff wrote about the event; null if nothing. */
  readonly about: ReactNode;
};

/** What the tickets are for, and what they cost (TIC-1). */
export function AboutPage({ event, offer, brand, about }: AboutPageProps) {
  return (
    <article>
      <div className="strip-scallop ticket-scallop" aria-hidden="true" />
      <EventHead event={event} className="ticket-about-head ">
        {brand}
      </EventHead>
      <div className="wrap ticket-about">
        <Tickets event={event} offer={offer} />
        <section className="stack event-body" aria-labelledby="about-title">
          <h2 id="about-title">About the event</h2>
          <p className="lede">{event.summary}</p>
          {about}
        </section>
      </div>
    </article>
  );
}

/** Before the text, so that people on a phone need not scroll past it to book. */
function Tickets({ event, offer }: TicketedEvent) {
  return (
    <section className="plain-card stack ticket-prices" aria-labelledby="tickets-title">
      <h2 id="tickets-title">Tickets</h2>
      {offer.state !== "over" && offer.state !== "called_off" && offer.state !== "stopped" && (
        <ul className="prices">
          {offer.types.map((type) => (
            <Price key={type.code} type={type} timeZone={offer.timeZone} />
          ))}
        </ul>
      )}
      <Sale event={event} offer={offer} />
      <CalendarAndContact event={event} />
    </section>
  );
}

function Price({ type, timeZone }: { type: TicketType; timeZone: string }) {
  const availability = describeAvailability(type, timeZone);
  return (
    <li>
      <b>{type.title}</b>
      <span className="price num">{formatPrice(type.priceCents)}</span>
      {type.description !== "" && <span className="muted">{type.description}</span>}
      {availability !== null && <span className="availability">{keepTogether(availability)}</span>}
    </li>
  );
}

/** The link to book, or why there is none and what to do instead. */
function Sale({ event, offer }: TicketedEvent) {
  if (offer.state === "on_sale") {
    return (
      <>
        <p className="small muted">Prices are in Australian dollars. No fees are added.</p>
        <a className="btn btn-cta btn-lg btn-block" href={ticketPath("selectTickets", event.slug, offer.access)}>
          Book tickets
        </a>
      </>
    );
  }
  return (
    <div className="note">
      <Icon name="info" />
      <div>{describeNoSale(offer)}</div>
    </div>
  );
}

function describeNoSale(offer: TicketEvent): ReactNode {
  const from = firstSale(offer);
  switch (offer.state) {
    case "over":
      return (
        <p>
          <b>This event has ended.</b> Tickets are no longer on sale. <a href={paths.events}>See what is coming up.</a>
        </p>
      );
    case "called_off":
      return (
        <p>
          <b>This event has been called off.</b> Whoever has a ticket gets an email and their money back.{" "}
          <a href={paths.events}>See what is coming up.</a>
        </p>
      );
    case "stopped":
      return (
        <p>
          <b>Tickets are not on sale at the moment.</b> Tickets that people have are valid. Please check back later, or
          ask the organiser.
        </p>
      );
    case "sold_out":
      return <SoldOut offer={offer} from={from} />;
    case "not_yet":
      return (
        <p>
          <b>Not on sale yet.</b>{" "}
          {from === null
            ? "Please check back later, or ask the organiser when sales open."
            : keepTogether(`Tickets can be booked here from ${formatEventMoment(new Date(from), offer.timeZone)}.`)}
        </p>
      );
    default:
      return (
        <p>
          <b>Booking has closed.</b> Please ask the organiser if any seats are left.
        </p>
      );
  }
}

/** @param from when more tickets go on sale; null if none do */
function SoldOut({ offer, from }: { offer: TicketEvent; from: ReturnType<typeof firstSale> }) {
  return (
    <p>
      {from === null ? (
        <>
          <b>Sold out.</b> Every seat is sold, or held for someone.
        </>
      ) : (
        <>
          <b>Sold out for now.</b>{" "}
          {keepTogether(`More tickets can be booked here from ${formatEventMoment(new Date(from), offer.timeZone)}.`)}
        </>
      )}{" "}
      You can wait for one to come free:{" "}
      {offer.types
        .filter(({ state }) => state === "sold_out")
        .map(({ code, title }, index) => (
          <Fragment key={code}>
            {index > 0 && ", "}
            <a href={waitingListPath(offer.slug, code, offer.access)}>join the waiting list for {title}</a>
          </Fragment>
        ))}
      .
    </p>
  );
}
