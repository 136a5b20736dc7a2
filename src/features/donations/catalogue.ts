/** How a line of a cause is entered (DON-6). A cause keeps the way it was added with. */
export type EntryWay = keyof typeof entryWays;

export const entryWays = {
  free: { label: "The donor chooses the amount", kinds: false, quantity: false, free: true },
  units: { label: "A fixed price each, any number", kinds: false, quantity: true, free: false },
  kinds: { label: "Several kinds, each with its price, any number", kinds: true, quantity: true, free: false },
  "free-kinds": { label: "Several kinds, the donor chooses the amount", kinds: true, quantity: false, free: true },
} as const;

export const isEntryWay = (text: string): text is EntryWay => Object.hasOwn(entryWays, text);

/** A price of one unit, as it was set. */
export type Price = {
  readonly id: number;
  readonly subcategoryId: number | null;
  /** YYYY-MM-DD, in Sydney. */
  readonly holdsFrom: string;
  readonly cents: number;
  readonly isWithdrawn: boolean;
};

export type PriceState = "holds" | "to come" | "past" | "withdrawn";

/**
 * The state of each price on a day. Of the prices whose day has come, the one with the latest day holds; of two for the
 * same day, the one that was set later.
 */
export function statesOf(prices: readonly Price[], today: string): ReadonlyMap<number, PriceState> {
  const states = new Map<number, PriceState>();
  const holding = new Map<number | null, Price>();
  for (const price of prices) {
    if (price.isWithdrawn) states.set(price.id, "withdrawn");
    else if (price.holdsFrom > today) states.set(price.id, "to come");
    else {
      states.set(price.id, "past");
      const other = holding.get(price.subcategoryId);
      if (other === undefined || isLater(price, other)) holding.set(price.subcategoryId, price);
    }
  }
  for (const { id } of holding.values()) states.set(id, "holds");
  return states;
}

const isLater = (one: Price, other: Price) =>
  one.holdsFrom > other.holdsFrom || (one.holdsFrom === other.holdsFrom && one.id > other.id);

/** Cents from dollars as people type them: '190', '190.50' or '1,015'; null for anything else, and for nothing. */
export function readPrice(text: string): number | null {
  const plain = text
    .trim()
    .replace(/^\$\s*/, "")
    .replaceAll(",", "");
  if (!/^\d{1,6}(\.\d{1,2})?$/.test(plain)) return null;
  const cents = Math.round(Number(plain) * 100);
  return cents > 0 ? cents : null;
}

const MAX_SUGGESTED = 6;

/** Amounts in ascending order from '25, 50, 100'; null if one of them is not an amount, or if there are too many. */
export function readSuggested(text: string): number[] | null {
  const amounts = text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(readPrice);
  if (amounts.includes(null) || amounts.length > MAX_SUGGESTED) return null;
  return [...new Set(amounts as number[])].sort((one, other) => one - other);
}

/** The name in the ledger and in addresses, from a title: 'Water wells' gives 'water-wells'. */
export function fundOf(title: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/['’]|\p{M}/gu, "")
    .match(/[a-z]+/g);
  return (words ?? []).join("-").slice(0, 60).replace(/-+$/, "");
}
