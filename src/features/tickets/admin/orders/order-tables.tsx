import { hasRight } from "#admin/rights.ts";
import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { Status } from "#admin/ui/status.tsx";
import { tableCents } from "#admin/ui/table-cents.ts";
import { When } from "#admin/ui/when.tsx";
import { providerNames } from "#payments/event-words.ts";
import { formatDollars } from "#shared/language.ts";
import { discountOf } from "../../discounts.ts";
import type { OrderDetails } from "../../server/staff/order-details.ts";
import { ticketNumber } from "../../ticket-token.ts";

type Details = { readonly details: OrderDetails };

/** What was bought: each ticket with its holder or, before it is paid, what was wanted. */
export function TicketsTable({ details, request }: Details & { request: ScreenRequest }) {
  const { order, tickets, lines } = details;
  const discountCents = discountOf(lines);
  const base = `/admin/orders/${order.id}`;
  const refused = [`${base}/holder`, `${base}/resend`].includes(request.form?.action ?? "") ? request.form : null;
  const mayRename = request.staff !== null && hasRight(request.staff, "orders.change") && order.email !== "";
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
              ? lines.map(({ type_id, title, quantity, price_cents }) => (
                  <tr key={type_id}>
                    <th scope="row" className="k-c">
                      {title} × {quantity}
                    </th>
                    <td className="m-c">Nobody yet</td>
                    <td className="s-c">
                      <Status look="off">Not issued</Status>
                    </td>
                    <td className="num v-c">{tableCents(quantity * price_cents)}</td>
                  </tr>
                ))
              : tickets.map((ticket) => (
                  <TicketRow {...{ ticket, request, mayRename }} action={`${base}/holder`} key={ticket.id} />
                ))}
          </tbody>
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
                Total
              </th>
              <td className="num v-c">{formatDollars(order.total_cents)}</td>
            </tr>
            {order.taken_cents > 0 && (
              <tr>
                <th scope="row" colSpan={3}>
                  Taken at the door
                </th>
                <td className="num v-c">{formatDollars(order.taken_cents)}</td>
              </tr>
            )}
          </tfoot>
        </table>
      </div>
    </section>
  );
}

type TicketRowProps = {
  readonly ticket: OrderDetails["tickets"][number];
  readonly request: ScreenRequest;
  readonly mayRename: boolean;
  readonly action: string;
};

function TicketRow({ ticket, request, mayRename, action }: TicketRowProps) {
  const { id, title, holder_name, serial, cancelled_at, price_cents } = ticket;
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
      <td className="num v-c">{tableCents(price_cents)}</td>
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
            <dd>{formatDollars(payment.amount_cents)}</dd>
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

const accounts: Readonly<Record<string, string>> = {
  "receivable:payway": "PayWay owes us",
  "receivable:braintree": "PayPal owes us",
  tickets: "Sold as tickets",
};

/** Both sides of the ledger, a group of lines for each time that something was booked. */
export function OrderBooks({ details: { ledger } }: Details) {
  const groups = Map.groupBy(ledger, ({ transaction_id }) => transaction_id);
  return (
    <section className="sec" aria-labelledby="books">
      <div className="sec-h">
        <h2 id="books">In the books</h2>
      </div>
      {ledger.length === 0 ? (
        <p className="muted">Nothing is on the books, because nothing was charged.</p>
      ) : (
        <div className="tw">
          <table className="cards">
            <caption className="sr">Ledger lines of this order</caption>
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col">What it says</th>
                <th scope="col">Booked</th>
                <th scope="col" className="num">
                  Debit
                </th>
                <th scope="col" className="num">
                  Credit
                </th>
              </tr>
            </thead>
            {[...groups].map(([id, entries]) => (
              <tbody key={id}>
                {entries.map((entry) => (
                  <Entry entry={entry} key={entry.id} />
                ))}
              </tbody>
            ))}
          </table>
        </div>
      )}
    </section>
  );
}

function Entry({ entry }: { entry: OrderDetails["ledger"][number] }) {
  const { account, amount_cents, at, refund_id } = entry;
  const words = accounts[account] ?? account;
  return (
    <tr>
      <th scope="row" className="k-c">
        <code>{account}</code>
      </th>
      <td className="m-c">{refund_id === null ? words : `${words}, refunded`}</td>
      <td className="m-c">
        <When at={at} />
      </td>
      <td className={amount_cents > 0 ? "num v-c" : "num no-c"} data-l={amount_cents > 0 ? "Debit" : undefined}>
        {amount_cents > 0 && tableCents(amount_cents)}
      </td>
      <td className={amount_cents < 0 ? "num v-c" : "num no-c"} data-l={amount_cents < 0 ? "Credit" : undefined}>
        {amount_cents < 0 && tableCents(-amount_cents)}
      </td>
    </tr>
  );
}
