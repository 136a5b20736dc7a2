import { type ScreenRequest, screen } from "#admin/screen.ts";
import { eventScreenPath } from "#admin/ui/event-views.tsx";
import { ActionForm, ChoiceField, TextField } from "#admin/ui/form.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { When } from "#admin/ui/when.tsx";
import { formatDollars, formatNumber } from "#shared/language.ts";
import { formatTicketCount } from "../../order.ts";
import { freeOf } from "../../server/seats.ts";
import { EventScreenHead, mayPlan } from "../ticket-types/types-screen.tsx";
import { quantityField, type StaffOrdersOfEvent } from "./give-part.ts";

/** `/admin/events/:id/give`: complimentary tickets, and tickets that are paid at the door. */
export const giveScreen = screen<StaffOrdersOfEvent & { readonly now: Date }>({
  path: "/admin/events/:id/give",
  right: "events.see",
  section: "events",
  async load({ findStaffOrdersOfEvent, now }, { params }) {
    const found = await findStaffOrdersOfEvent(params.id!);
    return found && { ...found, now: now() };
  },
  title: ({ event }) => `Give or sell tickets for ${event.title}`,
  body: (found, request) => {
    const { event, types, orders, now } = found;
    const isOver = event.endsAt <= now;
    const isPossible = !isOver && event.callOff === null;
    const hasForm = isPossible && mayPlan(request);
    return (
      <>
        <EventScreenHead event={event} here="give" request={request} />
        {types.length === 0 ? (
          <Empty title="This event has no tickets to give">
            <p>
              Add a <a href={eventScreenPath(event.screenId, "tickets")}>ticket type</a> first.
            </p>
          </Empty>
        ) : (
          <>
            <UnshownFormMessage request={request} shown={isPossible ? ["give"] : []} />
            {hasForm && <GiveForm found={found} request={request} />}
            {!isPossible && (
              <p className="hint">
                {isOver
                  ? "The event is over: no more tickets can be given or sold."
                  : "The sales of this event are stopped: no more tickets can be given or sold."}
              </p>
            )}
            {!hasForm && orders.length === 0 && <Empty title="Staff gave and sold no tickets" />}
          </>
        )}
        <GivenTable found={found} />
      </>
    );
  },
});

function GiveForm({ found: { event, types, formId }, request }: { found: StaffOrdersOfEvent; request: ScreenRequest }) {
  const action = `/admin/events/${event.screenId}/give`;
  return (
    <section className="panel act" aria-labelledby="h-give">
      <h2 id="h-give">Book tickets for somebody</h2>
      <ActionForm action={action} id="give" request={request}>
        <input type="hidden" name="form" value={keptForm(request, action) ?? formId} />
        <ChoiceField
          name="kind"
          label="How are they paid?"
          options={[
            { value: "given", label: "Complimentary: a gift, for a speaker or a volunteer" },
            { value: "door", label: "At the door: you take the money, in cash or by your own card reader" },
          ]}
          chosen={["given"]}
          isSingle
        />
        <div className="frow">
          {types.map((type) => (
            <TextField
              key={type.id}
              name={quantityField(type.id)}
              label={type.title}
              hint={`${formatDollars(type.price_cents)}, ${formatNumber(freeOf(type))} left`}
              inputMode="numeric"
              autoComplete="off"
            />
          ))}
        </div>
        <div className="frow">
          <TextField name="first_name" label="First name" autoComplete="off" />
          <TextField name="last_name" label="Last name" autoComplete="off" />
        </div>
        <TextField
          name="email"
          label="Email"
          hint="The tickets go to this address. At the door it may stay empty: then the door finds them by name."
          type="email"
          autoComplete="off"
          spellCheck={false}
        />
        <p className="row press">
          <button className="btn" type="submit">
            Book the tickets
          </button>
        </p>
        <p className="hint">
          They take seats like any other tickets. Money that you take is in the report, not in the books of PayWay and
          PayPal: if such tickets are cancelled, give it back yourselves.
        </p>
      </ActionForm>
    </section>
  );
}

/** The same form keeps its id, so that it makes one order however often it is sent. */
const keptForm = ({ form }: ScreenRequest, action: string) =>
  form?.action === action && Object.keys(form.errors).length > 0 ? form.values.form?.[0] : undefined;

function GivenTable({ found: { orders, now } }: { found: StaffOrdersOfEvent & { readonly now: Date } }) {
  if (orders.length === 0) return null;
  return (
    <section className="sec" aria-labelledby="h-given">
      <div className="sec-h">
        <h2 id="h-given">Given, and sold at the door</h2>
      </div>
      <div className="tw">
        <table className="cards">
          <caption className="sr">Orders that staff made, latest first</caption>
          <thead>
            <tr>
              <th scope="col">For</th>
              <th scope="col">Order</th>
              <th scope="col">Tickets</th>
              <th scope="col">By</th>
              <th scope="col">When</th>
              <th scope="col" className="num">
                Taken
              </th>
            </tr>
          </thead>
          <tbody>
            {orders.map(({ id, reference, buyer, tickets, cancelled, takenCents, soldBy, at }) => (
              <tr data-id={id} key={id}>
                <th scope="row" className="k-c">
                  <a className="k" href={`/admin/orders/${id}`}>
                    <bdi>{buyer || "Erased"}</bdi>
                  </a>
                </th>
                <td className="m-c tn">{reference}</td>
                <td className="m-c">
                  {formatTicketCount(tickets)}
                  {cancelled > 0 && `, ${cancelled} cancelled`}
                </td>
                <td className="m-c">
                  <bdi>{soldBy}</bdi>
                </td>
                <td className="m-c">
                  <When at={at} now={now} />
                </td>
                <td className="num v-c">{takenCents === 0 ? "Given" : formatDollars(takenCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
