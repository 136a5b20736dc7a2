import "#shared/ui/form-without-eval.ts";
import { useLayoutEffect, useRef, useState } from "react";
import { keepTogether } from "#shared/keep-together.ts";
import { formatDollars } from "#shared/money.ts";
import type { Organisation } from "#shared/organisation.ts";
import { contactAbout, eventPath } from "#shared/paths.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { TicketOrder } from "../../contract.ts";
import { sayCount } from "../../order.ts";
import { sayStanding } from "../../standing.ts";
import { TicketsWithoutScript } from "../select-page.tsx";
import { CancelTickets } from "./cancel-tickets.tsx";
import { NextStep } from "./next-step.tsx";
import { OrderRefunds } from "./order-refunds.tsx";
import { OrderTickets } from "./order-tickets.tsx";
import { useOrder } from "./use-order.ts";

export type OrderPageProps = {
  readonly order: TicketOrder;
  readonly organisation: Pick<Organisation, "phone">;
};

/** An order by the link of our letter: how it stands, its tickets, and what its holder may do about them. */
export function OrderPage({ order: made, organisation }: OrderPageProps) {
  const { order, ask } = useOrder(made);
  const [done, setDone] = useState<{ readonly says: string } | undefined>();
  const heading = useRef<HTMLHeadingElement>(null);
  // Once what was cancelled is gone from under the hand, reading goes on where the news stands.
  useLayoutEffect(() => void (done !== undefined && heading.current?.focus()), [done]);
  const { kind, title, says } = sayStanding(order);
  return (
    <div className="wrap-narrow section ticket-order">
      <h1>Your tickets</h1>
      <p className="lede">
        {order.event.title}, order <b className="num">{order.reference}</b>
      </p>
      <section className="plain-card order-standing" aria-labelledby="standing-title" data-kind={kind}>
        <div role="status">
          <h2 id="standing-title" tabIndex={-1} ref={heading}>
            {title}
          </h2>
          <p>{says}</p>
          {done !== undefined && <p>{done.says}</p>}
        </div>
        {order.refunds.length > 0 && <OrderRefunds refunds={order.refunds} now={order.now} />}
        <NextStep order={order} kind={kind} />
      </section>
      <Facts order={order} />
      {order.tickets.length > 0 && <OrderTickets order={order} ask={ask} />}
      {order.state === "paid" && order.tickets.length > 0 && (
        <CancelTickets
          order={order}
          ask={ask}
          organisation={organisation}
          onCancelled={(text) => setDone({ says: text })}
        />
      )}
      {order.state === "paid" && (
        <TicketsWithoutScript organisation={organisation} says="Changing a name or cancelling" />
      )}
      <p className="muted">
        This page opens for whoever has its link, so please keep the link to yourself. Questions?{" "}
        <a href={contactAbout(`${order.event.title}, order ${order.reference}`)}>Contact the organiser</a> or call our
        helpline on <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a>.
      </p>
    </div>
  );
}

/** When and where, and what was ordered. */
function Facts({ order: { event, lines, totalCents, refundedCents } }: { order: TicketOrder }) {
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
        {lines.map(({ type, title, quantity, priceCents }) => (
          <div key={type}>
            <dt>
              {title}, {sayCount(quantity)} at {formatDollars(priceCents)}
            </dt>
            <dd className="num">{formatDollars(quantity * priceCents)}</dd>
          </div>
        ))}
        <div className="order-total">
          <dt>Total in Australian dollars</dt>
          <dd className="num">{formatDollars(totalCents)}</dd>
        </div>
        {refundedCents > 0 && (
          <div>
            <dt>Refunded</dt>
            <dd className="num">{formatDollars(-refundedCents)}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
