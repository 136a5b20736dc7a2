import { useEffect, useState } from "react";
import { whileLoading } from "#shared/ui/feedback.ts";
import type { TicketOrder } from "../../contract.ts";
import { nextPoll } from "../../order-status.ts";
import type { OrderOutcome } from "./order-calls.ts";

const NOT_LOADED = "We didn’t get an answer. Please check your connection and try again.";
type Calls = typeof import("./order-calls.ts");

/** The order: first as rendered, then updated after each action, and by polling while its status may change. */
export function useOrder(made: TicketOrder) {
  const [{ order, polls }, setSeen] = useState({ order: made, polls: 0 });
  const ask = async (call: (calls: Calls) => Promise<OrderOutcome>): Promise<OrderOutcome> => {
    const outcome = await import("./order-calls.ts")
      .then(call)
      .catch((): OrderOutcome => ({ isDone: false, text: NOT_LOADED }));
    if (outcome.isDone) setSeen({ order: outcome.order, polls: 0 });
    return outcome;
  };
  useEffect(() => {
    const wait = nextPoll(order, polls);
    if (wait === null) return;
    const timer = setTimeout(async () => {
      const { reloadOrder } = await import("./order-calls.ts");
      const found = await reloadOrder(order).catch(() => undefined);
      setSeen({ order: found?.isDone ? found.order : order, polls: polls + 1 });
    }, wait);
    return () => clearTimeout(timer);
  }, [order, polls]);
  return { order, ask: (call: (calls: Calls) => Promise<OrderOutcome>) => whileLoading(ask(call)) };
}
export type AskOrder = ReturnType<typeof useOrder>["ask"];
