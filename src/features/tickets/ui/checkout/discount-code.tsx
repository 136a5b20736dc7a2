import { type FormEvent, useId, useState } from "react";
import { formatDollars } from "#shared/language.ts";
import { usePlaceHeading } from "#shared/ui/use-focus.ts";
import type { TicketOrder } from "../../contract.ts";

type DiscountCodeProps = {
  readonly order: TicketOrder | undefined;
  /** Undefined takes the code off. Returns why the code cannot be used. */
  readonly onApply: (code: string | undefined) => Promise<string | undefined>;
};

/** Takes a discount code and applies it to the held order, or takes it off again. */
export function DiscountCode({ order, onApply }: DiscountCodeProps) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string>();
  const discount = order?.discount ?? undefined;
  // The button that was pressed disappears with the change.
  const place = usePlaceHeading<HTMLDivElement>(discount?.code ?? "", true);
  const apply = async (event: FormEvent) => {
    event.preventDefault();
    setFault(undefined);
    setFault(typed.trim() === "" ? "Enter the code." : await onApply(typed));
  };
  return (
    <div ref={place} tabIndex={-1}>
      <p className="sr" role="status">
        {discount !== undefined && describeDiscount(discount.cents, order!.totalCents)}
      </p>
      {discount !== undefined ? (
        <p className="small">
          {discount.cents === 0 && "This code applies to none of your tickets. "}
          <button type="button" className="link-btn" onClick={() => void onApply(undefined)}>
            Take the code off
          </button>
        </p>
      ) : (
        <details className="discount-code">
          <summary>I have a discount code</summary>
          <form method="post" noValidate onSubmit={(event) => void apply(event)}>
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

const describeDiscount = (cents: number, totalCents: number) =>
  `The code takes ${formatDollars(cents)} off. The total is ${formatDollars(totalCents)}.`;
