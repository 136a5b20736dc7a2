import { type ComponentProps, useRef, useState } from "react";
import { formatDollars, formatMomentInSydney, plural } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { Confirmation } from "#shared/ui/confirmation.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import type { Ticket, TicketOrder } from "../../contract.ts";
import type { AskOrder } from "./use-order.ts";

type CancelTicketsProps = {
  readonly order: TicketOrder;
  readonly ask: AskOrder;
  readonly organisation: Pick<Organisation, "phone">;
  readonly onCancelled: (text: string) => void;
};

/** Cancels tickets for a refund or, once that is no longer possible, says why. */
export function CancelTickets(props: CancelTicketsProps) {
  const { order, organisation } = props;
  return (
    <section className="plain-card cancel-tickets" aria-labelledby="cancel-title">
      <h2 id="cancel-title">Can someone not make it?</h2>
      {order.cancelUntil === null ? (
        <p>
          You can no longer cancel tickets for a refund on this page. You can still pass a ticket on: change the name on
          it above. For anything else, call our helpline on{" "}
          <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a>.
        </p>
      ) : (
        <>
          <p>
            You can change the name on a ticket above. Or cancel tickets for a refund until{" "}
            {formatMomentInSydney(new Date(order.cancelUntil))}.
          </p>
          <Choice {...props} />
        </>
      )}
    </section>
  );
}

/** Chooses tickets, shows the refund, and asks for confirmation, because a cancellation is final. */
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
  const cancel = async () => {
    const outcome = await ask((calls) =>
      calls.cancelTickets(
        order,
        chosen.map(({ id }) => id),
      ),
    );
    if (!outcome.isDone) return outcome.text;
    dialog.current?.close();
    const price = formatDollars(priceOf(chosen));
    onCancelled(
      plural(chosen.length, {
        one: `1 ticket cancelled. ${price} will be refunded to the card or PayPal account that paid.`,
        other: `${chosen.length} tickets cancelled. ${price} will be refunded to the card or PayPal account that paid.`,
      }),
    );
    setIds([]);
    return undefined;
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
          {chosen.length === 0 ? "Cancel tickets" : sentencesOf(chosen).cancel}
        </button>
        {chosen.length === 0 && (
          <p className={isAsked ? "err" : "why"} id="cancel-why" role={isAsked ? "alert" : undefined}>
            {isAsked && <Icon name="alert" />}
            <span>Choose the tickets to cancel</span>
          </p>
        )}
      </div>
      {chosen.length > 0 && <Question dialog={dialog} tickets={chosen} act={cancel} />}
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

type QuestionProps = Pick<ComponentProps<typeof Confirmation>, "dialog" | "act"> & {
  readonly tickets: readonly Ticket[];
};

function Question({ tickets, ...asking }: QuestionProps) {
  const { question, after, confirm, keep } = sentencesOf(tickets);
  return (
    <Confirmation {...asking} titleId="cancel-dialog-title" title={question} confirm={confirm} keep={keep}>
      <ul>
        {tickets.map(({ id, title, number, holder }) => (
          <li key={id}>
            {title} <span className="num">{number}</span>, <bdi>{holder}</bdi>
          </li>
        ))}
      </ul>
      <p>
        We will refund <b className="num">{formatDollars(priceOf(tickets))}</b> to the card or PayPal account that paid.{" "}
        {after} This cannot be undone.
      </p>
    </Confirmation>
  );
}

function sentencesOf(tickets: readonly Ticket[]) {
  const count = tickets.length;
  const price = formatDollars(priceOf(tickets));
  return plural(count, {
    one: {
      cancel: `Cancel 1 ticket, refund ${price}`,
      question: "Cancel this ticket?",
      after: "The ticket will no longer be valid, and its seat goes back on sale.",
      confirm: `Yes, cancel 1 ticket, refund ${price}`,
      keep: "Keep the ticket",
    },
    other: {
      cancel: `Cancel ${count} tickets, refund ${price}`,
      question: `Cancel these ${count} tickets?`,
      after: "The tickets will no longer be valid, and their seats go back on sale.",
      confirm: `Yes, cancel ${count} tickets, refund ${price}`,
      keep: "Keep the tickets",
    },
  });
}

function priceOf(tickets: readonly Ticket[]): number {
  return tickets.reduce((sum, { priceCents }) => sum + priceCents, 0);
}
