import { formatDollars } from "#shared/money.ts";
import {
  type CartLine,
  type Category,
  cleanNames,
  fixedUnitCents,
  lineFaults,
  MAXIMUM_LINES,
  nameFault,
  type OfferedCategory,
  subtotalCents,
} from "../../cart.ts";

/** What step 2 has typed in for the line to come. */
export type Entry = {
  readonly categoryId: number | undefined;
  readonly subcategoryId: number | undefined;
  readonly quantity: string;
  readonly amount: string;
  readonly names: readonly string[];
};

export const emptyEntry: Entry = {
  categoryId: undefined,
  subcategoryId: undefined,
  quantity: "1",
  amount: "",
  names: [],
};

/** Dollars as people type them: '$1,250.5' is 125050; not a number where it is no amount of at most two decimals. */
export function parseDollars(text: string): number {
  const [, whole, decimals = ""] = /^\$?(\d+)(?:\.(\d{1,2}))?$/.exec(text.replace(/[\s,]/g, "")) ?? [];
  return whole === undefined ? Number.NaN : Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
}

/** The line as a link to this cause begins it; empty where there is no such category. */
export function beginEntry(cause: string | undefined, categories: readonly OfferedCategory[]): Entry {
  return chooseCategory(categories.find(({ key }) => key === cause));
}

/** Choosing anew starts the line afresh, with the catalogue's amount where it may be changed. */
export function chooseCategory(category: Category | undefined): Entry {
  return { ...emptyEntry, categoryId: category?.id, amount: suggestion(category, category?.amountCents) };
}

export function chooseSubcategory(entry: Entry, category: Category, subcategoryId: number | undefined): Entry {
  const chosen = category.subcategories.find(({ id }) => id === subcategoryId);
  return { ...entry, subcategoryId, amount: suggestion(category, chosen?.amountCents ?? category.amountCents) };
}

function suggestion(category: Category | undefined, cents: number | null | undefined): string {
  return category?.amountIsEditable && cents ? formatDollars(cents).replace(/[$,]/g, "") : "";
}

export function findChosen<Known extends Category>({ categoryId, subcategoryId }: Entry, categories: readonly Known[]) {
  const category = categories.find(({ id }) => id === categoryId);
  return { category, subcategory: category?.subcategories.find(({ id }) => id === subcategoryId) };
}

/** One name field for each unit (DON-7). */
export function nameCount({ quantity }: Entry): number {
  const units = parseQuantity(quantity);
  return units >= 1 && units <= 999 ? units : 1;
}

function parseQuantity(text: string): number {
  return /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

export function entryLine(entry: Entry, categories: readonly Category[]): CartLine {
  const { category, subcategory } = findChosen(entry, categories);
  const fixed = category === undefined ? null : fixedUnitCents(category, subcategory);
  return {
    category: category?.title ?? "",
    subcategory: subcategory?.title ?? "",
    quantity: category?.quantityIsEditable ? parseQuantity(entry.quantity) : 1,
    unitCents: fixed ?? parseDollars(entry.amount),
    onBehalfOf: category?.asksNames ? cleanNames(entry.names.slice(0, nameCount(entry))) : [],
  };
}

/** The first name field that holds something wrong; the first of all where none does. */
export function nameToCorrect({ names }: Entry): number {
  return Math.max(
    0,
    names.findIndex((name) => cleanNames([name]).some((clean) => nameFault(clean) !== undefined)),
  );
}

/** What was typed for the line to come and cannot be added as it is. */
export function entryFault(entry: Entry, categories: readonly Category[]): string | undefined {
  const { category } = findChosen(entry, categories);
  if (category === undefined) return undefined;
  const isTyped = {
    category: false,
    subcategory: false,
    quantity: category.quantityIsEditable && entry.quantity.trim() !== "",
    unitCents: category.amountIsEditable && entry.amount.trim() !== "",
    onBehalfOf: entry.names.some((name) => name.trim() !== ""),
  };
  return lineFaults(entryLine(entry, categories), category).find(({ field }) => isTyped[field])?.message;
}

type Limits = { readonly minimumCents: number; readonly maximumCents: number };

/** Why the cart cannot go on as it is, in one sentence; nothing when it can (DON-8, DON-25). */
export function cartFault(lines: readonly CartLine[], categories: readonly Category[], limits: Limits) {
  if (lines.length === 0) return "Add at least one donation to go on.";
  if (lines.some((line) => lineFault(line, categories) !== undefined)) {
    return "One of your donations can no longer be given as it is. Please delete it and choose it again.";
  }
  const subtotal = subtotalCents(lines);
  if (subtotal < limits.minimumCents) return `The smallest donation is ${formatDollars(limits.minimumCents)}.`;
  if (subtotal > limits.maximumCents) {
    return `The largest donation at one time is ${formatDollars(limits.maximumCents)}. Please call us to give more.`;
  }
  return undefined;
}

/** What is wrong with a line of the cart by today's catalogue, which may have changed since it was added. */
export function lineFault(line: CartLine, categories: readonly Category[]): string | undefined {
  const category = categories.find(({ title }) => title === line.category);
  if (category === undefined) return `${line.category} can no longer be given to`;
  return lineFaults(line, category)[0]?.message;
}

export const isCartFull = (lines: readonly CartLine[]) => lines.length >= MAXIMUM_LINES;

/** 'Qurban, Goat' */
export function lineTitle({ category, subcategory }: CartLine): string {
  return subcategory === "" ? category : `${category}, ${subcategory}`;
}
