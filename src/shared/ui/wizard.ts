import { useEffect, useEffectEvent, useRef } from "react";

// A form in several steps, the last of which reviews the others before it is sent.

/** `isChanging` while a Change link of the last step is followed, which leads back there. */
export type WizardPlace<Step extends number> = { readonly step: Step; readonly isChanging: boolean };

/** The place, and the steps marked as done. */
export type Progress<Step extends number> = WizardPlace<Step> & { readonly completed: readonly number[] };

/** The progress of someone who has reached `step` in order; steps count from 1. */
export function progressAt<Step extends number>(step: Step): Progress<Step> {
  return { step, isChanging: false, completed: Array.from({ length: step - 1 }, (_, index) => index + 1) };
}

/** Next, on a step without errors. */
export function nextProgress<Step extends number>(
  { step, isChanging, completed }: Progress<Step>,
  last: Step,
): Progress<Step> {
  return {
    step: isChanging ? last : (Math.min(step + 1, last) as Step),
    isChanging: false,
    completed: [...new Set([...completed, step])],
  };
}

/**
 * Previous, a Change link, or the browser's Back and Forward. Back clears the marks from there on; a Change link keeps
 * them; Forward goes only as far as the answers allow.
 */
export function goTo<Step extends number>(
  { step, completed }: Progress<Step>,
  to: WizardPlace<Step>,
  furthest: Step,
): Progress<Step> {
  if (to.isChanging) return { ...to, completed };
  if (to.step < step) return { ...to, completed: completed.filter((done) => done < to.step) };
  return progressAt(Math.min(to.step, furthest) as Step);
}

/** A step in the browser's history, so that Back means Previous and a reload stays on the step. */
type Entry<Step extends number, Result> = WizardPlace<Step> & {
  readonly from?: Step | undefined;
  /** How many history entries of this form come before it. */
  readonly depth: number;
  /** What is needed to show a result again. */
  readonly result?: Result | undefined;
};

/** The form's current history entry; undefined on an entry of another page. */
export function findHistoryEntry<Step extends number, Result>(): Entry<Step, Result> | undefined {
  return (history.state as { wizard?: Entry<Step, Result> } | null)?.wizard;
}

function writeEntry(how: "pushState" | "replaceState", wizard: Entry<number, unknown>): void {
  history[how]({ wizard }, "");
}

type Wizard<Step extends number, Result> = {
  readonly place: WizardPlace<Step>;
  /** The last step; after it comes a result. */
  readonly last: Step;
  /** The draft is restored, so the step can be shown. */
  readonly isReady: boolean;
  readonly result?: Result | undefined;
  /** The result is final, so nothing leads back to the steps. */
  readonly isOver?: boolean;
  readonly onGoOn: () => void;
  readonly onGoTo: (place: WizardPlace<Step>) => void;
};

/**
 * One history entry per step. A result replaces the last step and, once it is final, all steps: Back then leaves the
 * form. Returns Next, Previous and Change, which use the history if it already has the place.
 */
export function useWizard<Step extends number, Result = never>(wizard: Wizard<Step, Result>) {
  const { place, last, isReady, result, isOver = false, onGoOn, onGoTo } = wizard;
  const { step, isChanging } = place;
  const shown = useRef<Step>(undefined);
  const isPopped = useRef(false);
  const isGoingBack = useRef(false);
  useEffect(() => {
    if (!isReady) return;
    const from = shown.current;
    shown.current = step;
    const current = findHistoryEntry();
    if (current?.step === step && current.isChanging === isChanging && step <= last) return;
    const depth = current?.depth ?? 0;
    const isMove = from !== undefined && from !== step && from <= last && step <= last && !isPopped.current;
    const kept = step > last ? { result } : {};
    if (isMove) writeEntry("pushState", { step, isChanging, from, depth: depth + 1 });
    else writeEntry("replaceState", { step, isChanging, from: current?.from, depth, ...kept });
  }, [step, isChanging, last, result, isReady]);
  useEffect(() => {
    const depth = findHistoryEntry()?.depth ?? 0;
    if (isReady && isOver && depth > 0) history.go(-depth);
  }, [isReady, isOver]);
  const onPop = useEffectEvent(() => {
    isPopped.current = true;
    isGoingBack.current = false;
    if (isOver) writeEntry("replaceState", { step, isChanging, depth: findHistoryEntry()?.depth ?? 0, result });
    onGoTo(findHistoryEntry<Step, Result>() ?? { step: 1 as Step, isChanging: false });
    setTimeout(() => {
      isPopped.current = false;
    });
  });
  useEffect(() => {
    const listen = () => onPop();
    addEventListener("popstate", listen);
    return () => removeEventListener("popstate", listen);
  }, []);
  /** Once until it has happened: a double click would go back two steps, or leave the form. */
  const goBackInHistory = () => {
    if (isGoingBack.current) return;
    isGoingBack.current = true;
    history.back();
  };
  return {
    goOn() {
      if (isChanging && findHistoryEntry()?.from === last) goBackInHistory();
      else onGoOn();
    },
    goBack() {
      const before = (step - 1) as Step;
      if (findHistoryEntry()?.from === before) goBackInHistory();
      else onGoTo({ step: before, isChanging: false });
    },
    change: (to: Step) => onGoTo({ step: to, isChanging: true }),
  };
}
