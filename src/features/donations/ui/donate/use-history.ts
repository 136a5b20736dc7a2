import { useEffect, useRef } from "react";
import type { SentPayment } from "../../draft.ts";
import type { Flow, FlowEvent, Place, Step } from "./flow.ts";

/** What the browser's history keeps of a step, and of a result its payment, so that a reload shows it again. */
export type Entry = Place & {
  readonly from?: Step | undefined;
  readonly payment?: SentPayment | undefined;
  /** How many entries of this donation lie before it. */
  readonly depth?: number | undefined;
};

export function findEntry(): Entry | undefined {
  return (history.state as { donation?: Entry } | null)?.donation;
}

function writeEntry(how: "pushState" | "replaceState", entry: Entry): void {
  history[how]({ donation: entry }, "");
}

type Tell = (event: FlowEvent) => void;

/**
 * One history entry for each step, so that the browser's Back is Previous. The result takes the place of step 4 and, once
 * it is paid, of all steps: Back then leaves the form (DON-28).
 */
export function useHistory({ step, isChanging, payment, verdict }: Flow, tell: Tell, isReady: boolean): void {
  const shown = useRef<Step | undefined>(undefined);
  const isPopped = useRef(false);
  const isOver = verdict?.kind === "succeeded" || verdict?.kind === "refunded";
  const latest = useRef({ isOver, payment });
  latest.current = { isOver, payment };

  useEffect(() => {
    if (!isReady) return;
    const from = shown.current;
    const current = findEntry();
    shown.current = step;
    if (current?.step === step && current.isChanging === isChanging && current.payment?.id === payment?.id) return;
    const isMove = from !== undefined && from !== step && from !== 5 && step !== 5 && !isPopped.current;
    const { depth = 0 } = current ?? {};
    if (isMove) writeEntry("pushState", { step, isChanging, from, depth: depth + 1 });
    else {
      const kept = step === 5 ? { payment } : {};
      writeEntry("replaceState", { step, isChanging, from: current?.from, depth, ...kept });
    }
  }, [step, isChanging, payment, isReady]);

  useEffect(() => {
    const { depth = 0 } = findEntry() ?? {};
    if (isReady && isOver && depth > 0) history.go(-depth);
  }, [isReady, isOver]);

  useEffect(() => {
    const listen = () => {
      isPopped.current = true;
      const { isOver, payment } = latest.current;
      if (isOver) {
        writeEntry("replaceState", { step: 5, isChanging: false, depth: findEntry()?.depth, payment });
      }
      tell({ type: "wentTo", place: findEntry() ?? { step: 1, isChanging: false } });
      setTimeout(() => {
        isPopped.current = false;
      });
    };
    addEventListener("popstate", listen);
    return () => removeEventListener("popstate", listen);
  }, [tell]);
}

/** Next, Previous and Change, by way of the history where an entry for the place is there already. */
export function usePlaceInHistory(flow: Flow, tell: Tell) {
  const goBack = () => {
    const step = (flow.step - 1) as Step;
    if (findEntry()?.from === step) history.back();
    else tell({ type: "wentTo", place: { step, isChanging: false } });
  };
  const goOn = () => {
    if (flow.isChanging && findEntry()?.from === 4) history.back();
    else tell({ type: "wentOn" });
  };
  const change = (step: Step) => tell({ type: "wentTo", place: { step, isChanging: true } });
  return { goOn, goBack, change };
}
