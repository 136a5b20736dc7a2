import { type RefObject, useEffect, useReducer, useRef } from "react";
import type { PaymentMethod } from "#payments/checkout/contract.ts";
import { ticketPath } from "#shared/paths.ts";
import { atStart, type CheckoutFlow, isResult, isUnderWay, reduceCheckout } from "./checkout-flow.ts";
import { findFinished, keepFinished } from "./finished-order.ts";
import { findOrder, type OrderKey, type SentTickets } from "./ticket-calls.ts";
import { useHold } from "./use-hold.ts";
import { useKeptDraft } from "./use-kept-draft.ts";

const LOOKS = 4;
const PAUSE_MS = 2500;

/** Buying the tickets that this tab has chosen: seats held from the first moment, one payment, and what became of it. */
export function useCheckout(slug: string, leave: (path: string) => void) {
  const [flow, tell] = useReducer(reduceCheckout, atStart);
  const latest = useRef(flow);
  latest.current = flow;
  const kept = useKeptDraft(slug);

  /** Shows the order once its tickets are there; a letter brings them in any case. */
  const loadFinished = async (order: OrderKey) => {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      if (looks > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const answer = await findOrder(order);
      if (!answer.ok || answer.data.state === "held") continue;
      if (answer.data.state === "cancelled") leave(answer.data.pageUrl);
      tell({ type: "found", order: answer.data });
      return true;
    }
    return false;
  };
  const onOver = (order: OrderKey) => {
    kept.drop();
    keepFinished(order);
  };
  const hold = useHold({ slug, kept, tell, leave, onOver });
  /** The payment that went out, in memory alone; gone once its outcome is known. */
  const sent = useRef<SentTickets>(undefined);

  const open = async () => {
    const finished = findFinished();
    if (finished !== undefined && (await loadFinished(finished))) return;
    const draft = kept.read();
    if (draft === undefined || draft.lines.length === 0) return leave(ticketPath("selectTickets", slug));
    tell({ type: "opened", lines: draft.lines, method: draft.method });
    await hold.open();
  };
  useOpening(open, latest);
  return {
    flow,
    kept,
    latest,
    tell,
    hold,
    sent,
    /** Nothing is left to do but to show what was bought. */
    finish(order: OrderKey) {
      onOver(order);
      void loadFinished(order);
    },
    lapse: () => tell({ type: "lapsed" }),
    choose(method: PaymentMethod) {
      kept.keep({ method });
      tell({ type: "choseMethod", method });
    },
    tryAgain() {
      tell({ type: "triedAgain" });
      void hold.open();
    },
  };
}

export type Checkout = ReturnType<typeof useCheckout>;

/** As the page takes over from the server's markup, and when it comes back from the browser's memory: tickets may be other ones then. */
function useOpening(open: () => Promise<void>, latest: RefObject<CheckoutFlow>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    void open();
    const listen = ({ persisted }: PageTransitionEvent) => {
      if (persisted && !isUnderWay(latest.current) && !isResult(latest.current)) void open();
    };
    addEventListener("pageshow", listen);
    return () => removeEventListener("pageshow", listen);
  }, []);
}
