import { type ComponentProps, useRef, useState } from "react";
import { formatDollars, formatMomentInSydney, plural } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import { telephoneLink } from "#shared/telephone-link.ts";
import { Confirmation } from "#shared/ui/confirmation.tsx";
import { Icon } from "#shared/ui/icon.tsx";
import type { Ticket, TicketOrder } from "../../contract.ts";
import { formatPrice } from "../../order.ts";
import type { AskOrder } from "./use-order.ts";

type CancelTicketsProps = {
  readonly order: TicketOrder;
  readonly ask: AskOrder;
  readonly organisation: Pick<Organisation, "phone">;
  readonly onCancelled: (text: string) => void;
};

/** Cancels tickets, for a refund if they were paid for online; once that is no longer possible, says why. */
export function CancelTickets(props: CancelTicketsProps) {
  const { order, organisation } = props;
  const isRefundable = order.totalCents > 0;
  const until = order.cancelUntil === null ? null : formatMomentInSydney(new Date(order.cancelUntil));
  return (
    <section className="plain-card cancel-tickets" aria-labelledby="cancel-title">
      <h2 id="cancel-title">Can someone not make it?</h2>
      {until === null ? (
        <p>
          {isRefundable
            ? "You can no longer cancel tickets for a refund on this page."
            : "You can no longer cancel tickets on this page."}{" "}
          You can still pass a ticket on: change the name on it above. For anything else, call our helpline on{" "}
          <a href={telephoneLink(organisation.phone)}>{organisation.phone}</a>.
        </p>
      ) : (
        <>
          <p>
            {isRefundable
              ? `Change the name on a ticket above, or cancel tickets for a refund until ${until}.`
              : `Change the name on a ticket above, or cancel tickets until ${until}.`}
          </p>
          <Choice {...props} />
        </>
      )}
    </section>
  );
}

/** Chooses tickets, says what happens to the money, and asks for confirmation, because a cancellation is final. */
function Choice({ order, ask, organisation, onCancelled }: CancelTicketsProps) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const [isAsked, setAsked] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const open = order.tickets.filter(({ isCancelled }) => !isCancelled);
  const chosen = open.filter(({ id }) => ids.includes(id));
  const words = describeCancelling(chosen, order, organisation);
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
    onCancelled(words.done);
    setIds([]);
    return undefined;
  };
  return (
    <div className="needs-script">
      <TicketChoices tickets={open} ids={ids} toggle={toggle} isPaidInPerson={order.takenCents !== undefined} />
      <div className="form-actions">
        <button
          type="button"
          className="btn btn-danger"
          aria-disabled={chosen.length === 0}
          aria-describedby={chosen.length === 0 ? "cancel-why" : undefined}
          onClick={begin}
        >
          {chosen.length === 0 ? "Cancel tickets" : words.cancel}
        </button>
        {chosen.length === 0 && (
          <p className={isAsked ? "err" : "why"} id="cancel-why" role={isAsked ? "alert" : undefined}>
            {isAsked && <Icon name="alert" />}
            <span>Choose the tickets to cancel</span>
          </p>
        )}
      </div>
      {chosen.length > 0 && <Question dialog={dialog} tickets={chosen} words={words} act={cancel} />}
    </div>
  );
}

type TicketChoicesProps = {
  readonly tickets: readonly Ticket[];
  readonly ids: readonly string[];
  readonly toggle: (id: string) => void;
  readonly isPaidInPerson: boolean;
};

function TicketChoices({ tickets, ids, toggle, isPaidInPerson }: TicketChoicesProps) {
  return (
    <fieldset className="cancel-choices">
      <legend className="legend">Tickets to cancel</legend>
      {tickets.map(({ id, title, number, holder, priceCents }) => (
        <label className="check" key={id}>
          <input type="checkbox" checked={ids.includes(id)} onChange={() => toggle(id)} />
          <span>
            {title} <span className="num">{number}</span>, <bdi>{holder}</bdi>
            <span className="hint num">{isPaidInPerson ? "Paid in person" : formatPrice(priceCents)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type QuestionProps = Pick<ComponentProps<typeof Confirmation>, "dialog" | "act"> & {
  readonly tickets: readonly Ticket[];
  readonly words: CancellingWords;
};

function Question({ tickets, words, ...asking }: QuestionProps) {
  const { question, money, after, confirm, keep } = words;
  return (
    <Confirmation {...asking} titleId="cancel-dialog-title" title={question} confirm={confirm} keep={keep}>
      <ul>
        {tickets.map(({ id, title, number, holder }) => (
          <li key={id}>
            {title} <span className="num">{number}</span>, <bdi>{holder}</bdi>
          </li>
        ))}
      </ul>
      <p>{`${money} ${after} This cannot be undone.`}</p>
    </Confirmation>
  );
}

type CancellingWords = ReturnType<typeof describeCancelling>;

/** What the page says about cancelling these tickets. Only what was paid online goes back automatically. */
function describeCancelling(
  tickets: readonly Ticket[],
  { takenCents }: TicketOrder,
  { phone }: CancelTicketsProps["organisation"],
) {
  const count = tickets.length;
  const refundCents = tickets.reduce((sum, { priceCents }) => sum + priceCents, 0);
  const always = plural(count, {
    one: {
      question: "Cancel this ticket?",
      after: "The ticket will no longer be valid, and its seat goes back on sale.",
      keep: "Keep the ticket",
    },
    other: {
      question: `Cancel these ${count} tickets?`,
      after: "The tickets will no longer be valid, and their seats go back on sale.",
      keep: "Keep the tickets",
    },
  });
  if (refundCents > 0) {
    const price = formatDollars(refundCents);
    const words = plural(count, {
      one: {
        cancel: `Cancel 1 ticket, refund ${price}`,
        confirm: `Yes, cancel 1 ticket, refund ${price}`,
        done: `1 ticket cancelled. ${price} will be refunded to the card or PayPal account that paid.`,
      },
      other: {
        cancel: `Cancel ${count} tickets, refund ${price}`,
        confirm: `Yes, cancel ${count} tickets, refund ${price}`,
        done: `${count} tickets cancelled. ${price} will be refunded to the card or PayPal account that paid.`,
      },
    });
    return { ...always, ...words, money: `We will refund ${price} to the card or PayPal account that paid.` };
  }
  const buttons = plural(count, {
    one: { cancel: "Cancel 1 ticket", confirm: "Yes, cancel 1 ticket" },
    other: { cancel: `Cancel ${count} tickets`, confirm: `Yes, cancel ${count} tickets` },
  });
  if (takenCents !== undefined) {
    const money = `You paid in person, so ask us for your money: call our helpline on ${phone}.`;
    const done = plural(count, { one: `1 ticket cancelled. ${money}`, other: `${count} tickets cancelled. ${money}` });
    return { ...always, ...buttons, money, done };
  }
  const words = plural(count, {
    one: {
      money: "The ticket cost nothing, so there is nothing to refund.",
      done: "1 ticket cancelled. It cost nothing, so there is nothing to refund.",
    },
    other: {
      money: "The tickets cost nothing, so there is nothing to refund.",
      done: `${count} tickets cancelled. They cost nothing, so there is nothing to refund.`,
    },
  });
  return { ...always, ...buttons, ...words };
}
