import { useRef } from "react";
import { describeRefusal } from "#shared/ui/ask.ts";
import type { TicketOrder } from "../../contract.ts";
import { type OrderLine, sumLines } from "../../order.ts";
import type { CheckoutEvent } from "./checkout-flow.ts";
import { fetchOrder, holdTickets, type OrderKey, type SeatRequest } from "./ticket-calls.ts";
import type { KeptDraft } from "./use-kept-draft.ts";

type Needs = {
  readonly slug: string;
  /** Where tickets are chosen. */
  readonly choicePath: string;
  readonly kept: KeptDraft;
  readonly dispatch: (event: CheckoutEvent) => void;
  readonly leave: (path: string) => void;
  /** For an order that turns out to be paid or refunded. */
  readonly onOver: (order: TicketOrder) => void;
};

type Held = Promise<TicketOrder | undefined>;

/** Holds seats for the chosen tickets. Each function returns the order whose seats are held, or undefined (TIC-6). */
export function useHold({ slug, choicePath, kept, dispatch, leave, onOver }: Needs) {
  const requestSeats = useSeatRequest();
  const asking = useRef<Held>(undefined);

  const request = (lines: readonly OrderLine[], instead: OrderKey | undefined, discount: string | undefined) =>
    requestSeats({ event: slug, lines, instead, access: kept.now()?.access, discount });
  const hold = async (lines: readonly OrderLine[], instead: OrderKey | undefined): Held => {
    const discount = kept.now()?.discount;
    const answer = await request(lines, instead, discount);
    if (answer.ok) return keepHeld(answer.data);
    if (answer.error !== "code_refused" || discount === undefined) return refuse(answer);
    // The code has ended since, or is not for these tickets: the seats matter more.
    kept.keep({ discount: undefined });
    const order = await hold(lines, instead);
    dispatch({ type: "codeRefused", message: `We took the code off your order. ${answer.message}` });
    return order;
  };
  const refuse = (answer: { readonly status: number; readonly error: string; readonly message: string }) => {
    dispatch({ type: "notHeld", problem: { error: answer.error, message: describeRefusal(answer) } });
    return undefined;
  };
  const keepHeld = (order: TicketOrder) => {
    kept.keep({ order: { id: order.id, key: order.key } });
    dispatch({ type: "held", order, at: Date.now() });
    return order;
  };
  const lookUp = async (lines: readonly OrderLine[], earlier: OrderKey): Held => {
    const answer = await fetchOrder(earlier);
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
      leave(choicePath);
      return undefined;
    }
    dispatch({ type: "found", order });
    if (state === "paid" || state === "refunded") onOver(order);
    return undefined;
  };
  const once = (ask: () => Held): Held => {
    if (asking.current !== undefined) return asking.current;
    dispatch({ type: "asked" });
    asking.current = ask().finally(() => {
      asking.current = undefined;
    });
    return asking.current;
  };

  return {
    /** Continues with this tab's order, or holds seats for the chosen tickets. */
    open(): Held {
      const draft = kept.now();
      if (draft === undefined) return Promise.resolve(undefined);
      const { lines, order } = draft;
      return once(() => (order === undefined ? hold(lines, undefined) : lookUp(lines, order)));
    },
    /** Holds the same seats again, for the full time. */
    extend(): Held {
      const draft = kept.now();
      return draft === undefined ? Promise.resolve(undefined) : once(() => hold(draft.lines, draft.order));
    },
    /** Holds the same seats with a discount code; undefined takes it off. */
    applyCode(discount: string | undefined): Held {
      const draft = kept.now();
      if (draft === undefined) return Promise.resolve(undefined);
      return once(async () => {
        const answer = await request(draft.lines, draft.order, discount);
        if (answer.ok) {
          kept.keep({ discount });
          return keepHeld(answer.data);
        }
        if (answer.error !== "code_refused") return refuse(answer);
        dispatch({ type: "codeRefused", message: answer.message });
        return undefined;
      });
    },
    /** The request in progress. */
    asking: () => asking.current,
  };
}

/** Requests seats. If only the answer was lost, the same request has the same key, so it gets the same hold. */
function useSeatRequest() {
  const lastRequest = useRef<{ readonly words: string; readonly key: string }>(undefined);
  return async (request: SeatRequest) => {
    const words = JSON.stringify(request);
    if (lastRequest.current?.words !== words) lastRequest.current = { words, key: crypto.randomUUID() };
    const answer = await holdTickets(request, lastRequest.current.key);
    if (answer.ok || isDefinite(answer)) lastRequest.current = undefined;
    return answer;
  };
}

const isOpenPayment = (payment: TicketOrder["payment"]) =>
  payment?.state === "processing" || payment?.state === "action_required";

/** The server has refused it; after any other failure it may have been done. */
const isDefinite = ({ status }: { readonly status: number }) => status >= 400 && status < 500 && status !== 429;

function isSame(chosen: readonly OrderLine[], held: readonly OrderLine[]): boolean {
  const words = (lines: readonly OrderLine[]) =>
    sumLines(lines)
      .map(({ type, quantity }) => `${quantity} ${type}`)
      .sort()
      .join();
  return words(chosen) === words(held);
}
