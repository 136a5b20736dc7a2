import { useRef } from "react";
import { formatMomentInSydney, keepTogether, plural } from "#shared/language.ts";
import { paths, ticketPath } from "#shared/paths.ts";
import { Confirmation } from "#shared/ui/confirmation.tsx";
import { NOT_LOADED, reloadWith, whileLoading } from "#shared/ui/feedback.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { WaitingEntry } from "../../reads.ts";

type WaitingPlaceProps = {
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
            {plural(entry.quantity, { one: "Get this seat", other: "Get these seats" })}
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
  const hours = plural(entry.offerHours, { one: "1 hour", other: `${entry.offerHours} hours` });
  switch (entry.state) {
    case "waiting":
      if (!entry.isOnSale) {
        return {
          title: "These tickets are not on sale now",
          text: "Nobody is offered any in the meantime, and you keep your place in line.",
        };
      }
      return {
        title: entry.place > 1 ? `You are number ${entry.place} in line` : "You are next",
        text: plural(entry.quantity, {
          one: `When a seat comes free, we email ${entry.email}. It is then yours alone for ${hours}. You need not come back to this page.`,
          other: `When ${entry.quantity} seats can be offered to you, we email ${entry.email}. They are then yours alone for ${hours}. You need not come back to this page.`,
        }),
      };
    case "offered": {
      const until = formatMomentInSydney(new Date(entry.until));
      return {
        title: plural(entry.quantity, { one: "A seat is held for you", other: "Seats are held for you" }),
        text: plural(entry.quantity, {
          one: `It is yours until ${until}. After that it goes to the next person in line.`,
          other: `${entry.quantity} seats are yours until ${until}. After that they go to the next person in line.`,
        }),
      };
    }
    case "bought":
      return {
        title: "You have your tickets",
        text: "They are in another email from us, and your place on the list has ended.",
      };
    case "ended":
      return {
        title: "Your seats have gone to the next person",
        text: "They were held for you, and the time to buy them is over. If you were paying for them at that moment, we email you what became of it. If the tickets are still sold out, you can join the list again.",
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
  const words = entry.state === "offered" ? plural(entry.quantity, giveBack) : leaveList;
  const leave = async () => {
    const asked = import("./waiting-calls.ts").then((calls) => calls.leaveWaitingList(entry));
    const fault = await whileLoading(asked).catch(() => NOT_LOADED);
    if (fault === undefined) onLeft("You have left the waiting list. Thank you for telling us.");
    return fault;
  };
  return (
    <div className="needs-script">
      <button type="button" className="btn btn-quiet" onClick={() => dialog.current?.showModal()}>
        {words.press}
      </button>
      <Confirmation
        dialog={dialog}
        titleId="leave-title"
        title={words.title}
        confirm={words.confirm}
        keep={words.keep}
        act={leave}
      >
        <p>{words.text}</p>
      </Confirmation>
    </div>
  );
}

const leaveList = {
  press: "Leave the list",
  title: "Leave the waiting list?",
  text: "Your place goes to the next person.",
  confirm: "Yes, leave it",
  keep: "Stay on the list",
};
const giveBack = {
  one: {
    press: "Give it back",
    title: "Give this seat back?",
    text: "It goes to the next person in line.",
    confirm: "Yes, give it back",
    keep: "Keep it",
  },
  other: {
    press: "Give them back",
    title: "Give these seats back?",
    text: "They go to the next person in line.",
    confirm: "Yes, give them back",
    keep: "Keep them",
  },
};
