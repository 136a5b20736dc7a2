import { z } from "zod";
import type { ActingRight, Right } from "#admin/rights.ts";
import { messages } from "#shared/contract/messages.ts";
import { plainLine, plainText } from "#shared/contract/plain-line.ts";
import { isDay } from "#shared/language.ts";
import type { Organisation } from "#shared/organisation.ts";
import { readFigures, readQuestions } from "../service-text.ts";

/** One link of a page’s list. */
export type ContentLink = { readonly label: string; readonly url: string };

/** The columns of an item by their names, as its versions keep them. */
export type ContentData = Readonly<Record<string, ContentValue>>;
export type ContentValue = string | number | boolean | null | readonly ContentLink[];

/**
 * The kind of form field: `address` is the last part of a page’s address, `html` a text with headings and links, `link`
 * an address to lead to, `moment` a time on a clock in Sydney, `clock` one on the clock of the column `time_zone`, `menu` a list of links that may be as delivered, `hidden`
 * a value that the form only carries, `fund` one of the causes that donors can give to, `tick` a box to tick.
 */
export type FieldInput =
  | "line"
  | "lines"
  | "html"
  | "day"
  | "moment"
  | "clock"
  | "zone"
  | "number"
  | "picture"
  | "address"
  | "link"
  | "links"
  | "menu"
  | "hidden"
  | "fund"
  | "tick";

/** A column that staff edit. */
export type ContentField = {
  /** The column’s name. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly input: FieldInput;
  /** The rule for what was typed. In a draft a field may stay empty. */
  readonly rule: z.ZodType<ContentValue, string>;
  /** The message if the field is empty on publishing; if undefined, the field may be empty. */
  readonly needed?: string;
  /** Whether it must be filled in with these other fields; without it, always. */
  readonly isNeeded?: (data: ContentData) => boolean;
  /** What the list 'Before you publish' says if the field is empty. */
  readonly advised?: string;
};

/** A kind of content: everything that its screens, versions and previews depend on. */
export type Kind = {
  /** In addresses and acts: '/admin/news', 'news.publish'. */
  readonly name:
    | "news"
    | "pages"
    | "own-pages"
    | "services"
    | "causes"
    | "testimonials"
    | "gallery"
    | "events"
    | "banners"
    | "menus"
    | "home"
    | "introductions";
  /** The table that the site reads, and its key. */
  readonly table:
    | "news"
    | "pages"
    | "own_pages"
    | "services"
    | "causes"
    | "testimonials"
    | "gallery_items"
    | "events"
    | "banners"
    | "menus"
    | "home"
    | "introductions";
  readonly key: "id" | "type";
  /** Whether staff can add items; otherwise the items are fixed. */
  readonly isOpen: boolean;
  /** The items that are never taken down, by their keys, or all of them. */
  readonly stays?: ReadonlySet<string> | "all";
  /** Who may read and change it; without it, whoever may read and change content. */
  readonly rights?: { readonly see: Right; readonly change: ActingRight };
  /** Its place in the navigation; without it, Content. */
  readonly section?: "events";
  /** Its row exists, hidden, before it is published: other things refer to it. */
  readonly isPlanned?: true;
  readonly fields: readonly ContentField[];
  /** The column by which the list is sorted. */
  readonly sort: { readonly by: string; readonly descending: boolean };
  /** The path of the page that shows an item. */
  readonly path: (item: { key: string | null; data: ContentData }, organisation: Pick<Organisation, "slug">) => string;
  /** A remark for items of which the page shows only a part, by the item’s key. */
  readonly note?: (key: string | null) => string | null;
  /** What keeps it from being published although each field is right: sentences by the field’s name. */
  readonly faults?: (data: ContentData, about: { now: Date; key: string | null }) => Readonly<Record<string, string>>;
  /** The data with values for what a row cannot be without and a draft can, for previews and hidden rows. */
  readonly fillGaps?: (data: ContentData, now: Date) => ContentData;
  /** The data as it is stored, from what was typed. */
  readonly tidy?: (data: ContentData) => ContentData;
  /** What a new item begins with. */
  readonly begin?: (now: Date) => ContentData;
  /** What holds where a list is empty. */
  readonly delivered?: (organisation: Pick<Organisation, "slug">) => ContentData;
  readonly words: KindWords;
};

type KindWords = {
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

export const rightsOf = ({ rights }: Pick<Kind, "rights">) =>
  rights ?? ({ see: "content.see", change: "content.change" } as const);

/** Whether an item can be taken down, and published again. */
export const canTakeDown = ({ stays }: Pick<Kind, "stays">, key: string | null) =>
  stays !== "all" && !(key !== null && stays?.has(key));

/** The most characters in an article’s text; the form’s body limit allows as many in any script. */
const MAX_HTML_LENGTH = 100_000;

const atMost = (characters: number) => `Shorten this to at most ${characters} characters.`;

/**
 * Text of one line: at most so many characters, inner white space made single spaces. Without `whenEmpty` it may be
 * empty.
 */
export function line(maxLength: number, whenEmpty?: string) {
  const text = z.string().transform((typed) => plainText(typed).replace(/\s+/g, " "));
  const sized = z.string().max(maxLength, atMost(maxLength)).regex(plainLine, `${messages.notPlain}.`);
  return text.pipe(whenEmpty === undefined ? sized : sized.min(1, whenEmpty));
}

/** Text of several lines: at most so many characters. It may be empty. */
export const lines = (maxLength: number) =>
  z
    .string()
    .transform(plainText)
    .pipe(z.string().max(maxLength, atMost(maxLength)));

/** The server sanitises HTML later, and says what that removes. */
export const htmlText = z.string().max(MAX_HTML_LENGTH, atMost(MAX_HTML_LENGTH));

/** YYYY-MM-DD, or empty. */
export const day = z
  .string()
  .trim()
  .refine((text) => text === "" || isDay(text), "Enter a date, such as 2026-11-24.");

/** YYYY-MM-DDTHH:MM:00 on the clock of the field, or null if it is left out. */
export const moment = z.string().transform((typed, context): string | null => {
  const text = typed.trim();
  if (text === "") return null;
  const [, on = "", at] = /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::00)?$/.exec(text) ?? [];
  if (isDay(on)) return `${on}T${at}:00`;
  const message = "Enter a day and a time, such as 2026-11-24 07:00.";
  context.issues.push({ code: "custom", input: typed, message });
  return null;
});

