import type { PaymentMethod } from "#payments/checkout/contract.ts";
import { shareOf, splitCents } from "#shared/money.ts";

/** Basis points: 150 is 1.5 %. */
export type FeeRates = {
  readonly adminBasisPoints: number;
  readonly merchantBasisPoints: Readonly<Record<PaymentMethod, number>>;
};

export type Subcategory = { readonly id: number; readonly title: string; readonly amountCents: number | null };

/** What a donor can give to, and how a line of it is entered (DON-6). */
export type Category = {
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
export type OfferedCategory = Category & {
  /** Names it in addresses, and stays when its title changes. */
  readonly key: string;
  /** Whether its lines are tax-deductible gifts on the receipt. */
  readonly isDeductible: boolean;
};

/** One line of the cart, by titles as the wire carries them; cents a unit. */
export type CartLine = {
  readonly category: string;
  readonly subcategory: string;
  readonly quantity: number;
  readonly unitCents: number;
  readonly onBehalfOf: readonly string[];
};

export const MAXIMUM_QUANTITY = 999;
export const MAXIMUM_LINES = 50;
/** Of one unit: above every limit of a donation, and exact when multiplied by a quantity. */
const MAXIMUM_UNIT_CENTS = 99_999_999_999;

export const lineCents = ({ quantity, unitCents }: CartLine) => quantity * unitCents;
export const subtotalCents = (lines: readonly CartLine[]) => lines.reduce((sum, line) => sum + lineCents(line), 0);

export type Priced = {
  readonly subtotalCents: number;
  readonly adminFeeCents: number;
  readonly merchantFeeCents: number;
  readonly totalCents: number;
  /** For each line its part of each fee; the parts sum to the fees to the cent. */
  readonly adminSharesCents: readonly number[];
  readonly merchantSharesCents: readonly number[];
};

/**
 * The sums that step 3 shows, the server charges and the receipt prints (DON-9, DON-10). The admin fee is on the subtotal
 * of the lines it applies to, the merchant fee on everything including the admin fee; each is rounded half up once and
 * split over the lines by largest remainder.
 */
export function price(
  lines: readonly (CartLine & { readonly adminFeeApplies: boolean })[],
  method: PaymentMethod,
  coversAdminFee: boolean,
  rates: FeeRates,
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

/** The fixed amount of one unit, where the donor may not choose it; null where they may or nothing is fixed. */
export function fixedUnitCents(category: Category, subcategory: Subcategory | undefined): number | null {
  return category.amountIsEditable ? null : (subcategory?.amountCents ?? category.amountCents);
}

/** Trimmed, without commas (the wire joins names with them) and without empty ones (DON-7). */
export function cleanNames(names: readonly string[]): string[] {
  return names.map((name) => name.replace(/,/g, " ").replace(/\s+/g, " ").trim()).filter(Boolean);
}

export type LineFault = { readonly field: keyof CartLine; readonly message: string };

/** What keeps a line from being added or charged, by the catalogue (DON-6 to DON-8); empty when it is good. */
export function lineFaults(line: CartLine, category: Category | undefined): LineFault[] {
  if (category === undefined) return [{ field: "category", message: "Choose a donation category" }];
  const faults: LineFault[] = [];
  const subcategory = category.subcategories.find(({ title }) => title === line.subcategory);
  if (category.hasSubcategories && subcategory === undefined) {
    faults.push({ field: "subcategory", message: `Choose a kind of ${category.title}` });
  }
  if (!category.hasSubcategories && line.subcategory !== "") {
    faults.push({ field: "subcategory", message: `${category.title} has no kinds to choose from` });
  }
  const quantity = category.quantityIsEditable ? MAXIMUM_QUANTITY : 1;
  if (!Number.isInteger(line.quantity) || line.quantity < 1 || line.quantity > quantity) {
    const message = quantity === 1 ? "The quantity is 1" : `Enter a whole number from 1 to ${MAXIMUM_QUANTITY}`;
    faults.push({ field: "quantity", message });
  }
  const fixed = fixedUnitCents(category, subcategory);
  if (line.unitCents > MAXIMUM_UNIT_CENTS) {
    faults.push({ field: "unitCents", message: "Enter an amount below $1,000,000,000" });
  } else if (!Number.isSafeInteger(line.unitCents) || line.unitCents <= 0) {
    faults.push({ field: "unitCents", message: "Enter an amount above zero with at most 2 decimals" });
  } else if (!category.amountIsEditable && line.unitCents !== fixed) {
    faults.push({ field: "unitCents", message: "The amount has changed. Please choose this donation again" });
  }
  faults.push(...nameFaults(line, category));
  return faults;
}

function nameFaults({ onBehalfOf, quantity }: CartLine, category: Category): LineFault[] {
  const field = "onBehalfOf";
  if (!category.asksNames) {
    return onBehalfOf.length === 0 ? [] : [{ field, message: `${category.title} takes no names` }];
  }
  if (onBehalfOf.length === 0) return [{ field, message: "Enter at least one name" }];
  if (onBehalfOf.length > quantity) return [{ field, message: "There are more names than units" }];
  const message = onBehalfOf.map(nameFault).find((fault) => fault !== undefined);
  return message === undefined ? [] : [{ field, message }];
}

/** What is wrong with one on-behalf-of name. */
export function nameFault(name: string): string | undefined {
  if (name.length > 100) return "Enter names of at most 100 letters";
  return /[\p{Cc}\p{Cs}]/u.test(name) ? "Enter names without control characters" : undefined;
}
