import type { ScreenRequest } from "#admin/screen.ts";
import { ActionForm, ChoiceField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { formatDollars, formatNumber, plural } from "#shared/language.ts";
import { listUnpaid, sumTaken } from "../../server/staff/cancel-by-staff.ts";
import type { OrderDetails } from "../../server/staff/order-details.ts";
import { ticketNumber } from "../../ticket-token.ts";
import { describeGiveBack } from "./order-words.ts";

type Ticket = OrderDetails["tickets"][number];

/** Those that staff can cancel without a refund: no provider was paid for them, and nobody came in with them. */
export const listCancellable = ({ tickets, came }: OrderDetails): Ticket[] =>
  listUnpaid(tickets).filter(({ id }) => !came.includes(id));

type Props = { readonly details: OrderDetails; readonly now: Date; readonly request: ScreenRequest };

/** Open if the address or the form that was sent last asks for it: first the choice, then what it does. */
export function CancelTickets({ details, now, request }: Props) {
  const path = `/admin/orders/${details.order.id}`;
  const action = `${path}/cancel-tickets`;
  const form = request.form?.action === action ? request.form : null;
  if (form === null && request.query.act !== "cancel") return null;
  const open = listCancellable(details);
  const chosen = form?.state === "checking" ? open.filter(({ id }) => form.values.tickets?.includes(id)) : [];
  return (
    <section className="panel act" aria-labelledby="cancel-title" id="act">
      <h2 id="cancel-title">Cancel tickets</h2>
      {open.length === 0 ? (
        <Note look="bad" isNews={form !== null}>
          {form?.message ?? "This order has no tickets that can be cancelled here."}
        </Note>
      ) : (
        <ActionForm action={action} id="cancel" request={request}>
          {chosen.length === 0 ? (
            <Choice details={details} open={open} />
          ) : (
            <Outlook details={details} chosen={chosen} now={now} />
          )}
          <p className="row press">
            {chosen.length === 0 ? (
              <button className="btn" type="submit" name="step" value="check">
                Show what happens first
              </button>
            ) : (
              <button className="btn final" type="submit" name="step" value="cancel">
                {plural(chosen.length, { one: "Cancel 1 ticket", other: `Cancel ${chosen.length} tickets` })}
              </button>
            )}
            <a className="btn quiet" href={path}>
              Keep all tickets
            </a>
          </p>
        </ActionForm>
      )}
    </section>
  );
}

function Choice({ details: { tickets }, open }: { details: OrderDetails; open: readonly Ticket[] }) {
  const left = listUnpaid(tickets).length - open.length;
  return (
    <>
      <ChoiceField
        name="tickets"
        label="Tickets to cancel"
        options={open.map((ticket) => ({ value: ticket.id, label: nameTicket(ticket), hint: describePrice(ticket) }))}
      />
      {left > 0 && (
        <p className="hint">
          {plural(left, {
            one: "1 ticket is not in this list, because somebody has come in with it.",
            other: `${formatNumber(left)} tickets are not in this list, because somebody has come in with them.`,
          })}
        </p>
      )}
    </>
  );
}

const nameTicket = ({ title, serial, holder_name }: Ticket) =>
  [title, ticketNumber(serial), holder_name].filter(Boolean).join(", ");

const describePrice = ({ taken_cents }: Ticket) =>
  taken_cents === 0 ? "Cost nothing" : `${formatDollars(taken_cents)}, taken at the door`;

type OutlookProps = { readonly details: OrderDetails; readonly chosen: readonly Ticket[]; readonly now: Date };

function Outlook({ details: { order, event }, chosen, now }: OutlookProps) {
  const takenCents = sumTaken(chosen);
  const words = plural(chosen.length, {
    one: {
      valid: "This ticket is no longer valid.",
      seats: "Its seat can be sold again. Whoever is on the waiting list comes first.",
    },
    other: {
      valid: "These tickets are no longer valid.",
      seats: "Their seats can be sold again. Whoever is on the waiting list comes first.",
    },
  });
  return (
    <>
      <ul>
        {chosen.map((ticket) => (
          <li key={ticket.id}>
            <input type="hidden" name="tickets" value={ticket.id} />
            <bdi>{nameTicket(ticket)}</bdi>
          </li>
        ))}
      </ul>
      <div className="happens">
        <ul>
          <li>{words.valid}</li>
          {event.endsAt > now && <li>{words.seats}</li>}
          <li>
            {takenCents > 0
              ? describeGiveBack(chosen.length, takenCents)
              : "Nothing was paid, so there is nothing to give back."}
          </li>
          <li>
            {order.email === "" ? (
              "We have no email address of the buyer: tell them yourselves."
            ) : (
              <>
                <bdi>{order.email}</bdi> gets an email about it.
              </>
            )}
          </li>
          <li>This cannot be undone.</li>
        </ul>
      </div>
    </>
  );
}
