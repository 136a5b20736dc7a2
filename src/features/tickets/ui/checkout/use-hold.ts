import { useRef } from "react";
import { ticketPath } from "#shared/paths.ts";
import { sayRefusal } from "#shared/ui/ask.ts";
import type { TicketOrder } from "../../contract.ts";
import { type OrderLine, sumLines } from "../../order.ts";
import type { CheckoutEvent } from "./checkout-flow.ts";
import { findOrder, type HoldWish, holdTickets, type OrderKey } from "./ticket-calls.ts";
import type { KeptDraft } from "./use-kept-draft.ts";

type Needs = {
  readonly slug: string;
  readonly kept: KeptDraft;
  readonly tell: (event: CheckoutEvent) => void;
  readonly leave: (path: string) => void;
  /** For an order that turns out to be paid, or to have been given back. */
  readonly onOver: (order: TicketOrder) => void;
};

type Held = Promise<TicketOrder | undefined>;

/** Holds the seats of what was chosen; each function gives the order whose seats are held then, if they are (TIC-6). */
export function useHold({ slug, kept, tell, leave, onOver }: Needs) {
  const wish = useWish(slug);
  const asking = useRef<Held>(undefined);

  const hold = async (lines: readonly OrderLine[], instead: OrderKey | undefined): Held => {
    const answer = await wish(lines, instead);
    return answer.ok ? keepHeld(answer.data) : refuse(answer);
  };
  const refuse = (answer: { readonly status: number; readonly error: string; readonly message: string }) => {
    tell({ type: "notHeld", problem: { error: answer.error, message: sayRefusal(answer) } });
    return undefined;
  };
  const keepHeld = (order: TicketOrder) => {
    kept.keep({ order: { id: order.id, key: order.key } });
    tell({ type: "held", order, at: Date.now() });
    return order;
  };
  const lookUp = async (lines: readonly OrderLine[], earlier: OrderKey): Held => {
    const answer = await findOrder(earlier);
    if (answer.ok) return takeUp(lines, answer.data);
    return isDefinite(answer) ? hold(lines, undefined) : refuse(answer);
  };
  const takeUp = async (lines: readonly OrderLine[], order: TicketOrder): Held => {
    const { id, key, state, payment } = order;
    if (state === "held" && !isOpenPayment(payment)) {
      return isSame(lines, order.lines) ? keepHeld(order) : hold(lines, { id, key });
    }
    if (state === "lapsed" && !isOpenPayment(payment)) return hold(lines, { id, key });
    if (state === "cancelled") {
      kept.drop();
      leave(ticketPath("selectTickets", slug));
      return undefined;
    }
    tell({ type: "found", order });
    if (state === "paid" || state === "refunded") onOver(order);
    return undefined;
  };
  const once = (ask: () => Held): Held => {
    if (asking.current !== undefined) return asking.current;
    tell({ type: "asked" });
    asking.current = ask().finally(() => {
      asking.current = undefined;
    });
    return asking.current;
  };

  return {
    /** Goes on with the order that this tab has, or holds seats for what was chosen. */
    open(): Held {
      const draft = kept.now();
      if (draft === undefined) return Promise.resolve(undefined);
      const { lines, order } = draft;
      return once(() => (order === undefined ? hold(lines, undefined) : lookUp(lines, order)));
    },
    /** Holds the same seats anew, from now on. */
    extend(): Held {
      const draft = kept.now();
      return draft === undefined ? Promise.resolve(undefined) : once(() => hold(draft.lines, draft.order));
    },
    /** What is being asked just now. */
    asking: () => asking.current,
  };
}

export type Hold = ReturnType<typeof useHold>;

/** Asks for seats; the same wish again is the same hold, should only its answer have been lost. */
function useWish(event: string) {
  const wished = useRef<{ readonly words: string; readonly key: string }>(undefined);
  return async (lines: readonly OrderLine[], instead: OrderKey | undefined) => {
    const wish: HoldWish = { event, lines, instead };
    const words = JSON.stringify(wish);
    if (wished.current?.words !== words) wished.current = { words, key: crypto.randomUUID() };
    const answer = await holdTickets(wish, wished.current.key);
    if (answer.ok || isDefinite(answer)) wished.current = undefined;
    return answer;
  };
}

const isOpenPayment = (payment: TicketOrder["payment"]) =>
  payment?.state === "processing" || payment?.state === "action_required";

/** The server has understood and will not do it; anything else may have happened all the same. */
const isDefinite = ({ status }: { readonly status: number }) => status >= 400 && status < 500 && status !== 429;

function isSame(chosen: readonly OrderLine[], held: readonly OrderLine[]): boolean {
  const words = (lines: readonly OrderLine[]) =>
    sumLines(lines)
      .map(({ type, quantity }) => `${quantity} ${type}`)
      .sort()
      .join();
  return words(chosen) === words(held);
}
