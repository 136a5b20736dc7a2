import { z } from "zod";

/** What the browser's tab keeps of tickets that are being bought for one event, so that a reload loses nothing (TIC-4). */
const Draft = z.object({
  event: z.string(),
  lines: z.array(z.object({ type: z.string(), quantity: z.int().positive() })),
  /** The hold of these lines, once the checkout has opened. */
  order: z.object({ id: z.string(), key: z.string() }).optional(),
  /** What was typed into the form, by the contract's names. */
  buyer: z.record(z.string(), z.string()).default({}),
  method: z.enum(["cc", "pp"]).default("cc"),
});
export type Draft = z.output<typeof Draft>;

/** The name under which a tab keeps it. */
export const draftName = (event: string) => `tickets ${event}`;

/** What was kept, or undefined where nothing is, or nothing that this version of the page can read. */
export function readDraft(text: string | null, event: string): Draft | undefined {
  if (text === null) return undefined;
  try {
    const draft = Draft.parse(JSON.parse(text));
    return draft.event === event ? draft : undefined;
  } catch {
    return undefined;
  }
}

export function writeDraft(draft: Draft): string {
  return JSON.stringify(draft);
}
