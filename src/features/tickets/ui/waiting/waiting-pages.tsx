import type { ReactNode } from "react";
import type { EventDetails } from "#shared/events/event.ts";
import type { Organisation } from "#shared/organisation.ts";
import { contactAbout, ticketPath } from "#shared/paths.ts";
import type { TicketEvent, TicketType } from "../../contract.ts";
import type { WaitingEntry } from "../../reads.ts";
import { TicketsWithoutScript } from "../select-page.tsx";
import { TicketFacts, TicketHead } from "../ticket-head.tsx";

type WaitingListPageProps = {
  readonly event: EventDetails;
  readonly type: TicketType;
  readonly offer: Pick<TicketEvent, "access">;
  readonly organisation: Pick<Organisation, "phone">;
  readonly brand: ReactNode;
  /** The island `JoinWaitingList`. */
  readonly form: ReactNode;
};

/** The frame around the form to join a waiting list, or why there is nothing to wait for (WAIT-1). */
export function WaitingListPage({ event, type, offer, organisation, brand, form }: WaitingListPageProps) {
  return (
    <>
      <TicketHead brand={brand}>
        <h1>Waiting list</h1>
        <TicketFacts event={event} />
      </TicketHead>
      <div className="wrap-narrow ticket-page">
        {type.state === "sold_out" ? (
          <>
            <TicketsWithoutScript
              organisation={organisation}
              text="Joining on this page needs JavaScript, which is switched off in your browser."
            />
            {form}
          </>
        ) : (
          <section className="plain-card">
            <h2>{type.state === "on_sale" ? `${type.title} is on sale now` : `${type.title} is not on sale`}</h2>
            <p>
              {type.state === "on_sale"
                ? "There is nothing to wait for."
                : "There is no waiting list for tickets that are not on sale."}
            </p>
            <a className="btn" href={ticketPath("selectTickets", event.slug, offer.access)}>
              See the tickets of this event
            </a>
          </section>
        )}
      </div>
    </>
  );
}

/** The page of somebody’s place on a waiting list. */
export function WaitingPlacePage({ entry, place }: { entry: WaitingEntry; place: ReactNode }) {
  return (
    <div className="wrap-narrow section ticket-order">
      <h1>Your place on the waiting list</h1>
      <p className="lede">{entry.event.title}</p>
      {place}
      <p className="muted">
        Anyone with the link can open this page, so please keep it to yourself. Questions?{" "}
        <a href={contactAbout(`${entry.event.title}, waiting list`)}>Contact the organiser</a>.
      </p>
    </div>
  );
}
