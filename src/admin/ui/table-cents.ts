import { formatDollars } from "#shared/language.ts";

/** Formats cents as '1,015.00' for tables, where the column's head or the total says the currency. */
export const tableCents = (cents: number): string => formatDollars(cents).replace("$", "");
