import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { CaptchaSetup } from "#shared/captcha/ui/captcha-box.tsx";
import { useCaptcha } from "#shared/captcha/ui/use-captcha.ts";
import { showAlert } from "#shared/ui/feedback.ts";
import { useOneAtATime } from "#shared/ui/form-actions.tsx";
import { findHistoryEntry, goTo, nextProgress, progressAt, useWizard, type WizardPlace } from "#shared/ui/wizard.ts";
import { NOT_SENT } from "../../application.ts";
import { type ApplicationStep, fieldsOfStep, furthestApplicationStep } from "../../steps.ts";
import type { Parts } from "./submit-application.ts";
import { useFields } from "./use-fields.ts";
import { typedIn, useKeptDraft } from "./use-kept-draft.ts";
import { usePictures } from "./use-pictures.ts";
import { useProblems } from "./use-problems.ts";

/** The state of an application until it is sent: fields, pictures, step and errors. */
export function useApplication(setup: CaptchaSetup) {
  const fields = useFields();
  const { form, findFaults } = fields;
  const { progress, ...place } = usePlace(() => furthestApplicationStep(typedIn(form)));
  const kept = useKeptDraft(form, place.open);
  const pictures = usePictures();
  const captcha = useCaptcha(setup, "volunteer");
  const wrong = useProblems({ fields, pictures, captcha, step: progress.step, change: place.change });
  const trap = useRef<HTMLInputElement>(null);
  const sending = useSending({ fields, pictures, captcha, wrong, kept, trap });
  const oneAtATime = useOneAtATime();

  const goOn = async () => {
    const faults = findFaults(fieldsOfStep[progress.step]);
    wrong.show(faults);
    if (faults.length === 0) place.goOn();
  };
  const prepareSending = useEffectEvent(() => {
    captcha.begin();
    loadSending().catch(() => undefined);
  });
  useEffect(() => {
    if (progress.step === 4) prepareSending();
  }, [progress.step]);
  return {
    ...fields,
    ...place,
    ...progress,
    ...wrong,
    setup,
    captcha,
    pictures,
    trap,
    isReady: kept.isReady,
    isRestored: kept.isRestored,
    isBusy: oneAtATime.isBusy,
    text: sending.text,
    submit(event: FormEvent) {
      event.preventDefault();
      void oneAtATime.run(progress.step === 4 ? sending.submit : goOn);
    },
    clear() {
      kept.clear();
      pictures.clear();
      wrong.show([]);
      place.goToStart();
    },
  };
}
export type ApplicationForm = ReturnType<typeof useApplication>;

/** The current step; `furthest` returns how far the form is complete. */
function usePlace(furthest: () => ApplicationStep) {
  const [progress, setProgress] = useState(progressAt<ApplicationStep>(1));
  const [isReady, setReady] = useState(false);
  const onGoTo = (place: WizardPlace<ApplicationStep>) => {
    const limit = furthest();
    setProgress((before) => goTo(before, place, limit));
  };
  const onGoOn = () => setProgress((before) => nextProgress(before, 4));
  return {
    progress,
    ...useWizard({ place: progress, last: 4, isReady, onGoOn, onGoTo }),
    /** Opens at the step where the person left, once the draft is restored. */
    open() {
      setProgress(progressAt(Math.min(findHistoryEntry()?.step ?? 1, furthest()) as ApplicationStep));
      setReady(true);
    },
    goToStart: () => onGoTo({ step: 1, isChanging: false }),
  };
}

/** Loaded when the last step opens, so that the form appears sooner. */
const loadSending = () => import("./submit-application.ts");

/** `text` is the progress in words. */
function useSending(parts: Parts) {
  const [text, say] = useState("");
  return {
    text,
    async submit(): Promise<void> {
      const loaded = await loadSending().catch(() => undefined);
      if (loaded !== undefined) return loaded.submitApplication({ ...parts, say });
      parts.wrong.note([], UNLOADED);
      await showAlert(NOT_SENT);
      parts.wrong.focus();
    },
  };
}

const UNLOADED = "We couldn’t send your application. Please check your connection and press Try again.";
