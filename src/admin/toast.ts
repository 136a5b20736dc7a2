import { z } from "zod";

/** The form that undoes an act: where it is sent, and its fields. */
const Undo = z.object({ path: z.string().regex(/^\/admin\/[\w/.-]+$/), fields: z.record(z.string(), z.string()) });
const Toast = z.object({ said: z.string(), undo: Undo.optional() });

/** What the last act did, and how to undo it if that is one act too. */
export type Toast = z.infer<typeof Toast>;
export type Undo = z.infer<typeof Undo>;

/** The toast's text for a cookie, which keeps it until the next screen. */
export const writeToast = (toast: Toast): string => JSON.stringify(toast);

/** Null for a cookie that is none of ours. */
export function readToast(text: string): Toast | null {
  try {
    return Toast.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
