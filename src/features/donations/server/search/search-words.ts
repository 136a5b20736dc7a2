import { readReference } from "#payments/reference.ts";

/** What search words may mean besides parts of names and emails. */
export type Meanings = {
  /** A whole reference of a donation, a payment or a refund. If set, nothing else is searched for. */
  readonly reference: string | null;
  /** The number of a receipt that was written out, R-000123. If set, nothing else is searched for. */
  readonly receipt: number | null;
  /** What may be a provider's id of a payment or refund. If one has this id, nothing else is searched for. */
  readonly transactionId: string | null;
  /** The receipt that a number alone may mean. */
  readonly receiptNumber: number | null;
  /** The amounts that a number alone may mean: whole dollars mean any cents. */
  readonly cents: { readonly from: number; readonly to: number } | null;
  /** The end of a card's number that a number alone may mean; the provider gives us three digits. */
  readonly cardEnd: string | null;
};

/** What the typed words may mean. They may mean several things. */
export function readMeanings(q: string): Meanings {
  const text = q.trim();
  const digits = /^\d{1,12}$/.test(text) ? text : null;
  return {
    reference: readReference(text, "D", "P", "R"),
    receipt: readNumber(/^R-?0*(\d{1,12})$/i.exec(text)?.[1]),
    transactionId: /^(?=.*\d)[\w-]{5,64}$/.test(text) && !/^\d{1,7}$/.test(text) ? text : null,
    receiptNumber: readNumber(digits),
    cents: readCents(text),
    cardEnd: /^(?:(?:card|x+|[•*.…]+)\s*)?(\d{3,4})$/i.exec(text)?.[1]?.slice(-3) ?? null,
  };
}

const readNumber = (digits: string | null | undefined) => (digits ? Number(digits) : null);

/** $50, 1,234.50, 51.5 as spreadsheets write it, or 50: whole dollars mean any cents. */
function readCents(text: string): Meanings["cents"] {
  const found = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(text);
  if (found === null) return null;
  const dollars = Number(found[1]!.replaceAll(",", "")) * 100;
  if (found[2] === undefined) return { from: dollars, to: dollars + 99 };
  const cents = dollars + Number(found[2].padEnd(2, "0"));
  return { from: cents, to: cents };
}
