import { z } from "zod";

/** The tickets being bought for one event, kept in the browser tab so that a reload loses nothing (TIC-4). */
const OrderDraft = z.object({
  event: z.string(),
  lines: z.array(z.object({ type: z.string(), quantity: z.int().positive() })),
  /** The hold of these lines, once the checkout has opened. */
  order: z.object({ id: z.string(), key: z.string() }).optional(),
  /** The key of the link that was followed, and the discount code in use. */
  access: z.string().optional(),
  discount: z.string().optional(),
  /** What was typed into the form, by the contract's field names. */
  buyer: z.record(z.string(), z.string()).default({}),
  method: z.enum(["cc", "pp"]).default("cc"),
});
export type OrderDraft = z.output<typeof OrderDraft>;

/** The key in the tab's storage. */
export const draftName = (event: string) => `tickets ${event}`;

/** Undefined if there is no draft for this event, or this version of the page cannot read it. */
export function readDraft(text: string | null, event: string): OrderDraft | undefined {
  if (text === null) return undefined;
  try {
    const draft = OrderDraft.parse(JSON.parse(text));
    return draft.event === event ? draft : undefined;
  } catch {
    return undefined;
  }
}

export function writeDraft(draft: OrderDraft): string {
  return JSON.stringify(draft);
}
