import { useState } from "react";
import type { useCaptcha } from "#shared/captcha/ui/use-captcha.ts";
import { listFormProblems } from "#shared/ui/form-error-summary.tsx";
import { labels } from "../../application.ts";
import type { ApplicationField } from "../../draft.ts";
import { type ApplicationStep, fieldsOfStep, stepOfField } from "../../steps.ts";
import type { ApplicationFields } from "./use-fields.ts";
import { type PictureName, type Pictures, pictureNames } from "./use-pictures.ts";

type Parts = {
  readonly fields: ApplicationFields;
  readonly pictures: Pictures;
  readonly captcha: ReturnType<typeof useCaptcha>;
  readonly step: ApplicationStep;
  /** Goes to an earlier step, and back afterwards. */
  readonly change: (step: ApplicationStep) => void;
};

/** Errors found by the last submission; focus moves to them whenever `shownAt` changes. */
export function useProblems({ fields, pictures, captcha, step, change }: Parts) {
  const [{ ids, refusal, shownAt }, setWrong] = useState<Wrong>({ ids: [], refusal: undefined, shownAt: 0 });
  const note = (found: readonly string[], text?: string) =>
    setWrong((before) => ({ ids: found, refusal: text, shownAt: before.shownAt }));
  const focus = () => setWrong((before) => ({ ...before, shownAt: before.shownAt + 1 }));
  const show = (found: readonly string[]) => {
    note(found);
    focus();
  };
  /** Goes to the first step with one of these errors. Returns the errors there in page order. */
  const goToFaults = (faults: readonly string[]): readonly string[] => {
    const first = steps.find((each) => faults.some((name) => stepOfField(name) === each)) ?? step;
    if (first !== step) change(first);
    return namesOf(first).filter((name) => faults.includes(name));
  };
  const messageOf = (id: string) => {
    if (id === "captcha") return captcha.error;
    if (!isPictureField(id)) return fields.messageOf(id as ApplicationField);
    // Both pictures may have the same error, so the summary names the field.
    return pictures[id].fault && `${labels[id]}: ${pictures[id].fault}`;
  };
  return {
    /** Those not fixed yet, with their current messages. */
    problems: listFormProblems(
      ids.filter((id) => stepOfField(id) === step),
      messageOf,
    ),
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
const namesOf = (step: ApplicationStep): readonly string[] => (step === 4 ? pictureNames : fieldsOfStep[step]);
export const isPictureField = (name: string): name is PictureName => (pictureNames as readonly string[]).includes(name);
