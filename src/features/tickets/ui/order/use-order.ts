import { useEffect, useState } from "react";
import { whileLoading } from "#shared/ui/feedback.ts";
import type { TicketOrder } from "../../contract.ts";
import { nextLook } from "../../standing.ts";
import type { Outcome } from "./order-calls.ts";

const NOT_LOADED = "No answer came. Please check your connection and try again.";
type Calls = typeof import("./order-calls.ts");

/** The order as the page was made with it, then as the server says: after each act, and by itself while something is open. */
export function useOrder(made: TicketOrder) {
  const [{ order, looks }, setSeen] = useState({ order: made, looks: 0 });
  const ask = async (call: (calls: Calls) => Promise<Outcome>): Promise<Outcome> => {
    const outcome = await import("./order-calls.ts")
      .then(call)
      .catch((): Outcome => ({ isDone: false, says: NOT_LOADED }));
    if (outcome.isDone) setSeen({ order: outcome.order, looks: 0 });
    return outcome;
  };
  useEffect(() => {
    const wait = nextLook(order, looks);
    if (wait === null) return;
    const timer = setTimeout(async () => {
      const { findOrder } = await import("./order-calls.ts");
      const found = await findOrder(order).catch(() => undefined);
      setSeen({ order: found?.isDone ? found.order : order, looks: looks + 1 });
    }, wait);
    return () => clearTimeout(timer);
  }, [order, looks]);
  return { order, ask: (call: (calls: Calls) => Promise<Outcome>) => whileLoading(ask(call)) };
}
export type AskOrder = ReturnType<typeof useOrder>["ask"];
