import { AfterPaying } from "#payments/checkout/ui/after-paying.tsx";
import type { KnownPerson } from "#payments/checkout/ui/known-person.ts";
import type { PaymentVerdict } from "#payments/checkout/ui/outcome.ts";
import { Contact } from "#payments/checkout/ui/trust-block.tsx";
import type { Payee } from "#payments/checkout/ui/words.ts";
import { formatDollars, keepTogether } from "#shared/language.ts";
import { eventPath } from "#shared/paths.ts";
import { Icon } from "#shared/ui/icon.tsx";
import successPicture from "#shared/ui/identity/illustrations/spot-success.svg?no-inline";
import type { TicketOrder } from "../../contract.ts";

/** The paid order, with its ticket numbers and next steps. */
export function BookedOrder({ order, message, verdict, payee, person }: BookedProps) {
  const isLoaded = order?.state === "paid";
  return (
    <section className="plain-card result" aria-label="Result">
      <img src={successPicture} alt="" width="160" height="160" />
      <p className="lede">{message || "Thank you. Your tickets are booked."}</p>
      <dl className="sum">
        <div>
          <dt>Reference</dt>
          <dd className="num">{order?.reference ?? verdict.reference}</dd>
        </div>
        {order !== undefined && (
          <>
            <div>
              <dt>Event</dt>
              <dd>
                {order.event.title}
                <br />
                {keepTogether(order.event.when)}
                <br />
                {order.event.place}
              </dd>
            </div>
            {order.totalCents > 0 && (
              <div>
                <dt>Amount charged</dt>
                <dd className="num">{formatDollars(order.totalCents)} AUD</dd>
              </div>
            )}
          </>
        )}
      </dl>
      <p role="status" className="booked-email">
        {isLoaded ? (
          <>
            We sent your tickets to <b>{order.email}</b>. If they do not arrive within a few minutes, check your spam
            folder.
          </>
        ) : (
          "We are emailing your tickets. They will also appear here as soon as they are ready."
        )}
      </p>
      {isLoaded && <Tickets order={order} />}
      {order !== undefined && (
        <AfterPaying
          person={person}
          benefit="It fills in your details when you donate or book again, and keeps your donations in one place."
          message={`I am going to ${order.event.title}. Will you come too?`}
          path={eventPath(order.event.slug)}
        />
      )}
      <Contact payee={payee} />
    </section>
  );
}

type BookedProps = {
  readonly person: KnownPerson;
  readonly order: TicketOrder | undefined;
  readonly message: string;
  readonly verdict: Extract<PaymentVerdict, { kind: "succeeded" }>;
  readonly payee: Payee;
};

function Tickets({ order }: { order: TicketOrder }) {
  const { tickets, ticketsUrl, calendarUrl, pageUrl } = order;
  return (
    <>
      <h2>Your tickets</h2>
      <ul className="booked-tickets" aria-label="Tickets">
        {tickets.map(({ id, title, holder, number, isCancelled }) => (
          <li key={id}>
            <b>{title}</b>
            <span>
              <bdi>{holder}</bdi>
            </span>
            <span className="num">{isCancelled ? "Cancelled" : number}</span>
          </li>
        ))}
      </ul>
      <div className="form-actions on-screen">
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
        <a className="btn btn-quiet" href={pageUrl}>
          See or change your order
        </a>
      </div>
    </>
  );
}
