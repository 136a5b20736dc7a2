import { useRef, useState } from "react";
import { sayMoment } from "#shared/events/event-times.ts";
import { keepTogether } from "#shared/keep-together.ts";
import { formatDollars } from "#shared/money.ts";
import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { Icon } from "#shared/ui/icon.tsx";
import type { Ticket, TicketOrder } from "../../contract.ts";
import { sayCount } from "../../order.ts";
import type { AskOrder } from "./use-order.ts";

type CancelTicketsProps = {
  readonly order: TicketOrder;
  readonly ask: AskOrder;
  readonly organisation: Pick<Organisation, "phone">;
  readonly onCancelled: (says: string) => void;
};

/** Giving tickets back for a refund while that is possible, and else why it is not. */
export function CancelTickets(props: CancelTicketsProps) {
  const { order, organisation } = props;
  return (
    <section className="plain-card cancel-tickets" aria-labelledby="cancel-title">
      <h2 id="cancel-title">Can somebody not come?</h2>
      {order.cancelUntil === null ? (
        <p>
          Tickets of this order can no longer be cancelled for a refund on this page. You can pass a ticket on: put the
          name of who comes on it above. For anything else call our helpline on{" "}
          <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a>.
        </p>
      ) : (
        <>
          <p>
            You can put another name on a ticket above. Or cancel tickets and get their price back, until{" "}
            {keepTogether(sayMoment(new Date(order.cancelUntil), "Australia/Sydney"))}, Sydney time.
          </p>
          <Choice {...props} />
        </>
      )}
    </section>
  );
}

/** Which ones, what that gives back, and the question once more: cancelled tickets do not come back. */
function Choice({ order, ask, onCancelled }: CancelTicketsProps) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const [isAsked, setAsked] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const open = order.tickets.filter(({ isCancelled }) => !isCancelled);
  const chosen = open.filter(({ id }) => ids.includes(id));
  const toggle = (id: string) =>
    setIds((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  const begin = () => {
    setAsked(chosen.length === 0);
    if (chosen.length > 0) dialog.current?.showModal();
  };
  const finish = () => {
    dialog.current?.close();
    onCancelled(`${sayCount(chosen.length)} cancelled. ${formatDollars(priceOf(chosen))} goes back to whoever paid.`);
    setIds([]);
  };
  return (
    <div className="needs-script">
      <TicketChoices tickets={open} ids={ids} toggle={toggle} />
      <div className="form-actions">
        <button
          type="button"
          className="btn btn-danger"
          aria-disabled={chosen.length === 0}
          aria-describedby={chosen.length === 0 ? "cancel-why" : undefined}
          onClick={begin}
        >
          {chosen.length === 0 ? "Cancel tickets" : sayCancel(chosen)}
        </button>
        {chosen.length === 0 && (
          <p className={isAsked ? "err" : "why"} id="cancel-why" role={isAsked ? "alert" : undefined}>
            {isAsked && <Icon name="alert" />}
            <span>Choose the tickets to cancel</span>
          </p>
        )}
      </div>
      <dialog ref={dialog} className="close-dialog" aria-labelledby="cancel-dialog-title">
        {chosen.length > 0 && (
          <Question
            tickets={chosen}
            cancel={() =>
              ask((calls) =>
                calls.cancelTickets(
                  order,
                  chosen.map(({ id }) => id),
                ),
              )
            }
            onDone={finish}
            onKeep={() => dialog.current?.close()}
          />
        )}
      </dialog>
    </div>
  );
}

type TicketChoicesProps = { tickets: readonly Ticket[]; ids: readonly string[]; toggle: (id: string) => void };

function TicketChoices({ tickets, ids, toggle }: TicketChoicesProps) {
  return (
    <fieldset className="cancel-choices">
      <legend className="legend">Tickets to cancel</legend>
      {tickets.map(({ id, title, number, holder, priceCents }) => (
        <label className="check" key={id}>
          <input type="checkbox" checked={ids.includes(id)} onChange={() => toggle(id)} />
          <span>
            {title} <span className="num">{number}</span>, <bdi>{holder}</bdi>
            <span className="hint num">{formatDollars(priceCents)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type QuestionProps = {
  readonly tickets: readonly Ticket[];
  readonly cancel: () => ReturnType<AskOrder>;
  readonly onDone: () => void;
  readonly onKeep: () => void;
};

function Question({ tickets, cancel, onDone, onKeep }: QuestionProps) {
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    if (isBusy) return;
    setBusy(true);
    setRefusal(undefined);
    const outcome = await cancel();
    setBusy(false);
    if (outcome.isDone) onDone();
    else setRefusal(outcome.says);
  };
  const one = tickets.length === 1;
  return (
    <>
      <div className="strip-ajrak" aria-hidden="true" />
      <div className="dlg">
        <h2 id="cancel-dialog-title">Cancel {one ? "this ticket" : `these ${sayCount(tickets.length)}`}?</h2>
        <ul>
          {tickets.map(({ id, title, number, holder }) => (
            <li key={id}>
              {title} <span className="num">{number}</span>, <bdi>{holder}</bdi>
            </li>
          ))}
        </ul>
        <p>
          We give <b className="num">{formatDollars(priceOf(tickets))}</b> back to the card or PayPal account that paid.{" "}
          {one ? "The ticket no longer admits" : "The tickets no longer admit"} anybody, and{" "}
          {one ? "its seat goes" : "their seats go"} back on sale. This cannot be undone.
        </p>
        {refusal !== undefined && (
          <p className="err" role="alert">
            <Icon name="alert" />
            <span>{refusal}</span>
          </p>
        )}
        <div className="form-actions">
          <button type="button" className="btn btn-danger" aria-disabled={isBusy} onClick={confirm}>
            Yes, {sayCancel(tickets).replace("C", "c")}
          </button>
          <button type="button" className="btn btn-quiet" onClick={onKeep}>
            {one ? "Keep the ticket" : "Keep the tickets"}
          </button>
        </div>
      </div>
    </>
  );
}

/** 'Cancel 1 ticket, refund $50.00'. */
function sayCancel(tickets: readonly Ticket[]): string {
  return `Cancel ${sayCount(tickets.length)}, refund ${formatDollars(priceOf(tickets))}`;
}

function priceOf(tickets: readonly Ticket[]): number {
  return tickets.reduce((sum, { priceCents }) => sum + priceCents, 0);
}
