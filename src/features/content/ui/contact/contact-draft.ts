import { z } from "zod";
import { openDraftStorage } from "#shared/ui/draft-storage.ts";

/** What was typed, and the key under which exactly these words were last sent, should the answer have been lost. */
const ContactDraft = z.object({
  fields: z.object({
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    subject: z.string(),
    message: z.string(),
  }),
  sent: z.object({ key: z.uuid(), words: z.string() }).optional(),
});
export type ContactDraft = z.output<typeof ContactDraft>;

const storage = openDraftStorage("tab", "contact-message");

export const findDraft = () => storage.find((text) => ContactDraft.safeParse(JSON.parse(text ?? "null")).data);
export const keepDraft = (draft: ContactDraft) => storage.keep(() => JSON.stringify(draft));
export const dropDraft = storage.drop;
