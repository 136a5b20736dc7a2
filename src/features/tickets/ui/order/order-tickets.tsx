import type { Ticket, TicketOrder } from "../../contract.ts";
import { HolderName } from "./holder-name.tsx";
import type { AskOrder } from "./use-order.ts";

/** Every ticket of an order: its number, what for, and who comes with it. */
export function OrderTickets({ order, ask }: { order: TicketOrder; ask: AskOrder }) {
  return (
    <section className="order-tickets" aria-labelledby="tickets-title">
      <h2 id="tickets-title">Tickets</h2>
      <ul>
        {order.tickets.map((ticket) => (
          <li key={ticket.id} className="admission" data-cancelled={ticket.isCancelled || undefined}>
            <p className="what">
              <b>{ticket.title}</b>
              <span className="num">{ticket.number}</span>
            </p>
            {ticket.isCancelled ? (
              <CancelledTicket ticket={ticket} />
            ) : (
              <HolderName
                ticket={ticket}
                isChangeable={order.state === "paid"}
                rename={(name) => ask((calls) => calls.renameHolder(order, ticket.id, name))}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function CancelledTicket({ ticket: { holder } }: { ticket: Ticket }) {
  return (
    <p className="holder">
      <bdi>{holder}</bdi>
      <span className="tag">Cancelled</span>
    </p>
  );
}
