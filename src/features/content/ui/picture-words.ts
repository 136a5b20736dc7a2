import manifest from "#shared/ui/identity/illustrations/manifest.json" with { type: "json" };

const known: ReadonlyMap<string, string> = new Map(manifest.map(({ file, alt }) => [`/identity/${file}`, alt]));

/** What a drawing of the identity shows; null for any other picture, which nobody here has seen. */
export function pictureWords(address: string): string | null {
  return known.get(address) ?? null;
}
