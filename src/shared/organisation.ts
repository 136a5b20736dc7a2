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

const atMost = (characters: number) => `Shorten this to at most ${characters} characters`;
const upTo = (characters: number) => z.string().max(characters, atMost(characters));
const Line = z.string().trim().min(1, "Fill this in: it cannot be empty").max(200, atMost(200));
const Link = z.url({ protocol: /^https$/, error: "Write a whole address that begins with https://" });
const EmailAddress = z.email("Write an email address, such as help@charity.example");

export const BankAccount = z.object({
  bank: Line,
  accountName: Line,
  bsb: z.string().regex(/^\d{3}-\d{3}$/, "Write the BSB as six digits, such as 062-000"),
  accountNumber: z.string().regex(/^[\d ]{5,14}$/, "Write the account number as 5 to 12 digits"),
});

/** The largest number of bank accounts that the donation page shows. */
export const MAX_BANKS = 4;

/** The charity that runs this site (LAY-10); everything that names it reads this object. */
export const Organisation = z.object({
  name: Line,
  /** The brand in two parts, as the header sets it. */
  brand: z.object({ name: Line, country: upTo(60) }),
  slug: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/, "Use small letters, digits and hyphens"),
  /** The foundation that receives the donations. */
  supports: Line,
  /** Its website. */
  supportsUrl: Link.optional(),
  nativeName: z.object({ text: upTo(60), language: upTo(8) }).optional(),
  tagline: upTo(300),
  /** Empty while unknown: receipts then wait (DON-21). */
  abn: z.string().refine((abn) => abn === "" || isAbn(abn), "This is not a valid ABN: its check digits do not fit"),
  registration: z.object({ label: Line, url: Link }),
  phone: Line,
  email: EmailAddress,
  /** For the organisation's own emails: a new donation, a payment to check. */
  donationsEmail: EmailAddress,
  /** For the daily reconciliation; by default `donationsEmail`. */
  treasurerEmail: EmailAddress.optional(),
  /** For new applications to volunteer; by default `email`. */
  volunteersEmail: EmailAddress.optional(),
  address: Line,
  socials: z.object({ facebook: Link.optional(), instagram: Link.optional(), youtube: Link.optional() }),
  apps: z.object({ appStore: Link.optional(), googlePlay: Link.optional() }),
  banks: z.array(BankAccount).max(MAX_BANKS),
  receipt: z.object({
    /** The fund, authority or institution that is endorsed; empty if the organisation itself is, or nothing is. */
    fund: upTo(200),
    /** The sentence that says the receipt is for a gift; only printed for a deductible gift recipient. */
    giftStatement: upTo(500),
    /** Shown under lines that are not deductible gifts. */
    notDeductibleStatement: upTo(500),
    isDeductibleGiftRecipient: z.boolean(),
  }),
  acknowledgement: upTo(300),
});
export type Organisation = z.output<typeof Organisation>;

/** The row of `site_settings` with what was changed since the file was written. */
export const ORGANISATION_SETTING = "organisation";

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** The file's details with what was changed since: objects key by key, null for what was taken out, else the change. */
export function withChanges(base: unknown, changes: unknown): unknown {
  if (!isJson(base) || !isJson(changes)) return changes;
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete merged[name];
    else merged[name] = withChanges(base[name], value);
  }
  return merged;
}

/** The changes that make `wanted` of `base`; undefined if they are the same. */
export function changesTo(base: unknown, wanted: unknown): unknown {
  if (!isJson(base) || !isJson(wanted)) return JSON.stringify(base) === JSON.stringify(wanted) ? undefined : wanted;
  const names = [...new Set([...Object.keys(base), ...Object.keys(wanted)])];
  const changes = names.flatMap((name) => {
    if (wanted[name] === undefined) return base[name] === undefined ? [] : [[name, null] as const];
    const change = changesTo(base[name], wanted[name]);
    return change === undefined ? [] : [[name, change] as const];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** The details that receipts need, by their place in the schema, in words for staff (ITAA 1997 s 30-228). */
const receiptDetails = {
  name: "the organisation's name",
  abn: "its ABN",
  "receipt.giftStatement": "the sentence that says the receipt is for a gift",
} as const;

/** Which of them are missing before receipts may be issued; empty if none. */
export function listReceiptGaps({ name, abn, receipt }: Organisation): (keyof typeof receiptDetails)[] {
  return [
    ...(name === "" ? ["name" as const] : []),
    ...(abn === "" ? ["abn" as const] : []),
    ...(receipt.isDeductibleGiftRecipient && receipt.giftStatement === "" ? ["receipt.giftStatement" as const] : []),
  ];
}

/** The same in words. */
export function receiptGaps(organisation: Organisation): string[] {
  return listReceiptGaps(organisation).map((name) => receiptDetails[name]);
}

/** The organisation's identifier in structured data (JSON-LD `@id`). */
export function organisationId(publicUrl: string): string {
  return `${publicUrl}/#organisation`;
}

/** The details of a new site, which has no settings file of its own: to be replaced in the back office. */
export const newOrganisation: Organisation = {
  name: "Your charity",
  brand: { name: "Your charity", country: "Australia" },
  slug: "our",
  supports: "Whoever you support",
  tagline: "",
  abn: "",
  registration: {
    label: "Registered charity: view our entry on the charity register",
    url: "https://www.acnc.gov.au/charity/charities",
  },
  phone: "Your phone number",
  email: "you@your-charity.example",
  donationsEmail: "you@your-charity.example",
  address: "Your postal address",
  socials: {},
  apps: {},
  banks: [],
  receipt: {
    fund: "",
    giftStatement: "",
    notDeductibleStatement: "This line is not a tax-deductible gift.",
    isDeductibleGiftRecipient: false,
  },
  acknowledgement: "We acknowledge the Traditional Custodians of the lands on which we work.",
};

/** The details that every site has to replace, by their place in the schema, with what a new site begins with. */
export const placeholders: Readonly<Record<string, string>> = {
  name: newOrganisation.name,
  "brand.name": newOrganisation.brand.name,
  supports: newOrganisation.supports,
  phone: newOrganisation.phone,
  email: newOrganisation.email,
  donationsEmail: newOrganisation.donationsEmail,
  address: newOrganisation.address,
};

export const isPlaceholder = (name: string, text: string): boolean => text !== "" && placeholders[name] === text;

/** The details that are still those of a new site, by their place in the schema. */
export function listUnfilledDetails(organisation: Organisation): string[] {
  const texts: Readonly<Record<string, string>> = { ...organisation, "brand.name": organisation.brand.name } as never;
  return Object.keys(placeholders).filter((name) => isPlaceholder(name, texts[name] ?? ""));
}

/** What staff may write in braces in the words of a page. */
export const namePlaceholders = ["name", "supports", "phone"] as const;

/** The texts with the organisation's details in the place of `{name}`, `{supports}` and `{phone}`. */
export function fillInNames<Texts extends Readonly<Record<string, string>>>(
  texts: Texts,
  organisation: Pick<Organisation, (typeof namePlaceholders)[number]>,
): Texts {
  const fill = (text: string) =>
    namePlaceholders.reduce((filled, name) => filled.replaceAll(`{${name}}`, () => organisation[name]), text);
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)])) as Texts;
}
