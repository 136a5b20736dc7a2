/** The texts of a path or query. What comes twice, and so is no text, is left out. */
export function readTexts(given: unknown): Record<string, string> {
  const texts = Object.entries((given ?? {}) as Record<string, unknown>);
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
