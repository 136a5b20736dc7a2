/** The texts of a path or query. A name that comes more than once is left out. */
export function readTexts(given: unknown): Record<string, string> {
  const texts = Object.entries((given ?? {}) as Record<string, unknown>);
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
