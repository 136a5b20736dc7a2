import { z } from "zod";

const KEY = "contact-message";

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

// It lives as long as the tab. Storage may be switched off or full, which is no reason to stop anybody.

export function findDraft(): ContactDraft | undefined {
  try {
    return ContactDraft.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? "null")).data;
  } catch {
    return undefined;
  }
}

export function keepDraft(draft: ContactDraft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {}
}

export function dropDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {}
}
