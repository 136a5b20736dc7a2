/** Without control characters, lone surrogates and direction overrides, which could rewrite the line around a name. */
export const plainLine = /^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u;

/** Unifies line ends and removes all other control characters except tabs. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, "")
    .trim();
}
