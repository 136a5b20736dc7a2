import type { ReactNode } from "react";
import type { EventDetails } from "#shared/events/event.ts";
import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { TicketFacts, TicketHead } from "./ticket-head.tsx";

type SelectPageProps = {
  readonly event: EventDetails;
  readonly organisation: Pick<Organisation, "phone">;
  readonly brand: ReactNode;
  /** The island `SelectTickets`. */
  readonly choice: ReactNode;
};

/** The frame around the choice of tickets: the event they are for (TIC-2). */
export function SelectPage({ event, organisation, brand, choice }: SelectPageProps) {
  return (
    <>
      <TicketHead brand={brand}>
        <h1>Select tickets</h1>
        <TicketFacts event={event} />
      </TicketHead>
      <div className="wrap-narrow ticket-page">
        <TicketsWithoutScript organisation={organisation} />
        {choice}
      </div>
    </>
  );
}

const bookingNeedsScript = "Booking on this page needs JavaScript, which is switched off in your browser.";

type WithoutScriptProps = Pick<SelectPageProps, "organisation"> & { readonly text?: string };

/** Without JavaScript, our helpline does it for them. */
export function TicketsWithoutScript({ organisation: { phone }, text = bookingNeedsScript }: WithoutScriptProps) {
  return (
    <noscript>
      <p className="note no-script">
        <span>
          {text} We can do it for you: call our helpline on <a href={telephoneLink(phone)}>{phone}</a>.
        </span>
      </p>
    </noscript>
  );
}
