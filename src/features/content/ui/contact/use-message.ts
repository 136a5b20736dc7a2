import { type BaseSyntheticEvent, useRef, useState } from "react";
import type { CaptchaSetup } from "#shared/captcha/ui/captcha-box.tsx";
import { type Solve, useCaptcha } from "#shared/captcha/ui/use-captcha.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import type { FormProblem } from "#shared/ui/form-error-summary.tsx";
import { type FormErrors, useForm } from "#shared/ui/use-form.ts";
import { ContactFields } from "../../contact.ts";
import { dropDraft } from "./contact-draft.ts";
import type { MessageOutcome, sendMessage } from "./send-message.ts";
import { type MessageField, messageFields, useDraft } from "./use-draft.ts";

/** The contact form's state. Keeps what is typed while the tab is open, and sends it once even if answers get lost. */
export function useMessage(setup: CaptchaSetup, onSent: (email: string) => void) {
  const form = useForm<ContactFields>(ContactFields);
  const captcha = useCaptcha(setup, "contact");
  const draft = useDraft(form);
  const wrong = useWrong();
  const trap = useRef<HTMLInputElement>(null);
  const [doing, setDoing] = useState<"nothing" | "checking" | "sending">("nothing");
  const isBusy = useRef(false);

  const end = (outcome: MessageOutcome, email: string) => {
    if (outcome.kind === "sent" || captcha.isSeen) captcha.forget();
    if (outcome.kind === "refused") return wrong.show([], outcome.text);
    if (outcome.kind === "sent") {
      dropDraft();
      return onSent(email);
    }
    const first = Object.fromEntries(Object.entries(outcome.fields).map(([name, [message]]) => [name, message]));
    const found = problemsOf(first);
    form.addErrors(first);
    wrong.show(found, found.length > 0 ? undefined : "Please reload the page and try again.");
  };
  const solve: Solve = async (isRetry, effort) => {
    setDoing("checking");
    const solved = await captcha.solve(isRetry, effort);
    setDoing("sending");
    return solved;
  };
  const post = async (fields: ContactFields) => {
    if (captcha.isMissing) {
      captcha.setError(UNSOLVED);
      return wrong.show([{ fieldId: "captcha", message: UNSOLVED }]);
    }
    wrong.show([]);
    const message = { ...fields, key: draft.keyFor(fields), website: trap.current?.value ?? "" };
    end(await whileLoading(send(message, solve)), fields.email);
  };
  const submit = form.submit(post, (found) => wrong.show(problemsOf(found)));
  return {
    form,
    captcha,
    trap,
    doing,
    refusal: wrong.refusal,
    shownAt: wrong.shownAt,
    isReady: draft.isReady,
    /** The errors that remain, in their current words. */
    problems: wrong.problems.flatMap(({ fieldId }): FormProblem[] => {
      const message = fieldId === "captcha" ? captcha.error : form.errors[fieldId as MessageField];
      return message === undefined ? [] : [{ fieldId, message }];
    }),
    /** Loads the sending code and starts on the captcha while the person types. */
    begin() {
      loadSending().catch(() => undefined);
      captcha.begin();
    },
    keep: () => draft.keep(form.values()),
    async submit(event: BaseSyntheticEvent) {
      event.preventDefault();
      if (isBusy.current) return;
      isBusy.current = true;
      await submit(event).finally(() => {
        isBusy.current = false;
        setDoing("nothing");
      });
    },
  };
}

/** Loaded while the form is being filled in, so that the page appears sooner. */
const loadSending = () => import("./send-message.ts");

const send: typeof sendMessage = async (message, solve) => {
  const sending = await loadSending().catch(() => undefined);
  if (sending !== undefined) return sending.sendMessage(message, solve);
  return { kind: "refused", text: "Nothing was sent. Please check your connection and reload the page." };
};

/** The errors found by the last press, and how often they were shown. */
function useWrong() {
  const [wrong, setWrong] = useState<Wrong>({ problems: [], refusal: undefined, shownAt: 0 });
  return {
    ...wrong,
    show: (problems: readonly FormProblem[], refusal?: string) =>
      setWrong(({ shownAt }) => ({ problems, refusal, shownAt: shownAt + 1 })),
  };
}
type Wrong = { problems: readonly FormProblem[]; refusal: string | undefined; shownAt: number };

const UNSOLVED = "Please complete the verification.";

function problemsOf(errors: FormErrors<ContactFields>): FormProblem[] {
  return messageFields.flatMap((fieldId) => {
    const message = errors[fieldId];
    return message === undefined ? [] : [{ fieldId, message }];
  });
}
