import { type BaseSyntheticEvent, useEffect, useRef, useState } from "react";
import { type DefaultValues, type Path, useForm } from "react-hook-form";
import type { z } from "zod";
import { whileLoading } from "#shared/ui/feedback.ts";
import type { FormProblem } from "#shared/ui/form-error-summary.tsx";
import { resolverOf, whenLeft } from "#shared/ui/form-resolver.ts";

/** What became of a form: for a refusal what to say beside the button, for bad input the sentences by our field names. */
export type Outcome =
  | { readonly kind: "done" }
  | { readonly kind: "wrong"; readonly fields: Readonly<Record<string, readonly string[] | undefined>> }
  | { readonly kind: "refused"; readonly says: string };

export const NO_ANSWER = "No answer came. Please check your connection and try again.";

type Texts = Record<string, string>;

type AccountFormOptions<Fields extends Texts> = {
  readonly schema: z.ZodType;
  /** As they stand on the page: the first that is wrong is named first. The ids of the controls. */
  readonly order: readonly (keyof Fields & string)[];
  /** Gets the fields as the schema gives them, and as they were typed. */
  readonly send: (fields: Fields, typed: Fields) => Promise<Outcome>;
  /** The button was pressed, and something is wrong. Once what it answers is over, the problems take focus again. */
  readonly onWrong?: (typed: Fields) => Promise<void> | undefined;
  /** Of fields that are not to be read from the page as it came. */
  readonly defaults?: { readonly [Name in keyof Fields]?: Fields[Name] };
  /** A field that is left empty says so, too (LOG-7, PRO-5). */
  readonly saysEmpty?: boolean;
};

/**
 * The doings of a form of the account pages. Nothing is filled in over what was typed, or put there by the browser,
 * before the page's script ran. It is sent once, however often the button is pressed.
 */
export function useAccountForm<Fields extends Texts>(options: AccountFormOptions<Fields>) {
  const { schema, order, send, onWrong, defaults, saysEmpty } = options;
  const form = useForm<Fields>({
    resolver: resolverOf<Fields>(schema),
    shouldFocusError: false,
    ...(defaults === undefined ? {} : { defaultValues: defaults as DefaultValues<Fields> }),
  });
  const { errors } = form.formState;
  const sayNow = (name: string) => errors[name as keyof typeof errors]?.message as string | undefined;
  const [{ problems, refusal, shownAt }, setWrong] = useState<Wrong>({ problems: [], refusal: undefined, shownAt: 0 });
  const [isReady, setReady] = useState(false);
  const [isSending, setSending] = useState(false);
  const isBusy = useRef(false);
  useEffect(() => setReady(true), []);

  const show = (found: readonly FormProblem[], says?: string) =>
    setWrong((before) => ({ problems: found, refusal: says, shownAt: before.shownAt + 1 }));
  const end = (outcome: Outcome) => {
    if (outcome.kind === "done") return;
    if (outcome.kind === "refused") return show([], outcome.says);
    const found = problemsOf(order, (name) => outcome.fields[name]?.[0]);
    for (const { fieldId, message } of found) form.setError(fieldId as Path<Fields>, { type: "server", message });
    show(found, found.length > 0 ? undefined : "Please check what you entered and try again.");
  };
  /** The second password may have become right, or wrong, by what is typed above it. */
  const checkConfirmed = () => {
    const confirmed = "confirmPassword" as Path<Fields>;
    if (form.getFieldState(confirmed).isTouched && form.getValues(confirmed) !== "") void form.trigger(confirmed);
  };
  const submit = form.handleSubmit(
    async (fields) => {
      show([]);
      const sending = send(fields as unknown as Fields, form.getValues());
      end(await whileLoading(sending).catch(() => ({ kind: "refused", says: NO_ANSWER }) as const));
    },
    (wrong) => {
      const found = problemsOf(order, (name) => wrong[name]?.message as string | undefined);
      show(found);
      void onWrong?.(form.getValues())?.then(() => show(found));
    },
  );
  return {
    form,
    /** Attributes of the control of this name. */
    field(name: keyof Fields & string) {
      const left = whenLeft(form, name as Path<Fields>, saysEmpty);
      const onChange = () => {
        left.onChange();
        checkConfirmed();
      };
      const registered = form.register(name as Path<Fields>, { ...left, onChange });
      return { id: name, error: sayNow(name), "aria-required": true as const, ...registered };
    },
    /** Those that the last press of the button found and that still are, in their present words. */
    problems: problems.flatMap(({ fieldId }) => {
      const message = sayNow(fieldId);
      return message === undefined ? [] : [{ fieldId, message }];
    }),
    refusal,
    shownAt,
    isReady,
    isBusy: isSending,
    async submit(event: BaseSyntheticEvent) {
      event.preventDefault();
      if (isBusy.current) return;
      isBusy.current = true;
      setSending(true);
      await submit(event).finally(() => {
        isBusy.current = false;
        setSending(false);
      });
    },
  };
}
type Wrong = { problems: readonly FormProblem[]; refusal: string | undefined; shownAt: number };

function problemsOf(order: readonly string[], find: (name: string) => string | undefined): FormProblem[] {
  return order.flatMap((fieldId) => {
    const message = find(fieldId);
    return message === undefined ? [] : [{ fieldId, message }];
  });
}
