import { hasRight } from "#admin/rights.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { describeReceivable, LedgerTable } from "#admin/ui/ledger-table.tsx";
import { Note } from "#admin/ui/note.tsx";
import { Status } from "#admin/ui/status.tsx";
import { tableCents } from "#admin/ui/table-cents.ts";
import { When } from "#admin/ui/when.tsx";
import { describePaymentState, providerNames } from "#payments/payment-words.ts";
import { isUndecided } from "#payments/states.ts";
import { formatDollars } from "#shared/language.ts";
import { discountOf } from "../../discounts.ts";
import { sumTaken } from "../../server/staff/cancel-by-staff.ts";
import { isBuyerErased, type OrderDetails } from "../../server/staff/order-details.ts";
import { ticketNumber } from "../../ticket-token.ts";

type Details = { readonly details: OrderDetails };

/** What was bought: each ticket with its holder or, before it is paid, what was wanted. */
export function TicketsTable({ details, request }: Details & { request: ScreenRequest }) {
  const { order, tickets, lines } = details;
  const base = `/admin/orders/${order.id}`;
  const refused = [`${base}/holder`, `${base}/resend`].includes(request.form?.action ?? "") ? request.form : null;
  const mayRename = request.staff !== null && hasRight(request.staff, "orders.change") && !isBuyerErased(order);
  return (
    <section aria-labelledby="h-tickets">
      <div className="sec-h">
        <h2 id="h-tickets">Tickets</h2>
      </div>
      {refused?.message !== undefined && (
        <Note look="bad" isNews>
          {refused.message}
        </Note>
      )}
      <div className="tw">
        <table className="cards">
          <caption className="sr">What was bought</caption>
          <thead>
            <tr>
              <th scope="col">Ticket</th>
              <th scope="col">In the name of</th>
              <th scope="col">State</th>
              <th scope="col" className="num">
                Price
              </th>
            </tr>
          </thead>
          <tbody>
            {tickets.length === 0
              ? lines.map((line) => <UnissuedRow line={line} key={line.type_id} />)
              : tickets.map((ticket) => (
                  <TicketRow
                    ticket={ticket}
                    request={request}
                    mayRename={mayRename}
                    action={`${base}/holder`}
                    key={ticket.id}
                  />
                ))}
          </tbody>
          <Totals details={details} />
        </table>
      </div>
    </section>
  );
}

function UnissuedRow({ line: { title, quantity, price_cents } }: { line: OrderDetails["lines"][number] }) {
  return (
    <tr>
      <th scope="row" className="k-c">
        {title} × {quantity}
      </th>
      <td className="m-c">Nobody yet</td>
      <td className="s-c">
        <Status look="off">Not issued</Status>
      </td>
      <td className="num v-c">{tableCents(quantity * price_cents)}</td>
    </tr>
  );
}

/** What staff took in person stands in place of a total that is 0. */
function Totals({ details: { order, tickets, lines } }: Details) {
  const discountCents = discountOf(lines);
  const toGiveBackCents = sumTaken(tickets.filter(({ cancelled_at }) => cancelled_at !== null));
  return (
    <tfoot>
      {tickets.length === 0 && discountCents > 0 && (
        <tr>
          <th scope="row" colSpan={3}>
            Discount code {order.discount_code}
          </th>
          <td className="num v-c">{formatDollars(-discountCents)}</td>
        </tr>
      )}
      <tr>
        <th scope="row" colSpan={3}>
          {order.taken_cents > 0 ? "Taken at the door" : "Total"}
        </th>
        <td className="num v-c">{formatDollars(order.total_cents + order.taken_cents)}</td>
      </tr>
      {toGiveBackCents > 0 && (
        <tr>
          <th scope="row" colSpan={3}>
            Taken for cancelled tickets
          </th>
          <td className="num v-c">{formatDollars(toGiveBackCents)}</td>
        </tr>
      )}
    </tfoot>
  );
}

type TicketRowProps = {
  readonly ticket: OrderDetails["tickets"][number];
  readonly request: ScreenRequest;
  readonly mayRename: boolean;
  readonly action: string;
};

function TicketRow({ ticket, request, mayRename, action }: TicketRowProps) {
  const { id, title, holder_name, serial, cancelled_at, price_cents, taken_cents } = ticket;
  const isSent = request.form?.action === action && request.form.values.ticket?.[0] === id;
  return (
    <tr data-id={id}>
      <th scope="row" className="k-c">
        {title}
        <span className="two-l tn">{ticketNumber(serial)}</span>
      </th>
      <td className="m-c">
        <bdi>{holder_name || "Erased"}</bdi>
        {mayRename && cancelled_at === null && (
          <details className="rename" open={isSent}>
            <summary>
              Change<span className="sr"> the name on ticket {ticketNumber(serial)}</span>
            </summary>
            <ActionForm action={action} id={`rename-${ticket.position}`} request={isSent ? request : { form: null }}>
              <input type="hidden" name="ticket" value={id} />
              <TextField name="name" label="Name on the ticket" defaultValue={holder_name} autoComplete="off" />
              <button className="btn quiet" type="submit">
                Change the name
              </button>
            </ActionForm>
          </details>
        )}
      </td>
      <td className="s-c">
        {cancelled_at === null ? <Status look="ok">Valid</Status> : <Status look="off">Cancelled</Status>}
      </td>
      <td className="num v-c">{tableCents(price_cents + taken_cents)}</td>
    </tr>
  );
}

/** Each payment as we and the provider know it. */
export function OrderPayments({ details: { payments } }: Details) {
  return (
    <section className="panel" aria-labelledby="payment">
      <h2 id="payment">Payment</h2>
      {payments.length === 0 && <p className="hint">Nothing was sent to a payment provider.</p>}
      {payments.map((payment) => (
        <dl className="kv" key={payment.id}>
          <div>
            <dt>{providerNames[payment.provider]}</dt>
            <dd>
              {describePaymentState(payment.state).label}, {formatDollars(payment.amount_cents)}
              {payment.response_code !== null && `, code ${payment.response_code}`}
            </dd>
          </div>
          <div>
            <dt>Transaction</dt>
            <dd className="tn">
              <bdi>{payment.provider_transaction_id ?? "None known"}</bdi>
            </dd>
          </div>
          <div>
            <dt>Our number</dt>
            <dd className="tn">{payment.order_reference}</dd>
          </div>
          <div>
            <dt>Sent</dt>
            <dd>
              <When at={payment.sent_at} />
            </dd>
          </div>
        </dl>
      ))}
    </section>
  );
}

/** What the ledger has of the order. */
export function OrderBooks({ details: { ledger, payments } }: Details) {
  return (
    <LedgerTable
      entries={ledger}
      subject="order"
      isUndecided={payments.some(({ state }) => isUndecided(state))}
      describe={({ account }) => ({
        account: <code>{account}</code>,
        meaning: describeReceivable(account) ?? (account === "tickets" ? "Sold as tickets" : account),
      })}
    />
  );
}
