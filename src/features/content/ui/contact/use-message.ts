import { type BaseSyntheticEvent, useRef, useState } from "react";
import type { CaptchaSetup } from "#shared/captcha/ui/captcha-box.tsx";
import { type Solve, useCaptcha } from "#shared/captcha/ui/use-captcha.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import { useOneAtATime } from "#shared/ui/form-actions.tsx";
import { useFormProblems } from "#shared/ui/form-error-summary.tsx";
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
  const { show, ...shown } = useFormProblems((field: MessageField | "captcha") =>
    field === "captcha" ? captcha.error : form.errors[field],
  );
  const { run } = useOneAtATime();
  const trap = useRef<HTMLInputElement>(null);
  const [doing, setDoing] = useState<"nothing" | "checking" | "sending">("nothing");

  const end = (outcome: MessageOutcome, email: string) => {
    if (outcome.kind === "sent" || captcha.isSeen) captcha.forget();
    if (outcome.kind === "refused") return show([], outcome.text);
    if (outcome.kind === "sent") {
      dropDraft();
      return onSent(email);
    }
    const first = Object.fromEntries(Object.entries(outcome.fields).map(([name, [message]]) => [name, message]));
    const found = namesOf(first);
    form.addErrors(first);
    show(found, found.length > 0 ? undefined : "Please reload the page and try again.");
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
      return show(["captcha"]);
    }
    show([]);
    const message = { ...fields, key: draft.keyFor(fields), website: trap.current?.value ?? "" };
    end(await whileLoading(send(message, solve)), fields.email);
  };
  const submit = form.submit(post, (wrong) => show(namesOf(wrong)));
  return {
    form,
    captcha,
    trap,
    doing,
    ...shown,
    isReady: draft.isReady,
    /** Loads the sending code and starts on the captcha while the person types. */
    begin() {
      loadSending().catch(() => undefined);
      captcha.begin();
    },
    keep: () => draft.keep(form.values()),
    async submit(event: BaseSyntheticEvent) {
      event.preventDefault();
      await run(() => submit(event).finally(() => setDoing("nothing")));
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

const UNSOLVED = "Please complete the verification.";

const namesOf = (errors: FormErrors<ContactFields>) => messageFields.filter((name) => errors[name] !== undefined);
