import { useRef } from "react";
import { formatMomentInSydney, keepTogether, plural } from "#shared/language.ts";
import { paths, ticketPath } from "#shared/paths.ts";
import { Confirmation } from "#shared/ui/confirmation.tsx";
import { NOT_LOADED, reloadWith, whileLoading } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";
import { formatTicketCount } from "../../order.ts";
import type { WaitingEntry } from "../../reads.ts";

export type WaitingPlaceProps = {
  readonly entry: WaitingEntry;
  /** Reloads the page and shows the message on it. */
  readonly reload?: (message: string) => void;
};

/** Somebody's place on a waiting list, and how to leave it (WAIT-5). */
export function WaitingPlace({ entry, reload = reloadWith }: WaitingPlaceProps) {
  const { title, text } = describePlace(entry);
  const mayLeave = entry.state === "waiting" || entry.state === "offered";
  return (
    <section className="plain-card stack order-facts" aria-labelledby="place-title">
      <h2 id="place-title">{title}</h2>
      <p>{text}</p>
      <ul className="ticket-facts">
        <li>
          <Icon name="user" />
          <span>
            {entry.ticket} × {entry.quantity}
          </span>
        </li>
        <li>
          <Icon name="cal" />
          <span>{keepTogether(entry.event.when)}</span>
        </li>
        <li>
          <Icon name="pin" />
          <span>{entry.event.place}</span>
        </li>
      </ul>
      <div className="form-actions">
        {mayLeave && <Leave entry={entry} onLeft={reload} />}
        {entry.state === "offered" && (
          <a className="btn btn-cta" href={entry.orderUrl}>
            Get these seats
          </a>
        )}
        {(entry.state === "ended" || entry.state === "left") && (
          <a className="btn" href={ticketPath("selectTickets", entry.event.slug, entry.access)}>
            See the tickets of this event
          </a>
        )}
        {entry.state === "over" && (
          <a className="btn" href={paths.events}>
            See our events
          </a>
        )}
      </div>
    </section>
  );
}

function describePlace(entry: WaitingEntry): { readonly title: string; readonly text: string } {
  const tickets = formatTicketCount(entry.quantity);
  const hours = plural(entry.offerHours, { one: "1 hour", other: `${entry.offerHours} hours` });
  switch (entry.state) {
    case "waiting":
      return {
        title: entry.place > 1 ? `You are number ${entry.place} in line` : "You are next",
        text: `When ${tickets} can be offered to you, we send an email to ${entry.email}. They are then yours alone for ${hours}. You need not come back to this page.`,
      };
    case "offered":
      return {
        title: plural(entry.quantity, { one: "A seat is held for you", other: "Seats are held for you" }),
        text: `${tickets}, until ${formatMomentInSydney(new Date(entry.until))}. After that they go to the next person in line.`,
      };
    case "bought":
      return {
        title: "You have your tickets",
        text: "They are in another email from us, and your place on the list has ended.",
      };
    case "ended":
      return {
        title: "Your seats have gone to the next person",
        text: "They were held for you, and the time to buy them is over. Nothing was charged. If the tickets are still sold out, you can join the list again.",
      };
    case "left":
      return {
        title: "You are not on the waiting list any more",
        text: "Nothing is held for you. If you would like to come after all, you can join the list again.",
      };
    case "over":
      return { title: "The waiting list is closed", text: "This event is over, or has been called off." };
  }
}

/** Asks for confirmation, because the place is lost. */
function Leave({ entry, onLeft }: { entry: WaitingEntry; onLeft: (message: string) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOffered = entry.state === "offered";
  const leave = async () => {
    const asked = import("./waiting-calls.ts").then((calls) => calls.leaveWaitingList(entry));
    const fault = await whileLoading(asked).catch(() => NOT_LOADED);
    if (fault === undefined) onLeft("You have left the waiting list. Thank you for telling us.");
    return fault;
  };
  return (
    <div className="needs-script">
      <button type="button" className="btn btn-quiet" onClick={() => dialog.current?.showModal()}>
        {isOffered ? "Give them back" : "Leave the list"}
      </button>
      <Confirmation
        dialog={dialog}
        titleId="leave-title"
        title={isOffered ? "Give these seats back?" : "Leave the waiting list?"}
        confirm={isOffered ? "Yes, give them back" : "Yes, leave it"}
        keep={isOffered ? "Keep them" : "Stay on the list"}
        act={leave}
      >
        <p>{isOffered ? "They go to the next person in line." : "Your place goes to the next person."}</p>
      </Confirmation>
    </div>
  );
}
