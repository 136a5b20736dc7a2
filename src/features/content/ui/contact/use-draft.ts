import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { type ContactFields, longest, oneLine } from "../../contact.ts";
import { type ContactDraft, findDraft, keepDraft } from "./contact-draft.ts";

export type FieldName = keyof ContactFields;
export const fieldNames = ["name", "email", "phone", "subject", "message"] as const satisfies readonly FieldName[];

type Form = Pick<UseFormReturn<ContactFields>, "getValues" | "setValue">;

/**
 * What this tab has kept, and a subject that a link brought along; never over what was typed before the page's script ran.
 * Words that were sent keep their key until they change, so that sending them again is the same message.
 */
export function useDraft({ getValues, setValue }: Form) {
  const [isReady, setReady] = useState(false);
  const sent = useRef<ContactDraft["sent"]>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page takes over from the server's markup
  useEffect(() => {
    const kept = findDraft();
    const asked = oneLine(new URLSearchParams(location.search).get("subject") ?? "");
    const subject = [...asked].slice(0, longest.subject).join("");
    sent.current = kept?.sent;
    for (const name of fieldNames) {
      if (!getValues(name)) setValue(name, kept?.fields[name] || (name === "subject" ? subject : ""));
    }
    setReady(true);
  }, []);
  return {
    isReady,
    keep: (fields: ContactFields) => keepDraft({ fields, sent: sent.current }),
    keyFor(fields: ContactFields): string {
      const words = JSON.stringify(fields);
      if (sent.current?.words !== words) sent.current = { key: crypto.randomUUID(), words };
      keepDraft({ fields: getValues(), sent: sent.current });
      return sent.current.key;
    },
  };
}
