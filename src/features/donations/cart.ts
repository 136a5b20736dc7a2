import type { PaymentMethod } from "#payments/checkout/contract.ts";
import type { Fees } from "#payments/fees.ts";
import { shareOf, splitCents } from "#shared/money.ts";

export type Subcategory = { readonly id: number; readonly title: string; readonly amountCents: number | null };

/** A cause to donate to, and how a cart line for it is entered (DON-6). */
export type CartCategory = {
  readonly id: number;
  readonly title: string;
  readonly hasSubcategories: boolean;
  readonly subcategories: Subcategory[];
  readonly quantityIsEditable: boolean;
  readonly amountIsEditable: boolean;
  readonly amountCents: number | null;
  readonly asksNames: boolean;
  readonly adminFeeApplies: boolean;
};

/** A category as the page offers it. */
export type OfferedCategory = CartCategory & {
  /** Identifies the category in URLs. Unlike the title, it never changes. */
  readonly key: string;
  readonly description: string;
  /** Offered above a free amount; empty for none. */
  readonly suggestedCents: number[];
  /** Whether its lines are tax-deductible gifts on the receipt. */
  readonly isDeductible: boolean;
};

/** One line of the cart. Pages match it to its category by id, because titles can change; the wire has only titles. */
export type CartLine = {
  readonly categoryId?: number | undefined;
  readonly category: string;
  readonly subcategoryId?: number | undefined;
  readonly subcategory: string;
  readonly quantity: number;
  readonly unitCents: number;
  readonly onBehalfOf: readonly string[];
};

/** Matches by id, or by title if the line has none, as on the wire and in old drafts. */
export function findCategory<Known extends CartCategory>(
  line: CartLine,
  categories: readonly Known[],
): Known | undefined {
  const { categoryId, category } = line;
  return categories.find(({ id, title }) => (categoryId === undefined ? title === category : id === categoryId));
}

/** The line with the catalogue's current titles. */
export function retitle(line: CartLine, categories: readonly CartCategory[]): CartLine {
  const category = findCategory(line, categories);
  if (category === undefined) return line;
  const subcategory = category.subcategories.find(({ id, title }) =>
    line.subcategoryId === undefined ? title === line.subcategory : id === line.subcategoryId,
  );
  return {
    ...line,
    categoryId: category.id,
    category: category.title,
    subcategoryId: subcategory?.id,
    subcategory: subcategory?.title ?? line.subcategory,
  };
}

export const MAX_LINE_QUANTITY = 999;
export const MAX_CART_LINES = 50;
/** Per unit. Above any donation limit, and still a safe integer when multiplied by the largest quantity. */
const MAX_UNIT_CENTS = 99_999_999_999;

/** Without fees. */
export const lineCents = ({ quantity, unitCents }: CartLine) => quantity * unitCents;
export const subtotalCents = (lines: readonly CartLine[]) => lines.reduce((sum, line) => sum + lineCents(line), 0);

export type Priced = {
  readonly subtotalCents: number;
  readonly adminFeeCents: number;
  readonly merchantFeeCents: number;
  readonly totalCents: number;
  /** Each line's share of each fee; the shares add up to the fee exactly. */
  readonly adminSharesCents: readonly number[];
  readonly merchantSharesCents: readonly number[];
};

/**
 * The sums that step 3 shows, the server charges and the receipt prints (DON-9, DON-10). The admin fee applies to the
 * subtotal of the lines it covers, the merchant fee to everything including the admin fee. Each is rounded half up
 * once, then split over the lines by largest remainder.
 */
