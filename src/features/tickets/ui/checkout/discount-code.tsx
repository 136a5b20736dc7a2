import { type FormEvent, useId, useState } from "react";
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
  if (order?.discount) {
    return (
      <p className="small">
        {order.discount.cents === 0 && "This code applies to none of your tickets. "}
        <button type="button" className="link-btn" onClick={() => void onApply(undefined)}>
          Take the code off
        </button>
      </p>
    );
  }
  const apply = async (event: FormEvent) => {
    event.preventDefault();
    setFault(typed.trim() === "" ? "Enter the code." : await onApply(typed));
  };
  return (
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
  );
}
