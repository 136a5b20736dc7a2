import { z } from "zod";
import { plainLine, plainText } from "#shared/contract/plain-line.ts";
import { isDay } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";

/** One link of a page’s list. */
export type ContentLink = { readonly label: string; readonly url: string };

/** The columns of an item by their names, as its versions keep them. */
export type ContentData = Readonly<Record<string, ContentValue>>;
export type ContentValue = string | number | null | readonly ContentLink[];

/** How a field is asked for: `address` is the last part of a page’s address, `html` a text with headings and links. */
export type FieldInput = "line" | "lines" | "html" | "day" | "number" | "picture" | "address" | "links";

/** One column that staff write. */
export type ContentField = {
  /** The column’s name. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly input: FieldInput;
  /** Reads what was typed. An empty field of a draft may be filled in later. */
  readonly rule: z.ZodType<ContentValue, string>;
  /** What to do if it is empty when the item is published; without it, it may be empty. */
  readonly needed?: string;
  /** What the list before publishing says if it is empty. */
  readonly advised?: string;
};

/** A kind of content: all that its screens, its versions and its preview need to know. */
export type Kind = {
  /** In addresses and acts: '/admin/news', 'news.publish'. */
  readonly name: "news" | "pages" | "causes" | "testimonials" | "gallery";
  /** The table that the site reads, and its key. */
  readonly table: "news" | "pages" | "causes" | "testimonials" | "gallery_items";
  readonly key: "id" | "type";
  /** Whether staff add and take down items; otherwise they are there for good. */
  readonly isOpen: boolean;
  readonly fields: readonly ContentField[];
  /** The column by which the list is sorted. */
  readonly sort: { readonly by: string; readonly descending: boolean };
  /** The page that shows it. */
  readonly path: (item: { key: string | null; data: ContentData }, organisation: Pick<Organisation, "slug">) => string;
  /** What its page shows of one item only in part, by the item’s key. */
  readonly note?: (key: string | null) => string | null;
  readonly words: KindWords;
};

export type KindWords = {
  /** 'News' */
  readonly plural: string;
  /** 'news item' */
  readonly one: string;
  /** 'Write a news item' */
  readonly write: string;
  readonly about: string;
  readonly nothing: string;
  readonly draftsWaiting: { readonly one: string; readonly other: (count: number) => string };
};

/** What an article’s text may have at most; the form’s body allows this much in any script. */
const MOST_HTML = 100_000;

const atMost = (characters: number) => `Shorten this to at most ${characters} characters.`;

export function line(most: number, whenEmpty?: string) {
  const text = z.string().transform((typed) => plainText(typed).replace(/\s+/g, " "));
  const sized = z.string().max(most, atMost(most)).regex(plainLine, "Remove the characters that cannot be shown.");
  return text.pipe(whenEmpty === undefined ? sized : sized.min(1, whenEmpty));
}

export const lines = (most: number) =>
  z
    .string()
    .transform(plainText)
    .pipe(z.string().max(most, atMost(most)));

/** HTML is sanitised by the server, which says what that removes. */
export const html = z.string().max(MOST_HTML, atMost(MOST_HTML));

/** YYYY-MM-DD, or empty. */
export const day = z
  .string()
  .trim()
  .refine((text) => text === "" || isDay(text), "Enter a date, such as 2026-11-24.");

export const wholeNumber = z
  .string()
  .trim()
  .regex(/^\d{1,5}$/, "Enter a whole number from 0 to 99999.")
  .transform(Number);

const pictureAddress = /^\/(images\/[0-9a-f]{32}|identity(\/[\w-]+(\.[\w-]+)*)+)$/;
const notAPicture = "Enter the address of a picture on this site, such as /identity/illustrations/hospital.svg.";

export const picture = z
  .string()
  .trim()
  .refine((text) => text === "" || pictureAddress.test(text), notAPicture);

/** A picture that may be missing: null then. */
export const optionalPicture = picture.transform((text) => (text === "" ? null : text));

export const MOST_ADDRESS = 100;
const addressPart = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const address = z
  .string()
  .trim()
  .max(MOST_ADDRESS, atMost(MOST_ADDRESS))
  .refine((text) => text === "" || addressPart.test(text), "Use small letters, digits and single hyphens.");

const Link = z.object({ label: z.string().min(1), url: z.url({ protocol: /^https?$/ }) });

/** One link a line: its words, then its address. */
export const links = z.string().transform((typed, context): ContentLink[] =>
  plainText(typed)
    .split("\n")
    .map((row) => row.trim())
    .filter(Boolean)
    .map((row) => {
      const [, label = "", url = ""] = /^(.*?)\s*(\S+)$/.exec(row) ?? [];
      if (!Link.safeParse({ label, url }).success) {
        const message = `Write words and an address that begins with https:// in “${row.slice(0, 60)}”.`;
        context.issues.push({ code: "custom", input: typed, message });
      }
      return { label, url };
    }),
);

/** The text of a field for its form. */
export function toText(value: ContentValue | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return value.map(({ label, url }) => `${label} ${url}`).join("\n");
  return String(value);
}

export type TypedContent =
  | { readonly data: ContentData }
  | { readonly errors: Readonly<Record<string, readonly string[]>> };

/** Browsers send line ends as CR LF, which arrive as LF. */
const withPlainLineEnds = (text: string) => text.replace(/\r\n?/g, "\n");

/**
 * Reads a form. What was not changed in it stays as it is in `base`, whoever wrote that and however: nothing is
 * improved unasked.
 */
export function readContent(
  { fields }: Pick<Kind, "fields">,
  typed: Readonly<Record<string, unknown>>,
  base: ContentData | null,
): TypedContent {
  const errors: Record<string, readonly string[]> = {};
  const data: Record<string, ContentValue> = { ...base };
  for (const { name, rule } of fields) {
    const given = typed[name];
    const text = withPlainLineEnds(typeof given === "string" ? given : "");
    if (base !== null && text === withPlainLineEnds(toText(base[name]))) continue;
    const read = rule.safeParse(text);
    if (read.success) data[name] = read.data;
    else errors[name] = read.error.issues.map(({ message }) => message);
  }
  return Object.keys(errors).length > 0 ? { errors } : { data };
}

/** The names of the fields that differ. */
export function listChangedFields({ fields }: Pick<Kind, "fields">, one: ContentData, other: ContentData): string[] {
  return fields.map(({ name }) => name).filter((name) => toText(one[name]) !== toText(other[name]));
}

/** The last part of an address from a title: 'A warm room' gives 'a-warm-room'; empty where no letter fits. */
export function slugOf(title: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/['’]|\p{M}/gu, "")
    .match(/[a-z0-9]+/g);
  let slug = "";
  for (const word of words ?? []) {
    const longer = slug === "" ? word : `${slug}-${word}`;
    if (longer.length > 80) break;
    slug = longer;
  }
  return slug;
}
