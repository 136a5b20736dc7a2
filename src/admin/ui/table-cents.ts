import { formatDollars } from "#shared/language.ts";

/** '1,015.00' in tables, where the head of the column or the total says the currency. */
export const tableCents = (cents: number): string => formatDollars(cents).replace("$", "");
