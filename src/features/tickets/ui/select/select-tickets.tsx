import "#shared/ui/form-without-eval.ts";
import { type FormEvent, useEffect, useState } from "react";
import { formatDollars, formatMomentInSydney, keepTogether } from "#shared/language.ts";
import { ticketPath, waitingListPath } from "#shared/paths.ts";
import { ErrorSummary, type FormProblem, useErrorTitle } from "#shared/ui/form-error-summary.tsx";
import { NumberStepper } from "#shared/ui/form-number-stepper.tsx";
import type { TicketEvent } from "../../contract.ts";
import { formatPrice, formatTicketCount, ticketCount, totalCents } from "../../order.ts";
import { describeAvailability, describeLimit } from "../../sale.ts";
import { findDraft } from "../draft-storage.ts";
import type { Seats } from "./offer-calls.ts";
import { type Choice, type Choosable, fieldOf, useChoice } from "./use-choice.ts";

type SelectTicketsProps = {
  readonly offer: TicketEvent;
  readonly goTo?: (path: string) => void;
};

/** Chooses how many of each type, shows the total, and leads to the checkout (TIC-2). */
export function SelectTickets({ offer: made, goTo = (path) => location.assign(path) }: SelectTicketsProps) {
  const seats = useSeats(made);
  const choice = useChoice(seats);
  const { problems, shownAt, submit } = useNext(choice, made, goTo);
  useErrorTitle(problems.length > 0);
  return (
    <form method="post" noValidate aria-label="Tickets" className="ticket-choice" onSubmit={submit}>
      <ErrorSummary problems={problems} shownAt={shownAt} />
      {seats.offeredUntil !== undefined && (
        <p className="note">
          The waiting list has brought you these seats. They are held until{" "}
          {formatMomentInSydney(new Date(seats.offeredUntil))}. You can take fewer here, but no more: if you also want
          other tickets, pay for these first.
        </p>
      )}
      <ul className="tickets">
        {choice.types.map((type, index) => (
          <TicketCard
            key={type.code}
            type={type}
            drawing={drawings[index % drawings.length]!}
            offer={seats.offer}
            typed={choice.typed[type.code] ?? "0"}
            error={choice.faultOf(type)}
            onChange={(text) => choice.change(type.code, text)}
          />
        ))}
      </ul>
      <p className={choice.text === "" ? "sr" : "note warn"} role="status">
        {choice.text}
      </p>
      <Total choice={choice} offer={made} />
    </form>
  );
}

/** Goes to the checkout, or shows what prevents it. */
function useNext(choice: Choice, { slug, access }: SelectTicketsProps["offer"], goTo: (path: string) => void) {
  const [{ isAsked, shownAt }, setAsked] = useState({ isAsked: false, shownAt: 0 });
  const [cannotKeep, setCannotKeep] = useState(false);
  const first = choice.types.find(({ max }) => max > 0);
  const find = (): FormProblem[] => {
    const wrong = choice.types.flatMap((type) => {
      const message = choice.faultOf(type);
      return message === undefined ? [] : [{ fieldId: fieldOf(type.code), message }];
    });
    if (wrong.length > 0) return wrong;
    const fieldId = first === undefined ? "" : fieldOf(first.code);
    if (ticketCount(choice.lines) === 0) return [{ fieldId, message: CHOOSE_ONE }];
    return cannotKeep ? [{ fieldId, message: NOT_KEPT }] : [];
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setCannotKeep(false);
    const isWrong = choice.types.some(choice.faultOf) || ticketCount(choice.lines) === 0;
    setAsked((before) => ({ isAsked: isWrong, shownAt: before.shownAt + 1 }));
    if (isWrong) return;
    choice.keep();
    if (findDraft(slug) !== undefined) return goTo(ticketPath("ticketsCheckout", slug, access));
    setCannotKeep(true);
    setAsked((before) => ({ ...before, isAsked: true }));
  };
  return { problems: isAsked ? find() : [], shownAt, submit };
}

const CHOOSE_ONE = "Choose at least one ticket";
const NOT_KEPT =
  "Your browser is blocking storage for this site, so the checkout cannot see your tickets. Allow storage, or call our helpline";

const drawings = ["event-night", "dastarkhwan-meal", "volunteers-packing"] as const;

type TicketCardProps = {
  readonly type: Choosable;
  readonly drawing: (typeof drawings)[number];
  readonly offer: Pick<TicketEvent, "slug" | "access" | "timeZone" | "state">;
  readonly typed: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
};

/** Why a type cannot be chosen now, or only few of it. */
function describeNow(type: Choosable, { state, timeZone }: TicketCardProps["offer"]): string | null {
  if (state === "stopped") return "Not on sale at the moment";
  if (type.max > 0 && type.state === "sold_out") return null;
  return describeAvailability(type, timeZone);
}

