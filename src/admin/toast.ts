import { z } from "zod";

/** The form that undoes an act: where it is sent, and its fields. */
const Undo = z.object({ path: z.string().regex(/^\/admin\/[\w/.-]+$/), fields: z.record(z.string(), z.string()) });
/** A file that the next screen begins to download, once. */
const Download = z.string().regex(/^\/admin\/[\w/.-]+\.(?:csv|xlsx|zip)(?:\?\S*)?$/);
const Toast = z.object({ message: z.string(), undo: Undo.optional(), download: Download.optional() });

/** What the last act did, how to undo it if that is one act too, and the file that it was about. */
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
