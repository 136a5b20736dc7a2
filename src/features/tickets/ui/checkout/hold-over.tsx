import { formatTime, keepTogether } from "#shared/language.ts";
import { useFocus } from "#shared/ui/use-focus.ts";
import type { CheckoutFlow } from "./checkout-flow.ts";

export const HOLD_OVER_ID = "hold-over";

/** Shown above the form while no seats are held: nothing was charged, and how to hold them again. */
export function HoldOver({ flow, choicePath, onHoldAgain }: HoldOverProps) {
  const { problem, endsAt, order, isAsking } = flow;
  const heading = useFocus<HTMLHeadingElement>(problem ?? "lapsed");
  return (
    <section className="error-summary hold-over" aria-labelledby={HOLD_OVER_ID}>
      <h2 id={HOLD_OVER_ID} tabIndex={-1} ref={heading}>
        {problem === undefined ? "Your seats are no longer held" : "We couldn’t hold your seats"}
      </h2>
      {problem === undefined ? (
        <p>
          {order !== undefined && `Your seats were held until ${keepTogether(formatTime(endsAt))}. `}
          {order?.isOffer ? "They go to the next person on the waiting list. " : "They are back on sale. "}
          Nothing was charged, and what you typed is kept.
        </p>
      ) : (
        <p>{problem.message} Nothing was charged. What you typed is kept.</p>
      )}
      <div className="form-actions">
        {canBeChanged(problem?.error) && (
          <a className={problem === undefined ? "btn btn-quiet" : "btn"} href={choicePath}>
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
  readonly choicePath: string;
  readonly onHoldAgain: () => void;
};

/** Other tickets would not help if the connection, too many attempts or the event itself are the problem. */
const canBeChanged = (error: string | undefined) =>
  error !== "sales_stopped" &&
  error !== "no_answer" &&
  error !== "too_many_holds" &&
  error !== "busy" &&
  error !== "unexpected";