/** A whole number, or null if it is left out. */
export const wholeNumber = z
  .string()
  .trim()
  .regex(/^\d{0,5}$/, "Enter a whole number from 0 to 99999.")
  .transform((text) => (text === "" ? null : Number(text)));

const pictureAddress = /^\/(images\/[0-9a-f]{32}|identity(\/[\w-]+(\.[\w-]+)*)+)$/;
const notAPicture = "Enter the address of a picture on this site, such as /identity/illustrations/hospital.svg.";

export const isPictureAddress = (text: string) => pictureAddress.test(text);

export const picture = z
  .string()
  .trim()
  .refine((text) => text === "" || isPictureAddress(text), notAPicture);

/** A picture, or null if it is left out. */
export const optionalPicture = picture.transform((text) => (text === "" ? null : text));

/** What a picture shows, in words. */
export const pictureInWords = line(250).refine(
  (words) => !/^\S+\.(jpe?g|png|webp|avif|heic|gif|svg)$/i.test(words),
  "Write what the picture shows, not the name of its file.",
);

export const tick = z.string().transform((text) => text === "yes");

export const MAX_ADDRESS_LENGTH = 100;
const addressPart = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const address = z
  .string()
  .trim()
  .max(MAX_ADDRESS_LENGTH, atMost(MAX_ADDRESS_LENGTH))
  .refine((text) => text === "" || addressPart.test(text), "Use small letters, digits and single hyphens.");

const Link = z.object({ label: z.string().min(1), url: z.url({ protocol: /^https?$/ }) });

/** The words and the address of a link that was typed on one line. */
export function splitLink(row: string): ContentLink {
  const [, label = "", url = ""] = /^(.*?)\s*(\S+)$/.exec(row) ?? [];
  return { label, url };
}

/** One link on each line: its words, then its address. */
export const links = z.string().transform((typed, context): ContentLink[] =>
  plainText(typed)
    .split("\n")
    .map((row) => row.trim())
    .filter(Boolean)
    .map((row) => {
      const link = splitLink(row);
      if (!Link.safeParse(link).success) {
        const message = `Write words and an address that begins with https:// in “${row.slice(0, 60)}”.`;
        context.issues.push({ code: "custom", input: typed, message });
      }
      return link;
    }),
);

const MAX_FIGURES = 4;

/** Figures that stand out, one on each line. */
export const figures = lines(400).superRefine((text, context) => {
  const { figures: read, wrong } = readFigures(text);
  if (wrong !== null)
    context.addIssue(`Begin “${wrong.slice(0, 60)}” with its figure, and then say what it counts: ‘18 homes’.`);
  if (read.length > MAX_FIGURES) context.addIssue(`Keep the ${MAX_FIGURES} figures that matter most.`);
});

/** Questions with their answers, and an empty line between them. */
export const questions = lines(5000).superRefine((text, context) => {
  const { wrong } = readQuestions(text);
  if (wrong !== null) context.addIssue(`Write the answer on the line below “${wrong.slice(0, 60)}”.`);
});

/** The key of a fund, or empty. */
export const fund = z.string().regex(/^([a-z][a-z-]*)?$/, "Choose one of the list.");

/** A column's value as text for its form field. */
export function toText(value: ContentValue | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "";
  if (typeof value === "object") return value.map(({ label, url }) => `${label} ${url}`).join("\n");
  return String(value);
}

const isEmpty = (value: ContentValue | undefined) => Array.isArray(value) && value.length === 0;

/** The data with what is delivered where a list is empty, as the form shows it. */
export const withDelivered = (data: ContentData, delivered: ContentData): ContentData => ({
  ...data,
  ...Object.fromEntries(Object.entries(delivered).filter(([name]) => isEmpty(data[name]))),
});

/** The form with nothing in lists that were left as they are delivered. */
export function withoutDelivered<Typed extends Readonly<Record<string, unknown>>>(
  typed: Typed,
  delivered: ContentData,
): Typed {
  const isDelivered = ([name, value]: [string, ContentValue]) =>
    typeof typed[name] === "string" && withPlainLineEnds(typed[name]).trim() === toText(value);
  const names = Object.entries(delivered)
    .filter(isDelivered)
    .map(([name]) => [name, ""]);
  return { ...typed, ...Object.fromEntries(names) };
}

type TypedContent = { readonly data: ContentData } | { readonly errors: Readonly<Record<string, readonly string[]>> };

/** Browsers send line ends as CR LF, which arrive as LF. */
const withPlainLineEnds = (text: string) => text.replace(/\r\n?/g, "\n");

/**
 * Reads a form. Fields that were not changed keep the value of `base` exactly, even if the rules would write it
 * otherwise.
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

/** The last part of an address from a title: 'A warm room' gives 'a-warm-room'; empty if no letter can be used. */
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
