import { z } from "zod";
import type { CartLine } from "./cart.ts";

/** The key in local storage; logging out removes it (DON-20). */
export const DRAFT_KEY = "donation-draft";

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** Longer than any valid answer, so that an answer that is too long is kept and can be shortened. */
const Text = z.string().max(50_000);

const Personal = z.object({ firstName: Text, lastName: Text, email: Text, postcode: Text, isAnonymous: z.boolean() });
export type Personal = z.output<typeof Personal>;

const Line = z.object({
  categoryId: z.int().optional(),
  category: Text.min(1),
  subcategoryId: z.int().optional(),
  subcategory: Text,
  quantity: z.int().positive(),
  unitCents: z.int().positive(),
  onBehalfOf: z.array(Text),
}) satisfies z.ZodType<CartLine>;

const LineEntry = z.object({
  categoryId: z.int().optional(),
  subcategoryId: z.int().optional(),
  quantity: Text,
  amount: Text,
  names: z.array(Text),
});
/** What the donor has entered in step 2 for the next line. */
export type LineEntry = Readonly<Omit<z.output<typeof LineEntry>, "names">> & { readonly names: readonly string[] };

/** One submission: `key` is the Idempotency-Key it was sent with, `id` the server's payment id once known. */
const SentPayment = z.object({
  key: z.uuid(),
  id: z.uuid().optional(),
  totalCents: z.int().positive(),
  email: Text,
});
export type SentPayment = z.output<typeof SentPayment>;

/**
 * What this device keeps of a donation for 7 days (DON-20): donor, lines and, once submitted, the payment, but never
 * card data, card tokens or captchas. Unknown fields are dropped on writing and reading.
 */
export const DonationDraft = z.object({
  version: z.literal(1),
  savedAt: z.number(),
  /** 0 for a guest. A draft of one account is not shown to another. */
  userId: z.int().min(0),
  personal: Personal,
  lines: z.array(Line),
  coversAdminFee: z.boolean(),
  /** Missing in drafts saved before PayPal was offered. */
  method: z.enum(["cc", "pp"]).default("cc"),
  /** The category key from the link that led here, until the donor chooses a category. */
  cause: Text.optional(),
  entry: LineEntry.optional(),
  payment: SentPayment.optional(),
});
export type DonationDraft = z.output<typeof DonationDraft>;

/** What a page saves. */
export type KeepableDonation = Pick<DonationDraft, "userId" | "personal" | "coversAdminFee" | "method"> & {
  readonly lines: readonly CartLine[];
  readonly cause?: string | undefined;
  readonly entry?: LineEntry | undefined;
  readonly payment: SentPayment | undefined;
};

/** JSON for the browser's storage; `now` in milliseconds since 1970. */
export function writeDraft(draft: KeepableDonation, now: number): string {
  return JSON.stringify(DonationDraft.parse({ ...draft, version: 1, savedAt: now }));
}

/** The draft in `text`; undefined if missing, damaged, of another version, over a week old or another account's. */
export function readDraft(
  text: string | null,
  { now, userId }: { now: number; userId: number },
): DonationDraft | undefined {
  const draft = DonationDraft.safeParse(parseJson(text));
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
