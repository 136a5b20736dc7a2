import { type BaseSyntheticEvent, useRef, useState } from "react";
import { type FieldErrors, useForm } from "react-hook-form";
import type { CaptchaSetup } from "#shared/captcha/ui/captcha-box.tsx";
import { type Solve, useCaptcha } from "#shared/captcha/ui/use-captcha.ts";
import { whileLoading } from "#shared/ui/feedback.ts";
import type { FormProblem } from "#shared/ui/form-error-summary.tsx";
import { resolverOf } from "#shared/ui/form-resolver.ts";
import { ContactFields } from "../../contact.ts";
import { dropDraft } from "./contact-draft.ts";
import type { Outcome, sendMessage } from "./send-message.ts";
import { type FieldName, fieldNames, useDraft } from "./use-draft.ts";

/** The server's own rules. */
const resolver = resolverOf<ContactFields>(ContactFields);

/** The form's doings: what is typed is kept for the tab's life and sent once, whatever becomes of the answers. */
export function useMessage(setup: CaptchaSetup, onSent: (email: string) => void) {
  const form = useForm<ContactFields>({ resolver, shouldFocusError: false });
  const { errors } = form.formState;
  const captcha = useCaptcha(setup, "contact");
  const draft = useDraft(form);
  const wrong = useWrong();
  const trap = useRef<HTMLInputElement>(null);
  const [doing, setDoing] = useState<"nothing" | "checking" | "sending">("nothing");
  const isBusy = useRef(false);

  const end = (outcome: Outcome, email: string) => {
    if (outcome.kind === "sent" || captcha.isSeen) captcha.forget();
    if (outcome.kind === "refused") return wrong.show([], outcome.says);
    if (outcome.kind === "sent") {
      dropDraft();
      return onSent(email);
    }
    const found = problemsOf(outcome.fields);
    for (const { fieldId, message } of found) form.setError(fieldId as FieldName, { message });
    wrong.show(found, found.length > 0 ? undefined : "Please reload the page and try again.");
  };
  const solve: Solve = async (isAnew, effort) => {
    setDoing("checking");
    const solved = await captcha.solve(isAnew, effort);
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
  const submit = form.handleSubmit(post, (found) => wrong.show(problemsOf(firstMessages(found))));
  return {
    form,
    captcha,
    trap,
    doing,
    refusal: wrong.refusal,
    shownAt: wrong.shownAt,
    isReady: draft.isReady,
    /** Those that still are, in their present words. */
    problems: wrong.problems.flatMap(({ fieldId }): FormProblem[] => {
      const message = fieldId === "captcha" ? captcha.error : errors[fieldId as FieldName]?.message;
      return message === undefined ? [] : [{ fieldId, message }];
    }),
    /** Fetches what sending needs, and begins the captcha's work, while the person writes. */
    begin() {
      loadSending().catch(() => undefined);
      captcha.begin();
    },
    keep: () => draft.keep(form.getValues()),
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

/** Comes while the form is being filled in: the page is there sooner without it. */
const loadSending = () => import("./send-message.ts");

const send: typeof sendMessage = async (message, solve) => {
  const sending = await loadSending().catch(() => undefined);
  if (sending !== undefined) return sending.sendMessage(message, solve);
  return { kind: "refused", says: "Nothing could be sent. Please check your connection and reload the page." };
};

/** What the last press of the button found wrong, and how often that was said. */
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

function firstMessages(errors: FieldErrors<ContactFields>) {
  return Object.fromEntries(
    fieldNames.flatMap((name) => {
      const message = errors[name]?.message;
      return message === undefined ? [] : [[name, [message]] as const];
    }),
  );
}

function problemsOf(fields: Readonly<Record<string, readonly string[]>>): FormProblem[] {
  return fieldNames.flatMap((name) => (fields[name] ?? []).slice(0, 1).map((message) => ({ fieldId: name, message })));
}
