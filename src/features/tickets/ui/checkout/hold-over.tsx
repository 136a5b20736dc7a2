import { useLayoutEffect, useRef } from "react";
import { keepTogether } from "#shared/keep-together.ts";
import { ticketPath } from "#shared/paths.ts";
import type { CheckoutFlow } from "./checkout-flow.ts";

export const HOLD_OVER_ID = "hold-over";

/** Above the form while no seats are held: that nothing was charged, and the way to hold them again. */
export function HoldOver({ flow, slug, onHoldAgain }: HoldOverProps) {
  const { problem, endsAt, order, isAsking } = flow;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each thing that happens takes focus anew
  useLayoutEffect(() => heading.current?.focus(), [problem]);
  return (
    <section className="error-summary hold-over" aria-labelledby={HOLD_OVER_ID}>
      <h2 id={HOLD_OVER_ID} tabIndex={-1} ref={heading}>
        {problem === undefined ? "Your seats are not held any more" : "Your seats could not be held"}
      </h2>
      {problem === undefined ? (
        <p>
          {order !== undefined && `Your seats were held until ${sayTime(endsAt)}. `}Others can have them now. Nothing
          was charged, and what you typed is kept.
        </p>
      ) : (
        <p>{problem.message} Nothing was charged. What you typed is kept.</p>
      )}
      <div className="form-actions">
        {canBeChanged(problem?.error) && (
          <a className={problem === undefined ? "btn btn-quiet" : "btn"} href={ticketPath("selectTickets", slug)}>
            Change tickets
          </a>
        )}
        <button
          type="button"
          className={problem !== undefined && canBeChanged(problem.error) ? "btn btn-quiet" : "btn"}
          aria-disabled={isAsking}
          onClick={() => isAsking || onHoldAgain()}
        >
          {isAsking ? "Holding your seats…" : problem === undefined ? "Hold the seats again" : "Try again"}
        </button>
      </div>
    </section>
  );
}

type HoldOverProps = {
  readonly flow: CheckoutFlow;
  readonly slug: string;
  readonly onHoldAgain: () => void;
};

/** Other tickets would not help where the connection, or too many tries, are in the way. */
const canBeChanged = (error: string | undefined) =>
  error !== "no_answer" && error !== "too_many_holds" && error !== "busy" && error !== "unexpected";

/** '3:15 PM'. */
function sayTime(at: number): string {
  const format = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit", hour12: true });
  return keepTogether(format.format(at));
}
