import { z } from "zod";

/** Checks an Australian Business Number: the weighted digits, with the first minus one, divide by 89. */
export function isAbn(text: string): boolean {
  const digits = text.replace(/\s/g, "");
  if (!/^\d{11}$/.test(digits)) return false;
  const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
  const sum = weights.reduce(
    (total, weight, index) => total + weight * (Number(digits[index]) - (index === 0 ? 1 : 0)),
    0,
  );
  return sum % 89 === 0;
}

const Line = z.string().trim().min(1).max(200);
const Link = z.url({ protocol: /^https$/ });

export const BankAccount = z.object({
  bank: Line,
  accountName: Line,
  bsb: z.string().regex(/^\d{3}-\d{3}$/, "must be six digits written 000-000"),
  accountNumber: z.string().regex(/^[\d ]{5,14}$/, "must be 5 to 12 digits"),
});

/** The charity that runs this site (LAY-10); everything that names it reads this object. */
export const Organisation = z.object({
  name: Line,
  /** The brand in two parts, as the header sets it. */
  brand: z.object({ name: Line, country: z.string().max(60) }),
  slug: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/, "must be lower-case letters, digits and hyphens"),
  /** The foundation that receives the donations. */
  supports: Line,
  /** Its website. */
  supportsUrl: Link.optional(),
  nativeName: z.object({ text: z.string().max(60), language: z.string().max(8) }).optional(),
  tagline: z.string().max(300),
  /** Empty while unknown: receipts then wait (DON-21). */
  abn: z.string().refine((abn) => abn === "" || isAbn(abn), "is not a valid ABN: its check digits do not fit"),
  registration: z.object({ label: Line, url: Link }),
  phone: Line,
  email: z.email(),
  /** For the organisation's own emails: a new donation, a payment to check. */
  donationsEmail: z.email(),
  /** For the daily reconciliation; by default `donationsEmail`. */
  treasurerEmail: z.email().optional(),
  /** For new applications to volunteer; by default `email`. */
  volunteersEmail: z.email().optional(),
  address: Line,
  socials: z.object({ facebook: Link.optional(), instagram: Link.optional(), youtube: Link.optional() }),
  apps: z.object({ appStore: Link.optional(), googlePlay: Link.optional() }),
  banks: z.array(BankAccount).max(4),
  receipt: z.object({
    fund: z.string().max(200),
    /** The sentence that says the receipt is for a gift; empty while unknown. */
    giftStatement: z.string().max(500),
    /** Shown under lines that are not deductible gifts. */
    notDeductibleStatement: z.string().max(500),
    isDeductibleGiftRecipient: z.boolean(),
  }),
  acknowledgement: z.string().max(300),
});
export type Organisation = z.output<typeof Organisation>;

/** What is missing before receipts may be issued, in words for staff; empty if nothing (ITAA 1997 s 30-228). */
export function receiptGaps({ name, abn, receipt }: Organisation): string[] {
  return [
    ...(name === "" ? ["the organisation's name"] : []),
    ...(abn === "" ? ["its ABN"] : []),
    ...(receipt.fund === "" ? ["the name of the gift fund"] : []),
    ...(receipt.giftStatement === "" ? ["the sentence that says the receipt is for a gift"] : []),
  ];
}

export function organisationId(publicUrl: string): string {
  return `${publicUrl}/#organisation`;
}
