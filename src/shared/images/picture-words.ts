import manifest from "../ui/identity/illustrations/manifest.json" with { type: "json" };

const known: ReadonlyMap<string, string> = new Map(manifest.map(({ file, alt }) => [`/identity/${file}`, alt]));

/** The alternative text of one of our drawings; null for any other picture. */
export function pictureWords(address: string): string | null {
  return known.get(address) ?? null;
}

/** What staff say of a picture where it stands: words, or that it only decorates. */
export type InWords = { readonly image_words: string; readonly image_decorates: boolean };

export const wordsNeeded = "Say in words what the picture shows, or tick that it only decorates.";

/** Whether a picture still needs words: our own drawings have theirs. */
export const lacksWords = (address: string, words: InWords): boolean =>
  address !== "" && typedWords(words) === undefined && pictureWords(address) === null;

/** A picture's alternative text: "" if it only decorates, undefined if staff have not said. */
export function typedWords({ image_words, image_decorates }: InWords): string | undefined {
  if (image_decorates) return "";
  return image_words === "" ? undefined : image_words;
}
