import { useRef, useState } from "react";
import type { Form } from "#shared/ui/use-form.ts";
import { useOnMount } from "#shared/ui/use-on-mount.ts";
import { ContactFields, cleanLine, maxLengths } from "../../contact.ts";
import { type ContactDraft, findDraft, keepDraft } from "./contact-draft.ts";

export type MessageField = keyof ContactFields;
export const messageFields = Object.keys(ContactFields.shape) as readonly MessageField[];

/**
 * Restores this tab's draft and a subject from the link, but never overwrites what was typed before the page's script
 * ran. A text that was sent keeps its key until it changes, so that sending it again doesn't create a second message.
 */
export function useDraft({ values, setValue }: Form<ContactFields>) {
  const [isReady, setReady] = useState(false);
  const sent = useRef<ContactDraft["sent"]>(undefined);
  useOnMount(() => {
    const kept = findDraft();
    const asked = cleanLine(new URLSearchParams(location.search).get("subject") ?? "");
    const subject = [...asked].slice(0, maxLengths.subject).join("");
    sent.current = kept?.sent;
    for (const name of messageFields) {
      if (!values()[name]) setValue(name, kept?.fields[name] || (name === "subject" ? subject : ""));
    }
    setReady(true);
  });
  return {
    isReady,
    keep: (fields: ContactFields) => keepDraft({ fields, sent: sent.current }),
    keyFor(fields: ContactFields): string {
      const words = JSON.stringify(fields);
      if (sent.current?.words !== words) sent.current = { key: crypto.randomUUID(), words };
      keepDraft({ fields: values(), sent: sent.current });
      return sent.current.key;
    },
  };
}
