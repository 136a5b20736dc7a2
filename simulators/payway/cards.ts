/** What a card does when it is charged. No digit of the card is kept. */
export type Verdict =
  | { readonly kind: "approved"; readonly code: string }
  | { readonly kind: "approved_up_to"; readonly limitCents: number; readonly code: string }
  | { readonly kind: "declined"; readonly code: string }
  | { readonly kind: "fault" };

/** The transaction status of EMV 3-D Secure. */
export type TransStatus = "Y" | "A" | "C" | "N" | "R" | "U";

export type CardInput = {
  readonly number: string;
  readonly cvn: string;
  /** 1 to 12. */
  readonly month: number;
  /** Four digits. */
  readonly year: number;
};

type TestCard = { readonly cvn: string; readonly month: number; readonly yearEnd: number; readonly verdict: Verdict };

/** The cents of the amount decide, not its number: see fault-card.ts. */
const FAULT_CARD = "4111111111111111";

const declined = (code: string): Verdict => ({ kind: "declined", code });

/**
 * The cards of PayWay's test facility: `02/#9` there is month 2, year end 9, any decade to come. The codes of approval
 * differ on purpose, since the real facility's do: an adapter that waits for `00` fails here too.
 */
const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  "4564710000000004": { cvn: "847", month: 2, yearEnd: 9, verdict: { kind: "approved", code: "08" } },
  "5163200000000008": { cvn: "070", month: 8, yearEnd: 0, verdict: { kind: "approved", code: "00" } },
  "376000000000006": { cvn: "2349", month: 6, yearEnd: 0, verdict: { kind: "approved", code: "11" } },
  "36430000000007": { cvn: "348", month: 6, yearEnd: 2, verdict: { kind: "approved", code: "08" } },
  "4564710000000012": { cvn: "963", month: 2, yearEnd: 5, verdict: declined("54") },
  "4564710000000020": {
    cvn: "234",
    month: 5,
    yearEnd: 0,
    verdict: { kind: "approved_up_to", limitCents: 1000, code: "08" },
  },
  "5163200000000016": { cvn: "728", month: 12, yearEnd: 9, verdict: declined("43") },
  "4564720000000037": { cvn: "030", month: 9, yearEnd: 9, verdict: declined("QQ") },
  "343400000000016": { cvn: "9023", month: 1, yearEnd: 9, verdict: declined("36") },
  "36430000000015": { cvn: "988", month: 8, yearEnd: 1, verdict: declined("43") },
};

const RESPONSE_TEXTS: Readonly<Record<string, string>> = {
  "00": "Approved or completed successfully",
  "05": "Do not honour",
  "08": "Honour with identification",
  "11": "Approved VIP",
  "36": "Restricted card",
  "43": "Stolen card",
  "51": "Not sufficient funds",
  "54": "Expired card",
  "91": "Issuer or switch inoperative",
  Q2: "Transaction pending",
  Q3: "Payment gateway connection error",
  Q4: "Payment gateway unavailable",
  Q6: "Duplicate transaction, requery to determine status",
  QE: "Internal error",
  QI: "Transaction incomplete, contact Westpac",
  QQ: "Invalid credit card or CVN",
  QX: "Network error",
};

/** Decides what the card does. `now` is in milliseconds; an expired card and a wrong CVN or expiry are declined. */
export function judgeCard(card: CardInput, now: number): Verdict {
  if (hasExpired(card, now)) return declined("54");
  if (card.number === FAULT_CARD) return { kind: "fault" };
  const known = TEST_CARDS[card.number];
  if (known === undefined) return declined("05");
  const isRight = known.cvn === card.cvn && known.month === card.month && known.yearEnd === card.year % 10;
  return isRight ? known.verdict : declined("05");
}

/** Decides the result of 3-D Secure: the names `3DS-Y` to `3DS-U` give that answer, any other name passes. */
export function judgeCardholder(name: string): TransStatus {
  const asked = /^3DS-([YACNRU])$/i.exec(name.trim())?.[1];
  return (asked?.toUpperCase() as TransStatus | undefined) ?? "Y";
}

export function responseText(code: string): string {
  return RESPONSE_TEXTS[code] ?? "Declined";
}

/** `456471...004`, as PayWay writes it. */
export function maskCardNumber(number: string): string {
  return `${number.slice(0, 6)}...${number.slice(-3)}`;
}

/** The card's scheme by its first digits, as PayWay names it. */
export function cardScheme(number: string): string {
  if (number.startsWith("4")) return "visa";
  if (/^3[47]/.test(number)) return "amex";
  if (/^3[0689]/.test(number)) return "diners";
  return /^[25]/.test(number) ? "mastercard" : "unknown";
}

/** A card is valid to the end of its month. */
function hasExpired({ month, year }: CardInput, now: number): boolean {
  return now >= Date.UTC(year, month, 1);
}
