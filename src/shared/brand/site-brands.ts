import { readFileSync } from "node:fs";
import type { Database } from "#shared/database/connect.ts";
import type { Files } from "#shared/database/stored-file.ts";
import { type BrandFrame, type BrandImage, placeholderBadge } from "#shared/images/brand-frame.ts";
import type { Picture } from "#shared/images/picture.ts";
import { typedWords } from "#shared/images/picture-words.ts";
import { describePictures } from "#shared/images/store.ts";
import { type BrandFile, createBrandFiles } from "./brand-files.ts";
import { type BrandCopy, LOGO_HEIGHT, LOGO_WIDTH } from "./brand-pictures.ts";
import { deliveredFrame } from "./delivered-frame.ts";
import { fontPairs } from "./font-pairs.ts";
import {
  BRAND_DRAFT,
  BRAND_SETTING,
  deliveredBrand,
  listBrandPictures,
  readBrandChanges,
  type SiteBrand,
} from "./site-brand.ts";
import { hasHeroPicture, isDelivered, showsHero, writeBrandStyles } from "./stylesheet.ts";

export type SiteBrands = {
  /** The brand that visitors see. */
  current(): SiteBrand;
  /** The same as pages need it. */
  frame(): BrandFrame;
  refresh(): Promise<void>;
  /** Another brand as pages would need it; its files can be fetched from then on. */
  frameOf(brand: SiteBrand): Promise<BrandFrame>;
  /** A file below /brand/; null if no known brand has it. */
  findFile(name: string): Promise<BrandFile | null>;
};

type Log = { error(details: object, message: string): void };
type BrandServices = {
  readonly database: Database;
  readonly files: Files;
  readonly log: Log;
  readonly isDemo: boolean;
};

/** How often an unknown file makes a process check whether another has changed the brand. */
const CHECK_AGAIN_MS = 1000;

/**
 * The brand, kept in memory. A process that is asked for a file which another has just linked checks the database
 * first.
 */
export function createSiteBrands({ database, files, log, isDemo }: BrandServices): SiteBrands {
  const brandFiles = createBrandFiles({ database, files });
  const unchanged = { ...deliveredFrame, badge: isDemo ? placeholderBadge : null };
  let brand = deliveredBrand;
  let frame: BrandFrame = unchanged;
  let checkedAt = Number.NEGATIVE_INFINITY;

  const frameOf = async (wanted: SiteBrand): Promise<BrandFrame> => {
    if (isDelivered(wanted)) return unchanged;
    const described = await describePictures(
      database,
      listBrandPictures(wanted).map(({ address }) => address),
    );
    const find = (address: string): Picture | null =>
      described.get(address)?.widths.length ? described.get(address)! : null;
    const { addStyles, addFont, addPicture } = brandFiles;
    const logo = logoOf(wanted, find, addPicture);
    const mark = find(wanted.mark);
    const darkLogo = logo?.onDark.address ?? null;
    const css = writeBrandStyles(wanted, { pattern: readPattern, fontAddress: addFont, darkLogo });
    const pair = fontPairs[wanted.fonts];
    const isQuiet = wanted.theme === "quiet";
    const hero = hasHeroPicture(wanted) ? find(wanted.heroPicture) : null;
    return {
      stylesheet: css === "" ? null : addStyles(css),
      fonts: pair.files.length === 0 ? null : pair.files.flatMap((file) => ("isFirst" in file ? [addFont(file)] : [])),
      usesTextFont: pair.text === fontPairs["young-serif"].text,
      themeColour: wanted.main,
      logo,
      mark: mark && { address: addPicture(wanted.mark, "mark"), width: LOGO_HEIGHT, height: LOGO_HEIGHT },
      icons: mark && {
        favicon: addPicture(wanted.mark, "icon-32"),
        touch: addPicture(wanted.mark, "icon-180"),
        small: addPicture(wanted.mark, "icon-192"),
        large: addPicture(wanted.mark, "icon-512"),
        maskable: addPicture(wanted.mark, "maskable-512"),
      },
      badge: find(wanted.badge) === null ? unchanged.badge : addPicture(wanted.badge, "badge"),
      hero: hero !== null ? { picture: hero, words: wordsOf(wanted) } : showsHero(wanted) ? "drawing" : "nothing",
      cards: [wanted.cardSchools, wanted.cardHospitals, wanted.cardHomes].map(
        (card) => find(card) ?? (isQuiet ? "nothing" : "drawing"),
      ),
      home: wanted.home.flatMap(({ name, isShown }) => (isShown ? [name] : [])),
    };
  };

  /** The draft too, because its preview may be on another process. */
  const readRows = async () => {
    const rows = await database
      .selectFrom("site_settings")
      .select(["key", "value"])
      .where("key", "in", [BRAND_SETTING, BRAND_DRAFT])
      .execute();
    return (key: string) => rows.find((row) => row.key === key)?.value;
  };

  const refresh = async () => {
    const read = (await readRows())(BRAND_SETTING) ?? {};
    const next = readBrandChanges(read);
    if (next === null) log.error({}, "the brand in the database is invalid");
    else [frame, brand] = [await frameOf(next), next];
  };

  const checkAgain = async () => {
    if (performance.now() - checkedAt < CHECK_AGAIN_MS) return;
    checkedAt = performance.now();
    await refresh();
    const draft = (await readRows())(BRAND_DRAFT) as { readonly brand?: unknown } | undefined;
    const drafted = draft?.brand === undefined ? null : readBrandChanges(draft.brand);
    if (drafted !== null) await frameOf(drafted);
  };

  return {
    current: () => brand,
    frame: () => frame,
    refresh,
    frameOf,
    async findFile(name) {
      const known = await brandFiles.find(name);
      if (known !== null) return known;
      await checkAgain();
      return brandFiles.find(name);
    },
  };
}

const wordsOf = ({ heroWords, heroDecorates }: SiteBrand) =>
  typedWords({ image_words: heroWords, image_decorates: heroDecorates }) ?? "";

/** One logo stands for the other where there is only one. */
function logoOf(
  { logoOnLight, logoOnDark, logoWords }: SiteBrand,
  find: (address: string) => Picture | null,
  addressOf: (picture: string, copy: BrandCopy) => string,
): BrandFrame["logo"] {
  const imageOf = (picture: string): BrandImage | null => {
    const described = find(picture);
    if (described === null) return null;
    const { width, height } = described;
    const scale = Math.min(LOGO_WIDTH / width, LOGO_HEIGHT / height);
    return {
      address: addressOf(picture, "logo"),
      width: Math.round(width * scale),
      height: Math.round(height * scale),
    };
  };
  const onLight = imageOf(logoOnLight) ?? imageOf(logoOnDark);
  const onDark = imageOf(logoOnDark) ?? onLight;
  return onLight === null || onDark === null ? null : { onLight, onDark, words: logoWords };
}

const patterns = new Map<string, string>();

function readPattern(name: string): string {
  const known =
    patterns.get(name) ?? readFileSync(new URL(`../ui/identity/patterns/${name}.svg`, import.meta.url), "utf8");
  patterns.set(name, known);
  return known;
}
