import manifest from "#shared/ui/identity/illustrations/manifest.json" with { type: "json" };

const known: ReadonlyMap<string, string> = new Map(manifest.map(({ file, alt }) => [`/identity/${file}`, alt]));

/** The alternative text of one of our drawings; null for any other picture. */
export function pictureWords(address: string): string | null {
  return known.get(address) ?? null;
}
