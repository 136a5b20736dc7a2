/** The parts of an entry in Vite's manifest that we read. */
type Chunk = {
  file: string;
  name?: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
  assets?: string[];
};
export type Manifest = Record<string, Chunk>;

/** The script that hydrates a page's islands. */
export const BROWSER = "src/app/rendering/browser.ts";

/** Of the chunks that BROWSER loads dynamically, only islands are components. */
export const isIsland = (key: string) => key.endsWith(".tsx");

/** The key of an island's chunk: `DonationPage` is `donation-page.tsx`. @throws Error for an unknown island. */
export function islandKey(manifest: Manifest, island: string): string {
  const file = `/${island.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}.tsx`;
  const key = manifest[BROWSER]?.dynamicImports?.find((next) => next.endsWith(file));
  if (key === undefined) throw new Error(`No list of islands has '${island}' in a file of that name.`);
  return key;
}
