import { paths, ticketPath } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { TicketOrder } from "../../contract.ts";
import type { OrderStatus } from "../../order-status.ts";
import { changeDraft } from "../draft-storage.ts";

export function NextStep({ order, kind }: { order: TicketOrder; kind: OrderStatus["kind"] }) {
  const { slug } = order.event;
  switch (kind) {
    case "held":
    case "bank":
      return (
        <div className="form-actions">
          <a
            className="btn btn-cta"
            href={ticketPath("ticketsCheckout", slug, order.access)}
            onClick={() => keepForCheckout(order)}
          >
            Continue to checkout
          </a>
        </div>
      );
    case "called_off":
      return (
        <div className="form-actions">
          <a className="btn" href={paths.events}>
            See our events
          </a>
        </div>
      );
    case "lapsed":
    case "refunded":
    case "cancelled":
      return (
        <div className="form-actions">
          <a className="btn" href={ticketPath("selectTickets", slug, order.access)}>
            Choose tickets again
          </a>
          <a className="btn btn-quiet" href={paths.events}>
            See our events
          </a>
        </div>
      );
    default:
      return <Downloads order={order} />;
  }
}

function Downloads({ order: { ticketsUrl, calendarUrl } }: { order: TicketOrder }) {
  if (ticketsUrl === null && calendarUrl === null) return null;
  return (
    <div className="form-actions">
      {ticketsUrl !== null && (
        <a className="btn" href={ticketsUrl} download>
          <Icon name="down" />
          Download tickets (PDF)
        </a>
      )}
      {calendarUrl !== null && (
        <a className="btn btn-quiet" href={calendarUrl} download>
          <Icon name="cal" />
          Add to your calendar
        </a>
      )}
    </div>
  );
}

/** The checkout reads its own tab's draft, but the link may have been opened in another tab. */
function keepForCheckout({ id, key, event, lines, access }: TicketOrder): void {
  const chosen = lines.map(({ type, quantity }) => ({ type, quantity }));
  changeDraft(event.slug, { lines: chosen, order: { id, key }, ...(access !== undefined && { access }) });
}
