import { z } from "zod";
import { changesTo, withChanges } from "#shared/organisation.ts";
import { fontPairs } from "./font-pairs.ts";
import type { Hex } from "./oklch.ts";
import { deliveredColours } from "./shades.ts";

/** The rows of `site_settings`: what visitors see, and what staff are preparing. */
export const BRAND_SETTING = "brand";
export const BRAND_DRAFT = "brand_draft";

/** The home page’s blocks below its banner, as delivered. */
export const homeSections = ["cards", "about", "causes", "donors", "gallery", "tiles", "news"] as const;
export type HomeSection = (typeof homeSections)[number];

const Colour = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, "Write the colour as # and six digits or letters from a to f, such as #16214f.")
  .transform((hex) => hex as Hex);

const uploaded = /^(\/images\/[0-9a-f]{32})?$/;
/** A picture of the library, or none. Drawings are no choice: they are the delivered brand’s. */
const LibraryPicture = z.string().trim().regex(uploaded, "Choose a picture of the library.");
const Words = z
  .string()
  .trim()
  .regex(/^\P{Cc}*$/u, "Write this on one line, without control characters")
  .max(250, "Shorten this to at most 250 characters");

/** How a charity looks, apart from its name and its words. */
export const SiteBrand = z.object({
  theme: z.enum(["craft", "quiet"]),
  main: Colour,
  accent: Colour,
  fonts: z.enum(Object.keys(fontPairs) as [keyof typeof fontPairs]),
  /** Stands for mark and name, where the ground is light and where it is dark. */
  logoOnLight: LibraryPicture,
  logoOnDark: LibraryPicture,
  /** For people who cannot see it; empty for the organisation’s name. */
  logoWords: Words,
  /** A square: in front of the name without a logo, and on tabs and telephones. */
  mark: LibraryPicture,
  /** Of the charity register: a square. */
  badge: LibraryPicture,
  /** For shared links to pages that have no picture of their own. */
  sharingPicture: LibraryPicture,
  hero: z.enum(["drawing", "photograph", "nothing"]),
  heroPicture: LibraryPicture,
  heroWords: Words,
  /** The text beside the photograph says the same. */
  heroDecorates: z.boolean(),
  /** In the place of the drawings on the three cards that lead to donations. */
  cardSchools: LibraryPicture,
  cardHospitals: LibraryPicture,
  cardHomes: LibraryPicture,
  /** The small drawings beside forms, messages and invitations. */
  hasSpots: z.boolean(),
  /** Stars behind bands, the printed strip between them, the fringe on top of each page. */
  hasStars: z.boolean(),
  hasStrips: z.boolean(),
  hasFringe: z.boolean(),
  /** Each section once, in the order of the page. */
  home: z
    .array(z.object({ name: z.enum(homeSections), isShown: z.boolean() }))
    .refine(
      (list) => list.length === homeSections.length && new Set(list.map(({ name }) => name)).size === list.length,
    ),
});
export type SiteBrand = z.output<typeof SiteBrand>;

export const deliveredBrand: SiteBrand = {
  theme: "craft",
  ...deliveredColours,
  fonts: "young-serif",
  logoOnLight: "",
  logoOnDark: "",
  logoWords: "",
  mark: "",
  badge: "",
  sharingPicture: "",
  hero: "drawing",
  heroPicture: "",
  heroWords: "",
  heroDecorates: false,
  cardSchools: "",
  cardHospitals: "",
  cardHomes: "",
  hasSpots: true,
  hasStars: true,
  hasStrips: true,
  hasFringe: true,
  home: homeSections.map((name) => ({ name, isShown: true })),
};

/** The brand with these changes; null if SQL has written an invalid one. */
export function readBrandChanges(changes: unknown): SiteBrand | null {
  const parsed = SiteBrand.safeParse(withChanges(deliveredBrand, changes));
  return parsed.success ? parsed.data : null;
}

/** What to keep of it: only what differs from the delivered brand. */
export const brandChanges = (brand: SiteBrand): unknown => changesTo(deliveredBrand, brand) ?? {};

/** The hash of an uploaded picture; null for none. */
export const hashOfPicture = (address: string): string | null => /[0-9a-f]{32}$/.exec(address)?.[0] ?? null;

const pictureNames = [
  "logoOnLight",
  "logoOnDark",
  "mark",
  "badge",
  "sharingPicture",
  "heroPicture",
  "cardSchools",
  "cardHospitals",
  "cardHomes",
] as const;

/** The pictures that it uses. */
export const listBrandPictures = (brand: SiteBrand) =>
  pictureNames.map((name) => ({ name, address: brand[name] })).filter(({ address }) => address !== "");
