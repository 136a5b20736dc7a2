import { type Dispatch, useEffect, useReducer, useRef, useState } from "react";
import { atStart, type Flow, type FlowEvent, type Place, reduceFlow, type Step } from "../../steps.ts";

/** What the browser's history keeps of a step, so that its Back is Previous and a reload stays where one was. */
type Entry = Place & { readonly from?: Step | undefined };

function findEntry(): Entry | undefined {
  return (history.state as { volunteer?: Entry } | null)?.volunteer;
}

/** Where one is among the steps; `furthest` says how far what was typed leads. */
export function usePlace(furthest: () => Step) {
  const [flow, tell] = useReducer(reduceFlow, atStart);
  const [isOpen, setOpen] = useState(false);
  const latest = useRef(furthest);
  latest.current = furthest;
  useHistory(flow, tell, isOpen, latest);
  const goTo = (place: Place) => tell({ type: "wentTo", place, furthest: furthest() });
  return {
    flow,
    /** What was kept is back, so that one may be where one was. */
    open() {
      tell({ type: "opened", step: findEntry()?.step ?? 1, furthest: furthest() });
      setOpen(true);
    },
    goOn() {
      if (flow.isChanging && findEntry()?.from === 4) history.back();
      else tell({ type: "wentOn" });
    },
    goBack() {
      const step = Math.max(flow.step - 1, 1) as Step;
      if (findEntry()?.from === step) history.back();
      else goTo({ step, isChanging: false });
    },
    change: (step: Step) => goTo({ step, isChanging: true }),
    goToStart: () => goTo({ step: 1, isChanging: false }),
  };
}

function useHistory(
  { step, isChanging }: Flow,
  tell: Dispatch<FlowEvent>,
  isOpen: boolean,
  furthest: { readonly current: () => Step },
) {
  const shown = useRef<Step | undefined>(undefined);
  const isPopped = useRef(false);
  useEffect(() => {
    if (!isOpen) return;
    const from = shown.current;
    shown.current = step;
    const current = findEntry();
    if (current?.step === step && current.isChanging === isChanging) return;
    const isMove = from !== undefined && from !== step && !isPopped.current;
    const entry: Entry = { step, isChanging, from: isMove ? from : current?.from };
    if (isMove) history.pushState({ volunteer: entry }, "");
    else history.replaceState({ volunteer: entry }, "");
  }, [step, isChanging, isOpen]);
  useEffect(() => {
    const listen = () => {
      isPopped.current = true;
      const place = findEntry() ?? { step: 1, isChanging: false };
      tell({ type: "wentTo", place, furthest: furthest.current() });
      setTimeout(() => {
        isPopped.current = false;
      });
    };
    addEventListener("popstate", listen);
    return () => removeEventListener("popstate", listen);
  }, [tell, furthest]);
}
