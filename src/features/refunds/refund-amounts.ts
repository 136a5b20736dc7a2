/** The cents of an amount as people type it, '1,209.63' or '$50'; otherwise what is wrong with it. */
export function readAmount(text: string): { readonly cents: number } | { readonly fault: string } {
  const typed = text.trim();
  if (typed === "") return { fault: "Please enter an amount." };
  const found = /^(-?)\$?\s?(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d+))?$/.exec(typed);
  if (found === null) return { fault: "Write the amount in dollars, such as 12.50." };
  const [, minus, dollars = "", cents = ""] = found;
  if (cents.length > 2) return { fault: "Write at most two digits after the point, such as 12.50." };
  const amount = Number(dollars.replaceAll(",", "")) * 100 + Number(cents.padEnd(2, "0"));
  if (minus !== "" || amount === 0) return { fault: "The amount must be more than $0.00." };
  return { cents: amount };
}

/** '100.00' from 10000, as a field shows it. */
export function writeAmount(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

/** Whether a second person must approve: what one person refunds alone in a day adds up to at most the limit. */
export function needsSecondPerson(
  amountCents: number,
  { aloneCents, limitCents }: { readonly aloneCents: number; readonly limitCents: number },
): boolean {
  return aloneCents + amountCents > limitCents;
}
