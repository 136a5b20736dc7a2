import { latinDigits } from "#shared/contract/latin-digits.ts";
import { formatDollars } from "#shared/language.ts";
import {
  type CartCategory,
  type CartLine,
  cleanNames,
  findCategory,
  fixedUnitCents,
  lineFaults,
  MAX_CART_LINES,
  nameFault,
  type OfferedCategory,
  subtotalCents,
} from "../../cart.ts";
import type { LineEntry } from "../../draft.ts";

export const emptyEntry: LineEntry = {
  categoryId: undefined,
  subcategoryId: undefined,
  quantity: "1",
  amount: "",
  names: [],
};

/**
 * Cents from typed dollars: '$1,250.5' is 125050. NaN unless it is an amount with at most two decimals. A comma or space
 * only separates thousands: whoever types '10,50' may mean $10.50.
 */
export function parseDollars(text: string): number {
  const [, whole, decimals = ""] =
    /^\$?\s*([1-9]\d{0,2}(?:[,\s]\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(latinDigits(text).trim()) ?? [];
  return whole === undefined ? Number.NaN : Number(whole.replace(/\D/g, "")) * 100 + Number(decimals.padEnd(2, "0"));
}

/** The entry for a link to this cause; empty if there is no such category. */
export function beginEntry(cause: string | undefined, categories: readonly OfferedCategory[]): LineEntry {
  return chooseCategory(categories.find(({ key }) => key === cause));
}

/** Resets the entry, suggesting the catalogue's amount if the donor may change it. */
export function chooseCategory(category: CartCategory | undefined): LineEntry {
  return { ...emptyEntry, categoryId: category?.id, amount: suggestion(category, category?.amountCents) };
}

/** Suggests the subcategory's amount or, if it has none, the category's. */
export function chooseSubcategory(
  entry: LineEntry,
  category: CartCategory,
  subcategoryId: number | undefined,
): LineEntry {
  const chosen = category.subcategories.find(({ id }) => id === subcategoryId);
  return { ...entry, subcategoryId, amount: suggestion(category, chosen?.amountCents ?? category.amountCents) };
}

function suggestion(category: CartCategory | undefined, cents: number | null | undefined): string {
  return category?.amountIsEditable && cents ? formatDollars(cents).replace(/[$,]/g, "") : "";
}

/** Undefined for what is not chosen, or not in the catalogue any more. */
export function findChosen<Known extends CartCategory>(
  { categoryId, subcategoryId }: LineEntry,
  categories: readonly Known[],
) {
  const category = categories.find(({ id }) => id === categoryId);
  return { category, subcategory: category?.subcategories.find(({ id }) => id === subcategoryId) };
}

/** One name field for each unit (DON-7). */
export function nameCount({ quantity }: LineEntry): number {
  const units = parseQuantity(quantity);
  return units >= 1 && units <= 999 ? units : 1;
}

function parseQuantity(text: string): number {
  const digits = latinDigits(text).trim();
  return /^\d{1,3}$/.test(digits) ? Number(digits) : Number.NaN;
}

/** Unchecked: a quantity or amount that is not a number is NaN. */
export function entryLine(entry: LineEntry, categories: readonly CartCategory[]): CartLine {
  const { category, subcategory } = findChosen(entry, categories);
  const fixed = category === undefined ? null : fixedUnitCents(category, subcategory);
  return {
    categoryId: category?.id,
    category: category?.title ?? "",
    subcategoryId: subcategory?.id,
    subcategory: subcategory?.title ?? "",
    quantity: category?.quantityIsEditable ? parseQuantity(entry.quantity) : 1,
    unitCents: fixed ?? parseDollars(entry.amount),
    onBehalfOf: category?.asksNames ? cleanNames(entry.names.slice(0, nameCount(entry))) : [],
  };
}

/** The index of the first invalid name; 0 if all are valid. */
export function nameToCorrect({ names }: LineEntry): number {
  return Math.max(
    0,
    names.findIndex((name) => cleanNames([name]).some((clean) => nameFault(clean) !== undefined)),
  );
}

/** The problem with what was typed for the next line, if any. */
export function entryFault(entry: LineEntry, categories: readonly CartCategory[]): string | undefined {
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

/** Why the donor can't continue with this cart, in one sentence; undefined if they can (DON-8, DON-25). */
export function cartFault(lines: readonly CartLine[], categories: readonly CartCategory[], limits: Limits) {
  if (lines.length === 0) return "Add at least one donation to continue.";
  if (lines.some((line) => lineFault(line, categories) !== undefined)) {
    return "One of your donations has changed. Please delete it and add it again.";
  }
  const subtotal = subtotalCents(lines);
  if (subtotal < limits.minimumCents) return `The smallest donation is ${formatDollars(limits.minimumCents)}.`;
  if (subtotal > limits.maximumCents) {
    return `The largest donation is ${formatDollars(limits.maximumCents)}. Please call us to give more.`;
  }
  return undefined;
}

/** The problem with a cart line, if any: the catalogue may have changed since it was added. */
export function lineFault(line: CartLine, categories: readonly CartCategory[]): string | undefined {
  const category = findCategory(line, categories);
  if (category === undefined) return `${line.category} no longer takes donations`;
  return lineFaults(line, category)[0]?.message;
}

export const isCartFull = (lines: readonly CartLine[]) => lines.length >= MAX_CART_LINES;

/** 'Qurban, Goat' */
export function lineTitle({ category, subcategory }: CartLine): string {
  return subcategory === "" ? category : `${category}, ${subcategory}`;
}
