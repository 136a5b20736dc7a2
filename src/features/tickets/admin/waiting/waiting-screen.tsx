import { formatWhen } from "#admin/format-when.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { eventScreenPath } from "#admin/ui/event-views.tsx";
import { ActionForm } from "#admin/ui/form.tsx";
import { Empty } from "#admin/ui/note.tsx";
import { Status, type StatusLook } from "#admin/ui/status.tsx";
import { UnshownFormMessage } from "#admin/ui/unshown-form.tsx";
import { formatNumber, plural } from "#shared/language.ts";
import { formatTicketCount } from "../../order.ts";
import { EventScreenHead, mayPlan } from "../ticket-types/types-screen.tsx";
import type { WaitingOfEvent } from "./waiting-part.ts";

type Entry = WaitingOfEvent["entries"][number];

/** `/admin/events/:id/waiting`: who waits for seats, and why each of them still waits. */
export const waitingScreen = screen<WaitingOfEvent>({
  path: "/admin/events/:id/waiting",
  right: "events.see",
  section: "events",
  load: ({ findWaitingOfEvent }, { params }) => findWaitingOfEvent(params.id!),
  title: ({ event }) => `Waiting list of ${event.title}`,
  body: ({ event, entries }, request) => {
    const waiting = entries.filter(({ state }) => state === "waiting");
    const tickets = waiting.reduce((sum, { quantity }) => sum + quantity, 0);
    return (
      <>
        <EventScreenHead event={event} here="waiting" request={request} />
        <UnshownFormMessage request={request} shown={[]} />
        {entries.length === 0 ? (
          <Empty title="Nobody is waiting" picture="spot-vision">
            <p>
              When a ticket type is sold out, people can join its waiting list. Seats that come free are offered to them
              by email, in order, and nobody else can take them meanwhile.
            </p>
          </Empty>
        ) : (
          <section className="sec" aria-labelledby="waiting-title">
            <div className="sec-h">
              <h2 id="waiting-title">
                {waiting.length > 0
                  ? plural(waiting.length, {
                      one: `1 person waits for ${formatTicketCount(tickets)}`,
                      other: `${formatNumber(waiting.length)} people wait for ${formatTicketCount(tickets)}`,
                    })
                  : entries.some(({ state }) => state === "offered")
                    ? "Nobody is waiting without an offer"
                    : "Nobody is waiting any more"}
              </h2>
            </div>
            <Entries event={event} entries={entries} request={request} />
          </section>
        )}
      </>
    );
  },
});

function Entries({ event, entries, request }: WaitingOfEvent & { request: ScreenRequest }) {
  return (
    <div className="tw">
      <table className="cards">
        <caption className="sr">The waiting lists of {event.title}, in the order in which people joined</caption>
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col">Wants</th>
            <th scope="col">Since</th>
            <th scope="col">Where it stands</th>
            <th scope="col">
              <span className="sr">Act</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr data-id={entry.id} key={entry.id}>
              <th scope="row" className="k-c">
                <bdi>
                  {entry.firstName} {entry.lastName}
                </bdi>
                <span className="two-l">
                  <bdi>{entry.email}</bdi>
                </span>
              </th>
              <td className="m-c" data-l="Wants">
                <bdi>{entry.ticket}</bdi> × {entry.quantity}
              </td>
              <td className="m-c" data-l="Since">
                {formatWhen(entry.joinedAt)}
              </td>
              <td className="w-c">
                <EntryState entry={entry} />
              </td>
              <td className="v-c">
                {mayPlan(request) && (entry.state === "waiting" || entry.state === "offered") && (
                  <ActionForm
                    action={`${eventScreenPath(event.screenId, "waiting")}/${entry.id}/remove`}
                    id={`remove-${entry.id}`}
                    request={{ form: null }}
                  >
                    <button className="btn quiet" type="submit">
                      Take off
                      <span className="sr">
                        {" "}
                        the list: {entry.firstName} {entry.lastName}
                      </span>
                    </button>
                  </ActionForm>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EntryState({ entry }: { entry: Entry }) {
  const { look, text, more } = describeState(entry);
  return (
    <>
      <Status look={look}>{text}</Status>
      {entry.orderId !== null && (entry.state === "offered" || entry.state === "bought") ? (
        <span className="two-l">
          <a href={`/admin/orders/${entry.orderId}`}>{more}</a>
        </span>
      ) : (
        <span className="two-l">{more}</span>
      )}
    </>
  );
}

/** Why somebody still waits, or how it ended. */
function describeState(entry: Entry): { readonly look: StatusLook; readonly text: string; readonly more: string } {
  const { state, place, offeredAt, holdUntil, leftAt, removedBy } = entry;
  switch (state) {
    case "waiting": {
      const text = place > 1 ? `Number ${place} in line` : "Next";
      return { look: "plain", text, more: describeWaiting(entry) };
    }
    case "offered":
      return { look: "act", text: "Has an offer", more: `Until ${formatWhen(holdUntil!)}` };
    case "bought":
      return { look: "ok", text: "Bought", more: "See the order" };
    case "ended":
      return { look: "plain", text: "Did not buy", more: `Offered ${formatWhen(offeredAt!)}` };
    case "left":
      return {
        look: "plain",
        text: removedBy === null ? "Left" : "Taken off",
        more: removedBy === null ? formatWhen(leftAt!) : `By ${removedBy}, ${formatWhen(leftAt!)}`,
      };
  }
}

function describeWaiting({ quantity, place, free, capacity, isOnSale, isKept, gathersUntil }: Entry): string {
  if (!isOnSale) return "This type is not on sale";
  if (quantity > capacity) return `More than there are: ${formatTicketCount(capacity)} in all`;
  if (free === 0) return "No seat is free";
  const isFree = plural(free, { one: "1 seat is free", other: `${free} seats are free` });
  if (quantity <= free && place < 2) return `${isFree}, and offered in a moment`;
  if (quantity <= free || gathersUntil === null) return `${isFree}, and others come first`;
  return isKept
    ? `${isFree}, and kept for them until ${formatWhen(gathersUntil)}`
    : `${isFree}: not enough for them, so the next who fits is asked`;
}
