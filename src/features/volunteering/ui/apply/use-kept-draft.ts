import { useEffect, useRef, useState } from "react";
import type { Form } from "#shared/ui/use-form.ts";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import { type ApplicationDraft, draftFields, type Typed, untouched } from "../../draft.ts";
import { dropDraft, findDraft, keepDraft } from "./draft-storage.ts";

/**
 * Restores the draft, but never over what was typed before the page's script ran, and saves it while typing. Words that
 * were sent keep their key until they change, so that sending them again gives the same application. Pictures play no
 * part in that: after a reload they are chosen again, and no signature is drawn the same way twice.
 */
export function useKeptDraft(form: Form<Typed>, open: () => void) {
  const [state, setState] = useState<"opening" | "fresh" | "restored">("opening");
  const sent = useRef<ApplicationDraft["sent"]>(undefined);
  const isOver = useRef(false);

  useOnMount(() => {
    const kept = findDraft();
    const before: Partial<Typed> = form.values();
    for (const name of draftFields) {
      const typed = before[name];
      const isUntouched = typed === undefined || typed === null || typed === "" || typed === untouched[name];
      if (isUntouched) form.setValue(name, kept?.typed[name] ?? untouched[name]);
    }
    sent.current = kept?.sent;
    setState(kept === undefined ? "fresh" : "restored");
    open();
  });

  useEffect(() => {
    if (state === "opening") return;
    return form.subscribe(() => {
      if (!isOver.current) keepDraft({ typed: typedIn(form), sent: sent.current });
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
    /** Deletes the draft and stops saving. */
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

export type KeptDraft = ReturnType<typeof useKeptDraft>;

/** An interest or choice that nobody has made is empty. */
export function typedIn(form: Form<Typed>): Typed {
  const values: Partial<Typed> = form.values();
  return Object.fromEntries(
    draftFields.map((name) => [name, values[name] || (name === "interests" ? [] : "")]),
  ) as Typed;
}
