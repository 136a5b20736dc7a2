import { type FormEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { formatDollars } from "#shared/language.ts";
import { usePlaceHeading } from "#shared/ui/use-focus.ts";
import type { TicketOrder } from "../../contract.ts";
import type { CheckoutFlow } from "./checkout-flow.ts";

type DiscountCodeProps = {
  readonly flow: CheckoutFlow;
  /** Undefined takes the code off. */
  readonly onApply: (code: string | undefined) => unknown;
};

/** Takes a discount code and applies it to the held order, or takes it off again. */
export function DiscountCode({ flow: { order, codeFault }, onApply }: DiscountCodeProps) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const [isTakenOff, setIsTakenOff] = useState(false);
  const fault = isMissing ? "Enter the code." : codeFault;
  const discount = order?.discount ?? undefined;
  // The button that was pressed disappears with the change.
  const place = usePlaceHeading<HTMLDivElement>(discount?.code ?? "", true);
  const details = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (fault !== undefined && details.current !== null) details.current.open = true;
  }, [fault]);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(typed.trim() === "");
    if (typed.trim() !== "") onApply(typed);
  };
  const takeOff = () => {
    setIsTakenOff(true);
    onApply(undefined);
  };
  return (
    <div ref={place} tabIndex={-1}>
      <p className="sr" role="status">
        {order !== undefined && (isTakenOff || discount !== undefined) && describeTotal(order)}
      </p>
      {discount !== undefined ? (
        <p className="small">
          <button type="button" className="link-btn" onClick={takeOff}>
            Take the code off
          </button>
        </p>
      ) : (
        <details className="discount-code" ref={details}>
          <summary>I have a discount code</summary>
          <form method="post" noValidate onSubmit={apply}>
            <label htmlFor={id}>Discount code</label>
            {fault !== undefined && (
              <p className="err" id={`${id}-error`} role="alert">
                {fault}
              </p>
            )}
            <div className="discount-row">
              <input
                className="input"
                id={id}
                value={typed}
                dir="auto"
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                aria-invalid={fault !== undefined}
                aria-describedby={fault === undefined ? undefined : `${id}-error`}
                onChange={({ target }) => setTyped(target.value)}
              />
              <button type="submit" className="btn btn-quiet">
                Apply
              </button>
            </div>
          </form>
        </details>
      )}
    </div>
  );
}

function describeTotal({ discount, totalCents }: TicketOrder) {
  const total = formatDollars(totalCents);
  if (discount === null) return `The code is taken off. The total is ${total}.`;
  return `The code takes ${formatDollars(discount.cents)} off. The total is ${total}.`;
}
