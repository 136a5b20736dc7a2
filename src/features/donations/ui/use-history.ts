import { useEffect, useRef } from "react";
import type { SentPayment } from "../draft.ts";
import type { Flow, FlowEvent, Place, Step } from "./flow.ts";

/** What the browser's history keeps of a step, and of a result its payment, so that a reload shows it again. */
export type Entry = Place & { readonly from?: Step | undefined; readonly payment?: SentPayment | undefined };

export function findEntry(): Entry | undefined {
  return (history.state as { donation?: Entry } | null)?.donation;
}

type Tell = (event: FlowEvent) => void;

/** One history entry for each step, so that the browser's Back is Previous. The result takes the place of step 4. */
export function useHistory({ step, isChanging, payment }: Flow, tell: Tell, isReady: boolean): void {
  const shown = useRef<Step | undefined>(undefined);
  const isPopped = useRef(false);

  useEffect(() => {
    if (!isReady) return;
    const from = shown.current;
    const current = findEntry();
    shown.current = step;
    if (current?.step === step && current.isChanging === isChanging && current.payment?.id === payment?.id) return;
    const isMove = from !== undefined && from !== step && from !== 5 && step !== 5 && !isPopped.current;
    const kept = step === 5 ? { payment } : {};
    if (isMove) history.pushState({ donation: { step, isChanging, from } satisfies Entry }, "");
    else history.replaceState({ donation: { step, isChanging, from: current?.from, ...kept } satisfies Entry }, "");
  }, [step, isChanging, payment, isReady]);

  useEffect(() => {
    const listen = () => {
      isPopped.current = true;
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
