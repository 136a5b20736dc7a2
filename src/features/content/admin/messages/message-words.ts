import type { PersonRow } from "#admin/person.ts";
import type { MessageState } from "../../server/messages.ts";

export const MESSAGES_PATH = "/admin/messages";
export const messagePath = (id: string) => `${MESSAGES_PATH}/${id}`;

export const isMessageId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** `toast`: shown once a message is in the state. */
export const messageStatus: Readonly<Record<MessageState, PersonRow["status"] & { readonly toast: string }>> = {
  open: { label: "Open", look: "act", toast: "The message is open again." },
  answered: { label: "Answered", look: "ok", toast: "Marked as answered." },
  spam: { label: "Spam", look: "off", toast: "Marked as spam." },
};
