import { type BaseSyntheticEvent, useEffect, useState } from "react";
import type { z } from "zod";
import { whileLoading } from "#shared/ui/feedback.ts";
import { useOneAtATime } from "#shared/ui/form-actions.tsx";
import { useFormProblems } from "#shared/ui/form-error-summary.tsx";
import { type FormErrors, useForm } from "#shared/ui/use-form.ts";

/** What sending led to: a refusal with the sentence to show, or wrong input with messages by our field names. */
export type FormOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "wrong"; readonly fields: Readonly<Record<string, readonly string[] | undefined>> }
  | { readonly kind: "refused"; readonly text: string };

export const NO_ANSWER = "We didn’t get an answer. Please check your connection and try again.";

type Texts = Record<string, string>;

type AccountFormOptions<Fields extends Texts> = {
  readonly schema: z.ZodType;
  /** The ids of the controls in page order: the first error is listed first. */
  readonly order: readonly (keyof Fields & string)[];
  /** Gets the fields as the schema outputs them, and as typed. */
  readonly send: (fields: Fields, typed: Fields) => Promise<FormOutcome>;
  /** Follows a success, such as leaving the page; until it settles, the button sends nothing. */
  readonly onDone?: () => Promise<void>;
  /** Called when the button was pressed and something is wrong. Once it settles, the errors take focus again. */
  readonly onWrong?: (typed: Fields) => Promise<void> | undefined;
  /** For fields that are not read from the rendered page. */
  readonly defaults?: { readonly [Name in keyof Fields]?: Fields[Name] };
  /** Also reports a field that is left empty (LOG-7, PRO-5). */
  readonly flagsEmpty?: boolean;
};

/**
 * The state and handlers of an account form. It never overwrites what was typed or autofilled before the page's script
 * ran, and sends only once however often the button is pressed.
 */
export function useAccountForm<Fields extends Texts>(options: AccountFormOptions<Fields>) {
  const { schema, order, send, onDone, onWrong, defaults, flagsEmpty = false } = options;
  const form = useForm<Fields>(schema, defaults);
  const { show, ...shown } = useFormProblems((name: keyof Fields & string) => form.errors[name]);
  const { isBusy, run } = useOneAtATime();
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);

  const namesOf = (errors: FormErrors<Fields>) => order.filter((name) => errors[name] !== undefined);
  const end = (outcome: FormOutcome) => {
    if (outcome.kind === "done") return;
    if (outcome.kind === "refused") return show([], outcome.text);
    const first = Object.fromEntries(order.map((name) => [name, outcome.fields[name]?.[0]])) as FormErrors<Fields>;
    const found = namesOf(first);
    form.addErrors(first);
    show(found, found.length > 0 ? undefined : "Please check what you entered and try again.");
  };
  /** The second password may become right or wrong as the first changes. */
  const checkConfirmed = () => {
    const confirmed = "confirmPassword" as keyof Fields & string;
    if (form.touched.has(confirmed) && form.values()[confirmed] !== "") form.check(confirmed);
  };
  const submit = form.submit(
    async (fields) => {
      show([]);
      const sending = send(fields, form.values());
      const outcome = await whileLoading(sending).catch(() => ({ kind: "refused", text: NO_ANSWER }) as const);
      end(outcome);
      if (outcome.kind === "done") await onDone?.();
    },
    (wrong) => {
      const found = namesOf(wrong);
      show(found);
      void onWrong?.(form.values())?.then(() => show(found));
    },
  );
  return {
    form,
    field(name: keyof Fields & string) {
      const registered = form.register(name, { onChange: checkConfirmed, flagsEmpty });
      return { id: name, error: form.errors[name], "aria-required": true as const, ...registered };
    },
    ...shown,
    isReady,
    isBusy,
    async submit(event: BaseSyntheticEvent) {
      event.preventDefault();
      await run(() => submit(event));
    },
  };
}
