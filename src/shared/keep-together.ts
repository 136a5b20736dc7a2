/** A date, a time, an amount with its currency, or digits in groups as in a phone number or an ABN. */
const numbers =
  /\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?: \d{4})?|(?:\d{1,2}[:.]\d\d\s–\s)?\d{1,2}(?:[:.]\d\d)?\s[ap]\.?m\b|\$[\d,.]+ AUD|\+?\d+(?: \d+)+/gi;

/** The text with no-break spaces inside its numbers, so that no line ends within one (LAY-13). */
export function keepTogether(text: string): string {
  return text.replace(numbers, (number) => number.replace(/\s/g, "\u00a0"));
}

/** The same for the text between the tags of HTML. */
export function keepTogetherInHtml(html: string): string {
  return html.replace(/[^<>]+(?=<|$)/g, keepTogether);
}
