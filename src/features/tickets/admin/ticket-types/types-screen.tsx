import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { EventViews, eventScreenPath } from "#admin/ui/event-views.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Empty, Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { type EventOfScreen, formatPlace } from "#shared/events/event.ts";
import { formatEventMoment, formatTimes } from "#shared/events/event-times.ts";
import { formatDollars, formatNumber, plural } from "#shared/language.ts";
import { formatPrice } from "../../order.ts";
import { SeatsBar } from "../seats-bar.tsx";
import { visibilities } from "./type-actions.ts";
import type { TypesOfEvent } from "./types-part.ts";

export const mayPlan = ({ staff }: Pick<ScreenRequest, "staff">) => staff !== null && hasRight(staff, "events.change");

/** The head of every screen about an event's tickets. */
export function EventScreenHead({ event, here, request, children }: EventScreenHeadProps) {
  // Forms with fields show their own message.
  const refused = /\/(retire|bring-back|delete|end)$/.test(request.form?.action ?? "") ? request.form : null;
  return (
    <>
      <PageHead
        title={<bdi>{event.title}</bdi>}
        about={`${formatTimes(event)}. ${formatPlace(event)}`}
        crumbs={[{ label: "Events", path: "/admin/events" }]}
      >
        {children}
      </PageHead>
      <EventViews id={event.screenId} here={here} staff={request.staff} callOff={event.callOff} />
      {refused?.message && (
        <div className="editor-note">
          <Note look="bad" isNews>
            {refused.message}
          </Note>
        </div>
      )}
    </>
  );
}

type EventScreenHeadProps = {
  readonly event: EventOfScreen;
  readonly here: Parameters<typeof EventViews>[0]["here"];
  readonly request: ScreenRequest;
  readonly children?: React.ReactNode;
};

/** The ticket types of an event, with what is sold, held and free of each. */
export const typesScreen = screen<TypesOfEvent>({
  path: "/admin/events/:id/tickets",
  right: "events.see",
  section: "events",
  load: ({ findTypesOfEvent }, { params }) => findTypesOfEvent(params.id!),
  title: ({ event }) => `Tickets for ${event.title}`,
  body: (found, request) => {
    const { event, types } = found;
    const path = eventScreenPath(event.screenId, "tickets");
    return (
      <>
        <EventScreenHead event={event} here="tickets" request={request}>
          {mayPlan(request) && (
            <a className="btn" href={`${path}/new`}>
              <Icon name="plus" />
              Add a type
            </a>
          )}
        </EventScreenHead>
        {types.length === 0 ? (
          <Empty title="This event has no tickets" picture="spot-vision">
            <p>Without a ticket type people cannot book: the event’s page only says when and where it is.</p>
          </Empty>
        ) : (
          <>
            {!event.isPublished && (
              <div className="editor-note">
                <Note>Nobody can order yet: the event is not published.</Note>
              </div>
            )}
            <SeatSums found={found} />
            <TypesTable found={found} path={path} />
          </>
        )}
      </>
    );
  },
});

function SeatSums({ found: { types, money } }: { found: TypesOfEvent }) {
  const sum = (of: (type: TypesOfEvent["types"][number]) => number) =>
    types.reduce((total, type) => total + of(type), 0);
  const [sold, held] = [sum((type) => type.sold), sum((type) => type.held)];
  // What is off sale has no free seats.
  const capacity = sum((type) => (type.retired_at === null ? type.capacity : type.sold + type.held));
  const figures = [
    ["Sold", formatNumber(sold)],
    ["Held", formatNumber(held)],
    ["Free", formatNumber(capacity - sold - held)],
    ["Taken in", formatDollars(money.paidCents + money.takenCents)],
    ["Refunded", formatDollars(money.refundedCents)],
    ...(money.toGiveBackCents > 0
      ? ([["Taken for cancelled tickets", formatDollars(money.toGiveBackCents)]] as const)
      : []),
  ] as const;
  return (
    <section aria-labelledby="seats-title" className="seat-sums">
      <div className="sec-h">
        <h2 id="seats-title">
          {plural(sold, { one: `1 of ${capacity} seats is sold`, other: `${sold} of ${capacity} seats are sold` })}
        </h2>
      </div>
      <SeatsBar sold={sold} held={held} capacity={capacity} isLarge />
      <dl className="sums">
        {figures.map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function TypesTable({ found: { event, types }, path }: { found: TypesOfEvent; path: string }) {
  return (
    <section className="sec" aria-labelledby="types-title">
      <div className="sec-h">
        <h2 id="types-title">Ticket types</h2>
      </div>
      <div className="tw">
        <table className="cards">
          <caption className="sr">Ticket types of {event.title}, in their order</caption>
          <thead>
            <tr>
              <th scope="col">Type</th>
              <th scope="col" className="num">
                Price
              </th>
              <th scope="col">On sale</th>
              <th scope="col">Who can order</th>
              <th scope="col">Seats</th>
              <th scope="col" className="num">
                Sold
              </th>
            </tr>
          </thead>
          <tbody>
            {types.map((type) => (
              <tr data-id={type.id} key={type.id}>
                <th scope="row" className="k-c">
                  <a href={`${path}/${type.id}`}>
                    <bdi>{type.title}</bdi>
                  </a>
                  <span className="two-l">{type.description}</span>
                </th>
                <td className="num m-c">{formatPrice(type.price_cents)}</td>
                <td className="m-c">{describeSales(type, event)}</td>
                <td className="m-c">{visibilities[type.visibility]}</td>
                <td className="w-c">
                  <SeatsBar {...type} />
                </td>
                <td className="num v-c nowrap">
                  {type.sold} of {type.capacity}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="hint">A new price applies to new orders. Seats that are held or sold keep theirs.</p>
    </section>
  );
}

type Sales = Pick<TypesOfEvent["types"][number], "retired_at" | "sales_from" | "sales_until">;

function describeSales(
  { retired_at, sales_from: from, sales_until: until }: Sales,
  { timeZone }: EventOfScreen,
): string {
  if (retired_at !== null) return "Off sale";
  const at = (moment: Date) => formatEventMoment(moment, timeZone);
  if (from !== null && until !== null) return `${at(from)} to ${at(until)}`;
  if (from !== null) return `From ${at(from)}`;
  return until === null ? "Until the event is over" : `Until ${at(until)}`;
}
