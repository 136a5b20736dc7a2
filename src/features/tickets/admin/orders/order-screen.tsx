import { formatWhen } from "#admin/format-when.ts";
import { listWaitingRefund, type RefundPanelData } from "#admin/refund-panel.ts";
import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Moves } from "#admin/ui/moves.tsx";
import { NotePanel } from "#admin/ui/note-panel.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { RefundPanel, WaitingRefund } from "#admin/ui/refund-panel.tsx";
import { Status } from "#admin/ui/status.tsx";
import { formatDollars } from "#shared/language.ts";
import { isBuyerErased, type OrderDetails } from "../../server/staff/order-details.ts";
import { CancelTickets, listCancellable } from "./cancel-tickets.tsx";
import { listOrderMoves } from "./order-moves.ts";
import { OrderBooks, OrderPayments, TicketsTable } from "./order-tables.tsx";
import { buyerName, describeOrder } from "./order-words.ts";

type Data = { readonly details: OrderDetails; readonly refunds: RefundPanelData; readonly now: Date };

/** `/admin/orders/:id`: one order, everything that happened to it, and what staff can do. */
export const orderScreen = screen<Data>({
  path: "/admin/orders/:id",
  right: "orders.see",
  section: "donations",
  async load(reads, { params }) {
    const id = params.id!;
    const details = await reads.findOrderDetails(id);
    if (details === null) return null;
    return { details, refunds: await reads.readRefundPanel({ kind: "ticket_order", id }), now: reads.now() };
  },
  title: ({ details: { order } }) => `Order ${order.reference}`,
  body: (data, request) => (
    <>
      <Head data={data} request={request} />
      <CorrectEmail data={data} request={request} />
      {mayChange(request) && <CancelTickets details={data.details} now={data.now} request={request} />}
      <div className="split">
        <div>
          <TicketsTable details={data.details} request={request} />
          <Moves moves={[...listWaitingRefund(data.refunds), ...listOrderMoves(data.details)]} />
          <OrderBooks details={data.details} />
        </div>
        <div>
          {request.staff !== null && <RefundPanel data={data.refunds} staff={request.staff} />}
          <Buyer details={data.details} />
          <OrderPayments details={data.details} />
          <NotePanel path={`${pathOf(data)}/note`} right="orders.change" request={request} />
        </div>
      </div>
    </>
  ),
});

const pathOf = ({ details }: Data) => `/admin/orders/${details.order.id}`;
const mayChange = ({ staff }: ScreenRequest) => staff !== null && hasRight(staff, "orders.change");

function Head({ data, request }: { data: Data; request: ScreenRequest }) {
  const { order, event, tickets } = data.details;
  const cancelled = tickets.filter(({ cancelled_at }) => cancelled_at !== null).length;
  const state = {
    state: order.state,
    holdUntil: order.hold_until,
    tickets: tickets.length,
    cancelled,
    isCalledOff: order.called_off_at !== null,
  };
  const { label, look } = describeOrder(state, data.now);
  const name = buyerName(`${order.first_name} ${order.last_name}`.trim(), order.email!);
  return (
    <PageHead
      crumbs={[{ label: "Ticket orders", path: "/admin/orders" }]}
      title={
        <span className="money">
          <span className="sr">Order of </span>
          <span className="amt">{formatDollars(order.total_cents + order.taken_cents)}</span>
          <Status look={look}>{label}</Status>
          <WaitingRefund data={data.refunds} />
        </span>
      }
      about={
        <>
          {order.email === "" ? (
            <b>
              <bdi>{name}</bdi>
            </b>
          ) : (
            <a href={`/admin/people/${order.id}`}>
              <b>
                <bdi>{name}</bdi>
              </b>
            </a>
          )}{" "}
          for <bdi>{event.title}</bdi>, {order.sold_by === null ? "ordered" : "booked by staff"}{" "}
          {formatWhen(order.created_at)}
          {order.taken_cents > 0 && `, ${formatDollars(order.taken_cents)} taken at the door`}
        </>
      }
    >
      {mayChange(request) && <Acts data={data} hasValid={cancelled < tickets.length} />}
    </PageHead>
  );
}

function Acts({ data, hasValid }: { data: Data; hasValid: boolean }) {
  const { order } = data.details;
  const hasEmail = order.email !== "";
  return (
    <>
      {hasEmail && hasValid && (
        <form method="post" action={`${pathOf(data)}/resend`}>
          <input type="hidden" name="to" value={order.email!} />
          <button className="btn quiet" type="submit">
            <Icon name="mail" />
            Send the tickets again
          </button>
        </form>
      )}
      {hasEmail && (
        <a className="btn quiet" href={`${pathOf(data)}?act=email#act`}>
          Correct the email address
        </a>
      )}
      {listCancellable(data.details).length > 0 && (
        <a className="btn quiet" href={`${pathOf(data)}?act=cancel#act`}>
          Cancel tickets
        </a>
      )}
    </>
  );
}

/** Open if the address or the form that was sent last asks for it; any other refused act says why here. */
function CorrectEmail({ data, request }: { data: Data; request: ScreenRequest }) {
  const action = `${pathOf(data)}/email`;
  const { email } = data.details.order;
  const isOpen = request.form?.action === action || request.query.act === "email";
  if (!isOpen || !mayChange(request) || email === "") return null;
  return (
    <section className="panel act" aria-labelledby="email-title" id="act">
      <h2 id="email-title">Correct the email address</h2>
      <ActionForm action={action} id="email" request={request}>
        <input type="hidden" name="was" value={email!} />
        <TextField
          name="email"
          label="The buyer’s email address"
          hint={
            <>
              We have <bdi>{email}</bdi>
            </>
          }
          type="email"
          defaultValue={email!}
          autoComplete="off"
        />
        <div className="happens">
          <ul>
            <li>The valid tickets go to the new address.</li>
            <li>Links to the order that went to the old address stop working. The tickets themselves stay valid.</li>
          </ul>
        </div>
        <p className="row press">
          <button className="btn" type="submit">
            Correct it and send the tickets
          </button>
          <a className="btn quiet" href={pathOf(data)}>
            Cancel
          </a>
        </p>
      </ActionForm>
    </section>
  );
}

function Buyer({ details: { order } }: { details: OrderDetails }) {
  const address = [order.address, order.suburb, order.postcode, order.country].filter(Boolean).join(", ");
  const rows = [
    ["Name", `${order.first_name} ${order.last_name}`.trim()],
    ["Email", order.email],
    ["Phone", order.phone],
    ["Address", address],
  ] as const;
  return (
    <section className="panel" aria-labelledby="h-buyer">
      <h2 id="h-buyer">Buyer</h2>
      {isBuyerErased(order) ? (
        <p className="hint">The buyer’s personal data has been erased.</p>
      ) : (
        <dl className="kv">
          {rows.map(
            ([label, text]) =>
              text && (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <bdi>{text}</bdi>
                  </dd>
                </div>
              ),
          )}
          <div>
            <dt>Reference</dt>
            <dd className="tn">{order.reference}</dd>
          </div>
        </dl>
      )}
    </section>
  );
}