function TicketCard({ type, drawing, offer, typed, error, onChange }: TicketCardProps) {
  const { code, title, description, priceCents, max } = type;
  const availability = describeNow(type, offer);
  const why = describeLimit(type, Number(typed));
  return (
    <li>
      <article className="ticket" aria-labelledby={`${fieldOf(code)}-title`}>
        <div className="stub">
          <img src={`/identity/illustrations/${drawing}.svg`} alt="" width={800} height={600} />
        </div>
        <div className="ticket-body">
          <div className="what">
            <h2 id={`${fieldOf(code)}-title`}>{title}</h2>
            {description !== "" && <p className="muted">{description}</p>}
            {max > 0 && availability !== null && <p className="availability">{keepTogether(availability)}</p>}
          </div>
          <p className="price num">{formatPrice(priceCents)}</p>
          {max > 0 ? (
            <div className="needs-script">
              <NumberStepper
                id={fieldOf(code)}
                label={<span className="sr">{title} quantity</span>}
                unit={title}
                hint={error === undefined ? (why ?? undefined) : undefined}
                error={error}
                value={typed}
                minimum={0}
                maximum={max}
                onChange={onChange}
              />
            </div>
          ) : (
            <div className="sold-out">
              <p className="no-stepper">{availability}</p>
              {type.state === "sold_out" && (
                <a href={waitingListPath(offer.slug, code, offer.access)}>
                  Join the waiting list<span className="sr"> for {title}</span>
                </a>
              )}
            </div>
          )}
        </div>
      </article>
    </li>
  );
}

function Total({ choice, offer: { slug, access, state } }: { choice: Choice; offer: SelectTicketsProps["offer"] }) {
  const count = ticketCount(choice.lines);
  const isOpen = choice.types.some(({ max }) => max > 0);
  const fault = choice.types.map(choice.faultOf).find((each) => each !== undefined);
  const isEmpty = fault === undefined && count === 0;
  return (
    <div className="ticket-total">
      {isOpen && (
        <p role="status" className={fault === undefined ? "needs-script" : "needs-script err"} id="ticket-sum">
          {fault ?? (
            <>
              <span className="muted">{count === 0 ? "No tickets" : formatTicketCount(count)}</span>{" "}
              <b className="num">{formatDollars(totalCents(choice.lines, choice.types))}</b>{" "}
              <span className="muted small">AUD, no fees added</span>
            </>
          )}
        </p>
      )}
      {!isOpen && <p>{describeClosed(state)}</p>}
      <div className="form-actions">
        <a className="btn btn-quiet" href={ticketPath("ticketAbout", slug, access)}>
          Back
        </a>
        {isOpen && (
          <button
            type="submit"
            className="btn btn-cta needs-script"
            aria-disabled={fault !== undefined || isEmpty}
            aria-describedby={fault === undefined ? (isEmpty ? "next-why" : undefined) : "ticket-sum"}
          >
            Next
          </button>
        )}
        {isOpen && isEmpty && (
          <p className="why needs-script" id="next-why">
            {CHOOSE_ONE}
          </p>
        )}
      </div>
    </div>
  );
}

function describeClosed(state: TicketEvent["state"]): string {
  if (state === "over") return "This event has ended.";
  if (state === "called_off") return "This event has been called off.";
  return "No tickets are on sale at the moment.";
}

const OLD_MS = 60_000;

/**
 * The current offer. The page is rendered for each request, so the server is asked again only when the page is shown
 * again, or becomes visible after a while. If this tab's order holds seats, it is asked immediately, because the new
 * choice may use them. `isFresh` once no answer is outstanding.
 */
function useSeats(made: TicketEvent): Seats & { readonly isFresh: boolean } {
  const [seats, setSeats] = useState<Seats>({ offer: made, own: {} });
  const [isFresh, setFresh] = useState(false);
  const { slug } = made;
  useEffect(() => {
    let askedAt = Date.now();
    const ask = async () => {
      askedAt = Date.now();
      const { findSeats } = await import("./offer-calls.ts");
      const found = await findSeats(slug, { access: made.access || undefined, ...findDraft(slug) });
      if (found !== undefined) setSeats(found);
    };
    // Without an answer the rendered offer will do: the checkout checks again.
    const refresh = () => void ask().then(settle, settle);
    const settle = () => setFresh(true);
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && refresh();
    const onVisible = () => document.visibilityState === "visible" && Date.now() - askedAt > OLD_MS && refresh();
    const { order, access } = findDraft(slug) ?? {};
    if (order === undefined && (access === undefined || access === made.access)) settle();
    else refresh();
    addEventListener("pageshow", onShow);
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      removeEventListener("pageshow", onShow);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [slug, made.access]);
  return { ...seats, isFresh };
}
