import { type RefObject, useReducer, useRef } from "react";
import type { PaymentMethod } from "#payments/checkout/contract.ts";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import { atStart, type CheckoutFlow, isResult, isUnderWay, reduceCheckout } from "./checkout-flow.ts";
import { fetchOrder, type OrderKey, type SentTickets } from "./ticket-calls.ts";
import { useHold } from "./use-hold.ts";
import { useKeptDraft } from "./use-kept-draft.ts";

const POLLS = 4;
const PAUSE_MS = 2500;

/** Buys the tickets chosen in this tab: holds the seats from the start, sends one payment, and follows its outcome. */
export function useCheckout(slug: string, choicePath: string, leave: (path: string) => void) {
  const [flow, dispatch] = useReducer(reduceCheckout, atStart);
  const latest = useRef(flow);
  latest.current = flow;
  const kept = useKeptDraft(slug);

  /** Shows the order once its tickets are issued; an email brings them in any case. */
  const loadFinished = async (order: OrderKey) => {
    for (let polls = 0; polls < POLLS; polls += 1) {
      if (polls > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const answer = await fetchOrder(order);
      if (!answer.ok || answer.data.state === "held") continue;
      if (answer.data.state === "cancelled") leave(answer.data.pageUrl);
      dispatch({ type: "found", order: answer.data });
      return true;
    }
    return false;
  };
  const onOver = (order: OrderKey) => {
    kept.drop();
    keepFinished(order);
  };
  const hold = useHold({ slug, choicePath, kept, dispatch, leave, onOver });
  /** The payment that was sent, in memory only; cleared once its outcome is known. */
  const sent = useRef<SentTickets>(undefined);

  const open = async () => {
    const finished = findFinished();
    if (finished !== undefined && (await loadFinished(finished))) return;
    const draft = kept.read();
    if (draft === undefined || draft.lines.length === 0) return leave(choicePath);
    dispatch({ type: "opened", lines: draft.lines, method: draft.method });
    await hold.open();
  };
  useOpening(open, latest);
  return {
    flow,
    kept,
    latest,
    dispatch,
    hold,
    sent,
    /** Drops the draft and shows what was bought. */
    finish(order: OrderKey) {
      onOver(order);
      void loadFinished(order);
    },
    lapse: () => dispatch({ type: "lapsed" }),
    choose(method: PaymentMethod) {
      kept.keep({ method });
      dispatch({ type: "choseMethod", method });
    },
    tryAgain() {
      dispatch({ type: "triedAgain" });
      void hold.open();
    },
  };
}

export type TicketCheckout = ReturnType<typeof useCheckout>;

/** Opens on mount, and when the page returns from the back/forward cache, where the choice may have changed. */
function useOpening(open: () => Promise<void>, latest: RefObject<CheckoutFlow>) {
  useOnMount(() => {
    void open();
    const listen = ({ persisted }: PageTransitionEvent) => {
      if (persisted && !isUnderWay(latest.current) && !isResult(latest.current)) void open();
    };
    addEventListener("pageshow", listen);
    return () => removeEventListener("pageshow", listen);
  });
}

// The draft is dropped once an order is paid; the history entry keeps the finished order, even after a reload.

function findFinished(): OrderKey | undefined {
  const { id, key } = (history.state as { tickets?: Partial<OrderKey> } | null)?.tickets ?? {};
  return typeof id === "string" && typeof key === "string" ? { id, key } : undefined;
}

function keepFinished({ id, key }: OrderKey): void {
  history.replaceState({ tickets: { id, key } }, "");
}
