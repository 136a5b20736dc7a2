import { z } from "zod";
import type { CartLine } from "./cart.ts";

/** The key in local storage. Whoever logs a person out removes it (DON-20). */
export const DRAFT_KEY = "donation-draft";

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** Longer than any answer may be, so that one that is too long is kept and can be shortened. */
const Text = z.string().max(50_000);

const Personal = z.object({ firstName: Text, lastName: Text, email: Text, postcode: Text, isAnonymous: z.boolean() });
export type Personal = z.output<typeof Personal>;

const Line = z.object({
  category: Text.min(1),
  subcategory: Text,
  quantity: z.int().positive(),
  unitCents: z.int().positive(),
  onBehalfOf: z.array(Text),
}) satisfies z.ZodType<CartLine>;

/** One submission: `key` is the Idempotency-Key it went out with, `id` what the server calls it, once it said so. */
const SentPayment = z.object({
  key: z.uuid(),
  id: z.uuid().optional(),
  totalCents: z.int().positive(),
  email: Text,
});
export type SentPayment = z.output<typeof SentPayment>;

/**
 * What this device keeps of a donation for 7 days (DON-20): who and what for, and from submission on the payment.
 * Card data, card tokens and captchas have no place in it, and unknown fields are dropped on the way in and out.
 */
export const Draft = z.object({
  version: z.literal(1),
  savedAt: z.number(),
  /** 0 for a guest. A draft of one account is not shown to another. */
  userId: z.int().min(0),
  personal: Personal,
  lines: z.array(Line),
  coversAdminFee: z.boolean(),
  /** Drafts from before PayPal was offered name none. */
  method: z.enum(["cc", "pp"]).default("cc"),
  /** The key of what a link asked to give to, until something was chosen. */
  cause: Text.optional(),
  payment: SentPayment.optional(),
});
export type Draft = z.output<typeof Draft>;

/** What a page hands over to be kept. */
export type Keepable = Pick<Draft, "userId" | "personal" | "coversAdminFee" | "method"> & {
  readonly lines: readonly CartLine[];
  readonly cause?: string | undefined;
  readonly payment: SentPayment | undefined;
};

export function writeDraft(draft: Keepable, now: number): string {
  return JSON.stringify(Draft.parse({ ...draft, version: 1, savedAt: now }));
}

/** The draft in `text`, or nothing when it is absent, damaged, of another version, a week old or another account's. */
export function readDraft(text: string | null, { now, userId }: { now: number; userId: number }): Draft | undefined {
  const draft = Draft.safeParse(parseJson(text));
  if (!draft.success) return undefined;
  const isOld = Math.abs(now - draft.data.savedAt) > WEEK_MS;
  const isAnothers = draft.data.userId !== 0 && draft.data.userId !== userId;
  return isOld || isAnothers ? undefined : draft.data;
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
