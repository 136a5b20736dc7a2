import type { ReactNode } from "react";
import type { EventDetails } from "#shared/events/event.ts";
import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { TicketFacts, TicketHead } from "./ticket-head.tsx";

type SelectPageProps = {
  readonly event: EventDetails;
  readonly organisation: Pick<Organisation, "phone">;
  readonly brand: ReactNode;
  /** `SelectTickets`, as the site's own island. */
  readonly choice: ReactNode;
};

/** Around the choice of tickets (TIC-2): which event they are for. */
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

type WithoutScriptProps = Pick<SelectPageProps, "organisation"> & { readonly says?: string };

/** What one does here needs a script; where there is none, people do it for one. */
export function TicketsWithoutScript({ organisation: { phone }, says = "Booking" }: WithoutScriptProps) {
  return (
    <noscript>
      <p className="note no-script">
        <span>
          {says} on this page needs JavaScript, which is switched off in your browser. We do it for you: call our
          helpline on <a href={telephoneLink(phone)}>{phone}</a>.
        </span>
      </p>
    </noscript>
  );
}
