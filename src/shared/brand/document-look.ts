import { type BrandSources, findBrandCopy } from "./brand-pictures.ts";
import type { Hex } from "./oklch.ts";
import { readBrand } from "./read-brand.ts";
import { type BrandColours, deliveredColours, deriveShades } from "./shades.ts";
import { hashOfPicture, type SiteBrand } from "./site-brand.ts";

/** How emails, receipts and tickets look. Their fonts stay: programs for mail have none of ours, and names come in any script. */
export type DocumentLook = {
  readonly colours: BrandColours;
  /** Without the printed strip: the quiet theme, and brands that show no strips. */
  readonly isPlain: boolean;
  /** PNG at most 156 pixels high, for light and for dark grounds, in words; null without one. */
  readonly logo: { readonly onLight: Uint8Array; readonly onDark: Uint8Array; readonly words: string } | null;
};

export const deliveredLook: DocumentLook = { colours: deliveredColours, isPlain: false, logo: null };

/**
 * How documents look with this brand, or else with the published one. While the bucket that has the logo is away, they
 * have none. Call it outside of transactions.
 */
export async function readDocumentLook(sources: BrandSources, given?: SiteBrand): Promise<DocumentLook> {
  const brand = given ?? (await readBrand(sources.database));
  return {
    colours: { main: brand.main, accent: brand.accent },
    isPlain: brand.theme === "quiet" || !brand.hasStrips,
    logo: await readLogo(sources, brand).catch((error: unknown) => {
      if (sources.files.isAway(error)) return null;
      throw error;
    }),
  };
}

async function readLogo(sources: BrandSources, brand: SiteBrand): Promise<DocumentLook["logo"]> {
  const read = async (address: string) => {
    const hash = hashOfPicture(address);
    return hash === null ? undefined : await findBrandCopy(sources, hash, "print");
  };
  const onLight = (await read(brand.logoOnLight)) ?? (await read(brand.logoOnDark));
  const onDark = (await read(brand.logoOnDark)) ?? onLight;
  return onLight === undefined || onDark === undefined ? null : { onLight, onDark, words: brand.logoWords };
}

/** The shades that documents use, by what they are for. */
export type DocumentShades = ReturnType<typeof nameShades>;

let latest: { readonly colours: BrandColours; readonly shades: DocumentShades } | undefined;

/** Those of the latest colours are kept: a site has the same in all of its documents. */
export function documentShades({ main, accent }: BrandColours): DocumentShades {
  if (latest?.colours.main !== main || latest.colours.accent !== accent)
    latest = { colours: { main, accent }, shades: nameShades({ main, accent }) };
  return latest.shades;
}

function nameShades(colours: BrandColours) {
  const { light, dark } = deriveShades(colours);
  const shade = (name: string): Hex => light.get(name)!;
  const atNight = (name: string): Hex => dark.get(name)!;
  return {
    ground: shade("indigo-900"),
    ink: shade("ink"),
    muted: shade("slate-700"),
    link: shade("feroza-700"),
    tint: shade("feroza-50"),
    second: shade("madder-700"),
    secondBright: shade("madder-500"),
    accent: shade("marigold-400"),
    tileBright: shade("feroza-500"),
    night: {
      bg: atNight("bg"),
      ink: atNight("ink"),
      surface: atNight("surface"),
      line: atNight("line"),
      deep: atNight("deep"),
      solid: atNight("solid"),
      solidInk: atNight("solid-ink"),
      muted: atNight("ink-muted"),
      link: atNight("link"),
    },
  };
}
