import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { type Draft, fieldNames, type Typed, untouched } from "../../draft.ts";
import { dropDraft, findDraft, keepDraft } from "./draft-storage.ts";

type Form = Pick<UseFormReturn<Typed>, "getValues" | "setValue" | "subscribe" | "reset">;

/**
 * What this device has kept of the form, and keeps while it is typed; never over what was typed before the page's script
 * ran. Words that were sent keep their key until they change, so that sending them again is the same application. Pictures
 * have no part in that: after a reload they are chosen anew, and a signature is never drawn twice alike.
 */
export function useKept(form: Form, open: () => void) {
  const [state, setState] = useState<"opening" | "fresh" | "restored">("opening");
  const sent = useRef<Draft["sent"]>(undefined);
  const isOver = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page takes over from the server's markup
  useEffect(() => {
    const kept = findDraft();
    const before: Partial<Typed> = form.getValues();
    for (const name of fieldNames) {
      const typed = before[name];
      const isUntouched = typed === undefined || typed === null || typed === "" || typed === untouched[name];
      if (isUntouched) form.setValue(name, kept?.typed[name] ?? untouched[name]);
    }
    sent.current = kept?.sent;
    setState(kept === undefined ? "fresh" : "restored");
    open();
  }, []);

  useEffect(() => {
    if (state === "opening") return;
    return form.subscribe({
      formState: { values: true },
      callback: () => {
        if (!isOver.current) keepDraft({ typed: typedIn(form), sent: sent.current });
      },
    });
  }, [state, form]);

  return {
    isReady: state !== "opening",
    isRestored: state === "restored",
    keyFor(typed: Typed): string {
      const words = JSON.stringify(typed);
      if (sent.current?.words !== words) sent.current = { key: crypto.randomUUID(), words };
      keepDraft({ typed, sent: sent.current });
      return sent.current.key;
    },
    /** Nothing is kept from now on. */
    end() {
      isOver.current = true;
      dropDraft();
    },
    clear() {
      sent.current = undefined;
      form.reset(untouched);
      dropDraft();
      setState("fresh");
    },
  };
}

export type Kept = ReturnType<typeof useKept>;

/** The form as it stands; a choice that nobody has made is an empty text. */
export function typedIn({ getValues }: Pick<Form, "getValues">): Typed {
  const values: Partial<Typed> = getValues();
  return Object.fromEntries(
    fieldNames.map((name) => [name, values[name] || (name === "interests" ? [] : "")]),
  ) as unknown as Typed;
}
