import type { Organisation } from "#shared/organisation.ts";
import type { Letter } from "./mail.ts";

/** Who writes, and where the site is; `publicUrl` without a slash at its end. */
export type Sender = { readonly organisation: Organisation; readonly publicUrl: string };

/** Names the letter, so that a second sending is recognised as the first, and keeps the subject to one line. */
export function idAndSubject(publicUrl: string, word: string, subject: string): Pick<Letter, "messageId" | "subject"> {
  const letters = [...subject];
  return {
    messageId: `<${word}@${new URL(publicUrl).hostname}>`,
    subject: letters.length > 78 ? `${letters.slice(0, 77).join("")}…` : subject,
  };
}
