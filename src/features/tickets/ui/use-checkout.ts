import { useEffect, useReducer, useRef } from "react";
import type { PaymentMethod } from "#shared/checkout/contract.ts";
import { ticketPath } from "#shared/paths.ts";
import { atStart, isResult, isUnderWay, reduceCheckout } from "./checkout-flow.ts";
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
  const finish = (order: OrderKey) => {
    kept.drop();
    keepFinished(order);
    void loadFinished(order);
  };
  const hold = useHold({
    slug,
    kept,
    tell,
    leave,
    onOver(order) {
      kept.drop();
      keepFinished(order);
    },
  });
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page takes over from the server's markup
  useEffect(() => {
    void open();
    // A page that comes back from the browser's memory may find that other tickets were chosen meanwhile.
    const listen = ({ persisted }: PageTransitionEvent) => {
      if (persisted && !isUnderWay(latest.current) && !isResult(latest.current)) void open();
    };
    addEventListener("pageshow", listen);
    return () => removeEventListener("pageshow", listen);
  }, []);
  return {
    flow,
    kept,
    latest,
    tell,
    hold,
    sent,
    finish,
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
