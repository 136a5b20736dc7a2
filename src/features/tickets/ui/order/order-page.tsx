import "#shared/ui/form-without-eval.ts";
import { useState } from "react";
import { formatDollars, keepTogether } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import { contactAbout, eventPath } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { useFocus } from "#shared/ui/use-focus.ts";
import type { Ticket, TicketOrder } from "../../contract.ts";
import { formatPrice, formatTicketCount } from "../../order.ts";
import { describeOrder } from "../../order-status.ts";
import { describeRefund } from "../../refunds.ts";
import { TicketsWithoutScript } from "../select-page.tsx";
import { CancelTickets } from "./cancel-tickets.tsx";
import { HolderNameForm } from "./holder-name.tsx";
import { NextStep } from "./next-step.tsx";
import { type AskOrder, useOrder } from "./use-order.ts";

type OrderPageProps = {
  readonly order: TicketOrder;
  readonly organisation: Pick<Organisation, "phone">;
};

/** The order's own page, opened by the link in our email: its status, its tickets, and what the holder can do. */
export function OrderPage({ order: made, organisation }: OrderPageProps) {
  const { order, ask } = useOrder(made);
  const [done, setDone] = useState<{ readonly text: string } | undefined>();
  // Focus moves to the news, because the cancelled ticket's button is gone.
  const heading = useFocus<HTMLHeadingElement>(done);
  const { kind, title, text } = describeOrder(order);
  return (
    <div className="wrap-narrow section ticket-order">
      <h1>Your tickets</h1>
      <p className="lede">
        {order.event.title}, order <b className="num">{order.reference}</b>
      </p>
      <section className="plain-card order-status" aria-labelledby="status-title" data-kind={kind}>
        <div role="status">
          <h2 id="status-title" tabIndex={-1} ref={heading}>
            {title}
          </h2>
          <p>{text}</p>
          {done !== undefined && <p>{done.text}</p>}
        </div>
        {order.refunds.length > 0 && <OrderRefunds refunds={order.refunds} now={order.now} />}
        <NextStep order={order} kind={kind} />
      </section>
      <Facts order={order} />
      {order.tickets.length > 0 && <OrderTickets order={order} ask={ask} />}
      {order.state === "paid" && order.tickets.length > 0 && (
        <CancelTickets order={order} ask={ask} organisation={organisation} onCancelled={(text) => setDone({ text })} />
      )}
      {order.state === "paid" && (
        <TicketsWithoutScript
          organisation={organisation}
          text="Changing a name or cancelling on this page needs JavaScript, which is switched off in your browser."
        />
      )}
      <p className="muted on-screen">
        Anyone with the link can open this page, so please keep it to yourself. Questions?{" "}
        <a href={contactAbout(`${order.event.title}, order ${order.reference}`)}>Contact the organiser</a> or call our
        helpline on <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a>.
      </p>
    </div>
  );
}

function Facts({ order }: { order: TicketOrder }) {
  const { event, lines, discount, totalCents, takenCents, refundedCents } = order;
  return (
    <section className="plain-card order-facts" aria-labelledby="facts-title">
      <h2 id="facts-title">
        <a href={eventPath(event.slug)}>{event.title}</a>
      </h2>
      <ul className="ticket-facts">
        <li>
          <Icon name="cal" />
          <span>{keepTogether(event.when)}</span>
        </li>
        <li>
          <Icon name="pin" />
          <span>{event.place}</span>
        </li>
      </ul>
      <dl className="order-sum">
        {lines.map(({ type, title, quantity, priceCents }) => {
          const tickets = formatTicketCount(quantity);
          // What was paid in person is known for the whole order only.
          if (takenCents !== undefined) return <Sum key={type} label={title} sum={tickets} />;
          const label =
            priceCents === 0 ? `${title}, ${tickets}` : `${title}, ${tickets} at ${formatDollars(priceCents)}`;
          return <Sum key={type} label={label} sum={formatPrice(quantity * priceCents)} />;
        })}
        {discount !== null && discount.cents > 0 && (
          <Sum label={`Discount code ${discount.code}`} sum={formatDollars(-discount.cents)} />
        )}
        <div className="order-total">
          <dt>{takenCents === undefined ? "Total in Australian dollars" : "Paid in person, in Australian dollars"}</dt>
          <dd className="num">{formatPrice(takenCents ?? totalCents)}</dd>
        </div>
        {refundedCents > 0 && <Sum label="Refunded" sum={formatDollars(-refundedCents)} />}
      </dl>
    </section>
  );
}

function Sum({ label, sum }: { label: string; sum: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">{sum}</dd>
    </div>
  );
}

/** Every refund with its status (TIC-8). */
function OrderRefunds({ refunds, now }: Pick<TicketOrder, "refunds" | "now">) {
  return (
    <ul className="refunds" aria-label="Refunds">
      {refunds.map((refund) => {
        const { title, detail } = describeRefund(refund, now);
        return (
          <li key={refund.id}>
            <b>{title}</b>
            <span>{detail}</span>
          </li>
        );
      })}
    </ul>
  );
}

function OrderTickets({ order, ask }: { order: TicketOrder; ask: AskOrder }) {
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
              <HolderNameForm
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
