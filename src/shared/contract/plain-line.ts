/** Without control characters, lone surrogates and direction overrides, which could rewrite the line around a name. */
export const plainLine = /^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u;

/** Word writes a line break within a paragraph as a vertical tab. */
export const lineEnds = /\r\n?|[\v\f\u2028\u2029]/g;

/** Unifies line ends, those of word processors too, and removes all other control characters except tabs. */
export function plainText(text: string): string {
  return text
    .replace(lineEnds, "\n")
    .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, "")
    .trim();
}
