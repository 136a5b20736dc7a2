// @vitest-environment jsdom
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import {
  findHistoryEntry,
  goTo,
  nextProgress,
  type Progress,
  progressAt,
  useWizard,
  type WizardPlace,
} from "./wizard.ts";

type Step = 1 | 2 | 3 | 4;
type Move = (progress: Progress<Step>) => Progress<Step>;
const next: Move = (progress) => nextProgress(progress, 4);
const to =
  (step: Step, { isChanging = false, furthest = 4 }: { isChanging?: boolean; furthest?: Step } = {}): Move =>
  (progress) =>
    goTo(progress, { step, isChanging }, furthest);
const after = (...moves: Move[]) => moves.reduce((progress, move) => move(progress), progressAt<Step>(1));

test("VOL-8: Next marks a step as done and goes on, but never past the fourth", () => {
  expect(after(next)).toEqual({ step: 2, isChanging: false, completed: [1] });
  expect(after(next, next, next)).toEqual({ step: 4, isChanging: false, completed: [1, 2, 3] });
  expect(after(next, next, next, next).step).toBe(4);
});

test("VOL-8: Previous goes back and clears the later marks", () => {
  expect(after(next, next, next, to(3))).toEqual({ step: 3, isChanging: false, completed: [1, 2] });
  expect(after(next, next, next, to(1))).toEqual({ step: 1, isChanging: false, completed: [] });
});

test("VOL-8: the browser's Forward goes no further than the completed steps", () => {
  expect(after(to(4, { furthest: 2 }))).toEqual({ step: 2, isChanging: false, completed: [1] });
});

test("VOL-9: a Change link keeps the marks, and Next returns to the last step", () => {
  const changing = after(next, next, next, to(1, { isChanging: true }));
  expect(changing).toEqual({ step: 1, isChanging: true, completed: [1, 2, 3] });
  expect(next(changing)).toEqual({ step: 4, isChanging: false, completed: [1, 2, 3] });
});

beforeEach(() => history.replaceState(null, ""));
afterEach(cleanup);

/** A complete form of four steps; step 5 is its result. */
function openWizard() {
  const open = () => {
    const [progress, setProgress] = useState<Progress<Step | 5>>(progressAt<Step | 5>(1));
    const isOver = progress.step === 5;
    const wizard = useWizard<Step | 5, string>({
      place: progress,
      last: 4,
      isReady: true,
      result: isOver ? "paid" : undefined,
      isOver,
      onGoOn: () => setProgress((before) => nextProgress(before, 4)),
      onGoTo: (place: WizardPlace<Step | 5>) =>
        setProgress((before) => (before.step === 5 ? before : goTo(before, place, 4))),
    });
    return { ...wizard, step: progress.step, finish: () => setProgress(progressAt<Step | 5>(5)) };
  };
  const { result } = renderHook(open);
  return {
    press: (name: "goOn" | "goBack" | "finish") => act(() => result.current[name]()),
    change: (step: Step) => act(() => result.current.change(step)),
    onStep: (step: Step | 5) => waitFor(() => expect(result.current.step).toBe(step)),
  };
}

test("Previous, and Next after a Change link, use the history, so the browser's Forward works", async () => {
  const { press, change, onStep } = openWizard();
  const { length } = history;
  for (const step of [2, 3, 4] as const) {
    press("goOn");
    await onStep(step);
  }
  expect(history.length).toBe(length + 3);
  press("goBack");
  await onStep(3);
  expect(findHistoryEntry()).toMatchObject({ step: 3, depth: 2 });
  history.forward();
  await onStep(4);
  change(1);
  await onStep(1);
  expect(findHistoryEntry()).toMatchObject({ step: 1, isChanging: true, from: 4 });
  press("goOn");
  await onStep(4);
  expect(findHistoryEntry()).toMatchObject({ step: 4, isChanging: false, depth: 3 });
});

test("DON-1, VOL-8: a double click on Previous, or on Next after a Change link, goes back once", async () => {
  const back = vi.spyOn(history, "back");
  onTestFinished(() => back.mockRestore());
  const { press, change, onStep } = openWizard();
  for (const step of [2, 3, 4] as const) {
    press("goOn");
    await onStep(step);
  }
  press("goBack");
  press("goBack");
  expect(back).toHaveBeenCalledTimes(1);
  await onStep(3);
  press("goOn");
  await onStep(4);
  change(1);
  await onStep(1);
  press("goOn");
  press("goOn");
  expect(back).toHaveBeenCalledTimes(2);
  await onStep(4);
  press("goBack");
  await onStep(3);
});

test("a definite result replaces all steps, and stays whatever the history does", async () => {
  const { press, onStep } = openWizard();
  press("goOn");
  await onStep(2);
  press("finish");
  await waitFor(() => expect(findHistoryEntry()).toMatchObject({ step: 5, depth: 0, result: "paid" }));
  history.forward();
  await waitFor(() => expect(findHistoryEntry()).toMatchObject({ step: 5, depth: 0, result: "paid" }));
  await onStep(5);
});