export function price(
  lines: readonly (CartLine & { readonly adminFeeApplies: boolean })[],
  method: PaymentMethod,
  coversAdminFee: boolean,
  rates: Fees,
): Priced {
  const amounts = lines.map(lineCents);
  const subtotal = subtotalCents(lines);
  const adminWeights = amounts.map((amount, index) => (lines[index]!.adminFeeApplies ? amount : 0));
  const adminBase = adminWeights.reduce((sum, weight) => sum + weight, 0);
  const adminFeeCents = coversAdminFee ? shareOf(adminBase, rates.adminBasisPoints) : 0;
  const adminSharesCents = splitCents(adminFeeCents, adminWeights);
  const merchantFeeCents = shareOf(subtotal + adminFeeCents, rates.merchantBasisPoints[method]);
  const merchantWeights = amounts.map((amount, index) => amount + adminSharesCents[index]!);
  return {
    subtotalCents: subtotal,
    adminFeeCents,
    merchantFeeCents,
    totalCents: subtotal + adminFeeCents + merchantFeeCents,
    adminSharesCents,
    merchantSharesCents: splitCents(merchantFeeCents, merchantWeights),
  };
}

/** The fixed amount of one unit; null if the donor chooses it or none is set. */
export function fixedUnitCents(category: CartCategory, subcategory: Subcategory | undefined): number | null {
  return category.amountIsEditable ? null : (subcategory?.amountCents ?? category.amountCents);
}

/** Trims the names, drops empty ones and replaces commas, which separate names on the wire (DON-7). */
export function cleanNames(names: readonly string[]): string[] {
  return names.map((name) => name.replace(/,/g, " ").replace(/\s+/g, " ").trim()).filter(Boolean);
}

export type LineField = Exclude<keyof CartLine, "categoryId" | "subcategoryId">;
export type LineFault = { readonly field: LineField; readonly message: string };

/** Why a line can't be added or charged, according to the catalogue (DON-6 to DON-8); empty if it can. */
export function lineFaults(line: CartLine, category: CartCategory | undefined): LineFault[] {
  if (category === undefined) return [{ field: "category", message: "Choose a donation category" }];
  const faults: LineFault[] = [];
  const subcategory = category.subcategories.find(({ title }) => title === line.subcategory);
  if (category.hasSubcategories && subcategory === undefined) {
    faults.push({ field: "subcategory", message: `Choose a kind of ${category.title}` });
  }
  if (!category.hasSubcategories && line.subcategory !== "") {
    faults.push({ field: "subcategory", message: `${category.title} has no options to choose from` });
  }
  const { quantityIsEditable } = category;
  const max = quantityIsEditable ? MAX_LINE_QUANTITY : 1;
  if (!Number.isInteger(line.quantity) || line.quantity < 1 || line.quantity > max) {
    const message = quantityIsEditable ? `Enter a whole number from 1 to ${max}` : "The quantity is 1";
    faults.push({ field: "quantity", message });
  }
  const fixed = fixedUnitCents(category, subcategory);
  if (line.unitCents > MAX_UNIT_CENTS) {
    faults.push({ field: "unitCents", message: "Enter an amount below $1,000,000,000" });
  } else if (!Number.isSafeInteger(line.unitCents) || line.unitCents <= 0) {
    faults.push({ field: "unitCents", message: "Enter an amount in dollars, such as 25 or 25.50" });
  } else if (!category.amountIsEditable && line.unitCents !== fixed) {
    faults.push({ field: "unitCents", message: "The amount has changed. Please choose this donation again" });
  }
  faults.push(...nameFaults(line, category));
  return faults;
}

function nameFaults({ onBehalfOf, quantity }: CartLine, category: CartCategory): LineFault[] {
  const field = "onBehalfOf";
  if (!category.asksNames) {
    return onBehalfOf.length === 0 ? [] : [{ field, message: `${category.title} doesn’t take names` }];
  }
  if (onBehalfOf.length === 0) return [{ field, message: "Enter at least one name" }];
  if (onBehalfOf.length > quantity) return [{ field, message: "Enter no more names than the quantity" }];
  const message = onBehalfOf.map(nameFault).find((fault) => fault !== undefined);
  return message === undefined ? [] : [{ field, message }];
}

/** The problem with one on-behalf-of name, if any. */
export function nameFault(name: string): string | undefined {
  if (name.length > 100) return "Enter names of at most 100 letters";
  return /[\p{Cc}\p{Cs}]/u.test(name) ? "Enter names without control characters" : undefined;
}
