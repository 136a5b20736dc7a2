import { useState } from "react";
import type { useCaptcha } from "#shared/captcha/ui/use-captcha.ts";
import type { FormProblem } from "#shared/ui/form-error-summary.tsx";
import { labels } from "../../application.ts";
import type { FieldName } from "../../draft.ts";
import { fieldsOfStep, type Step, stepOfField } from "../../steps.ts";
import type { Fields } from "./use-fields.ts";
import { type PictureName, type Pictures, pictureNames } from "./use-pictures.ts";

type Parts = {
  readonly fields: Fields;
  readonly pictures: Pictures;
  readonly captcha: ReturnType<typeof useCaptcha>;
  readonly step: Step;
  /** Leads to a step that is behind, and back from there. */
  readonly change: (step: Step) => void;
};

/** What the last press of a button found wrong; focus goes to it whenever `shownAt` changes. */
export function useProblems({ fields, pictures, captcha, step, change }: Parts) {
  const [{ ids, refusal, shownAt }, setWrong] = useState<Wrong>({ ids: [], refusal: undefined, shownAt: 0 });
  const note = (found: readonly string[], says?: string) =>
    setWrong((before) => ({ ids: found, refusal: says, shownAt: before.shownAt }));
  const focus = () => setWrong((before) => ({ ...before, shownAt: before.shownAt + 1 }));
  const show = (found: readonly string[]) => {
    note(found);
    focus();
  };
  /** Goes to the first step that has one of these faults; what is wrong there, in its order. */
  const goToFaults = (faults: readonly string[]): readonly string[] => {
    const first = steps.find((each) => faults.some((name) => stepOfField(name) === each)) ?? step;
    if (first !== step) change(first);
    return namesOf(first).filter((name) => faults.includes(name));
  };
  const sayNow = (id: string) => {
    if (id === "captcha") return captcha.error;
    if (!isPicture(id)) return fields.sayNow(id as FieldName);
    // Two may say the same, and out of their places nobody could tell which is which.
    return pictures[id].fault && `${labels[id]}: ${pictures[id].fault}`;
  };
  return {
    /** Those that still are, in their present words. */
    problems: ids.flatMap((fieldId): FormProblem[] => {
      const message = stepOfField(fieldId) === step ? sayNow(fieldId) : undefined;
      return message === undefined ? [] : [{ fieldId, message }];
    }),
    refusal: step === 4 ? refusal : undefined,
    shownAt,
    show,
    note,
    focus,
    goToFaults,
  };
}
export type Problems = ReturnType<typeof useProblems>;
type Wrong = { readonly ids: readonly string[]; readonly refusal: string | undefined; readonly shownAt: number };

const steps = [1, 2, 3, 4] as const;
const namesOf = (step: Step): readonly string[] => (step === 4 ? pictureNames : fieldsOfStep[step]);
export const isPicture = (name: string): name is PictureName => (pictureNames as readonly string[]).includes(name);
