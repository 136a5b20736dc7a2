import { useState } from "react";
import type { Checkout, PaymentMethod } from "../contract.ts";
import { awayMessage, methodName, methods } from "./payment-methods.ts";

/** Card or PayPal, each with its hint. An unavailable one says why and can't be chosen (DON-10, DON-13). */
export function MethodChoice({ chosen, checkout, hintOf, onChoose, onCheckAgain }: MethodChoiceProps) {
  const [refused, setRefused] = useState<PaymentMethod>();
  const isAnyAway = methods.some((method) => awayMessage(method, checkout) !== undefined);
  return (
    <fieldset className="field methods">
      <legend className="legend">Payment method</legend>
      {methods.map((method) => {
        const why = awayMessage(method, checkout);
        return (
          <label className={why === undefined ? "check choice" : "check choice unavailable"} key={method}>
            <input
              type="radio"
              name="method"
              value={method}
              checked={chosen === method && why === undefined}
              aria-disabled={why !== undefined}
              aria-describedby={why === undefined ? undefined : `${method}-why`}
              onChange={() => {
                setRefused(why === undefined ? undefined : method);
                if (why === undefined) onChoose(method);
              }}
            />
            <span>
              <b>{methodName[method]}</b>
              <span className="hint">{hintOf(method)}</span>
              {why !== undefined && (
                <span className="hint" id={`${method}-why`}>
                  {why}
                </span>
              )}
            </span>
          </label>
        );
      })}
      {isAnyAway && (
        <button type="button" className="link-btn" onClick={onCheckAgain}>
          Check again <span className="sr">which ways to pay are available</span>
        </button>
      )}
      <p className="sr" role="status">
        {refused === undefined ? "" : awayMessage(refused, checkout)}
      </p>
    </fieldset>
  );
}

type MethodChoiceProps = {
  readonly chosen: PaymentMethod;
  readonly checkout: Checkout;
  readonly hintOf: (method: PaymentMethod) => string;
  readonly onChoose: (method: PaymentMethod) => void;
  readonly onCheckAgain: () => void;
};
