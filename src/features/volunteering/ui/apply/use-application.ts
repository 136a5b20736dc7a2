import { type FormEvent, useEffect, useRef, useState } from "react";
import type { CaptchaSetup } from "#shared/captcha/ui/captcha-box.tsx";
import { useCaptcha } from "#shared/captcha/ui/use-captcha.ts";
import { fieldsOfStep, furthestStep } from "../../steps.ts";
import { useFields } from "./use-fields.ts";
import { typedIn, useKept } from "./use-kept.ts";
import { usePictures } from "./use-pictures.ts";
import { usePlace } from "./use-place.ts";
import { useProblems } from "./use-problems.ts";
import { loadSending, useSending } from "./use-sending.ts";

/** One application from its first step until it is sent: its fields, its pictures, where one is and what is wrong. */
export function useApplication(setup: CaptchaSetup) {
  const fields = useFields();
  const { form, findFaults } = fields;
  const { flow, ...place } = usePlace(() => furthestStep(typedIn(form)));
  const kept = useKept(form, place.open);
  const pictures = usePictures();
  const captcha = useCaptcha(setup, "volunteer");
  const wrong = useProblems({ fields, pictures, captcha, step: flow.step, change: place.change });
  const trap = useRef<HTMLInputElement>(null);
  const sending = useSending({ fields, pictures, captcha, wrong, kept, trap });
  const oneAtATime = useOneAtATime();

  const goOn = async () => {
    const faults = await findFaults(fieldsOfStep[flow.step]);
    wrong.show(faults);
    if (faults.length === 0) place.goOn();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what sending needs, when its step is come to
  useEffect(() => {
    if (flow.step !== 4) return;
    captcha.begin();
    loadSending().catch(() => undefined);
  }, [flow.step]);
  return {
    ...fields,
    ...place,
    ...flow,
    ...wrong,
    setup,
    captcha,
    pictures,
    trap,
    isReady: kept.isReady,
    isRestored: kept.isRestored,
    isBusy: oneAtATime.isBusy,
    says: sending.says,
    submit(event: FormEvent) {
      event.preventDefault();
      void oneAtATime.run(flow.step === 4 ? sending.submit : goOn);
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

/** However often a button is pressed, what it does is done once. */
function useOneAtATime() {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  return {
    isBusy,
    async run(work: () => Promise<void>) {
      if (isRunning.current) return;
      isRunning.current = true;
      setBusy(true);
      await work().finally(() => {
        isRunning.current = false;
        setBusy(false);
      });
    },
  };
}
