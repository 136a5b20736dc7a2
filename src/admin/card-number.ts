/** Card numbers have 13 to 19 digits, often in groups. */
const groups = /\d+(?:[ \u00a0\u2013-]{1,3}\d+)*/g;
/** The beginnings that card networks use. Dates, telephone numbers and most ids begin otherwise. */
const beginning = /^(?:[3-6]|2[2-7])/;

/** The sentences for somebody who typed a whole card number. What they typed is neither stored nor searched for. */
export const CARD_IN_TEXT = "Take the card number out. Its last three digits are enough.";
export const CARD_IN_SEARCH =
  "Search for a name, an email or a reference, never for a whole card number. Shown without it.";

/** Whether a text has a whole card number, alone or beside other numbers such as the card's expiry. */
export function hasCardNumber(text: string): boolean {
  return [...text.matchAll(groups)].some(([run]) => hasCardIn(run.match(/\d+/g)!));
}

function hasCardIn(run: readonly string[]): boolean {
  return run.some((_, first) => {
    let digits = "";
    for (const group of run.slice(first, first + 19)) {
      digits += group;
      if (digits.length > 19) return false;
      if (digits.length >= 13 && beginning.test(digits) && passesLuhn(digits)) return true;
    }
    return false;
  });
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
