import { z } from "zod";
import { openStorage } from "#shared/ui/browser-storage.ts";

/** What was typed, and the key under which this exact text was last sent, in case the answer was lost. */
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

const storage = openStorage("tab", "contact-message");

export const findDraft = () => storage.find((text) => ContactDraft.safeParse(JSON.parse(text ?? "null")).data);
export const keepDraft = (draft: ContactDraft) => storage.keep(() => JSON.stringify(draft));
export const dropDraft = storage.drop;
