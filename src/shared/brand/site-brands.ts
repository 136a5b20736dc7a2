import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { LRUCache } from "lru-cache";
import type { Database } from "#shared/database/connect.ts";
import type { Files } from "#shared/database/stored-file.ts";
import { type BrandFrame, type BrandImage, placeholderBadge } from "#shared/images/brand-frame.ts";
import type { Picture } from "#shared/images/picture.ts";
import { typedWords } from "#shared/images/picture-words.ts";
import { describePictures } from "#shared/images/store.ts";
import { type BrandCopy, brandCopies, findBrandCopy, LOGO_HEIGHT, LOGO_WIDTH } from "./brand-pictures.ts";
import { deliveredFrame } from "./delivered-frame.ts";
import { fontPairs } from "./font-pairs.ts";
import {
  BRAND_DRAFT,
  BRAND_SETTING,
  deliveredBrand,
  hashOfPicture,
  listBrandPictures,
  readBrandChanges,
  type SiteBrand,
} from "./site-brand.ts";
import { hasHeroPicture, isDelivered, showsHero, writeBrandStyles } from "./stylesheet.ts";

export type BrandFile = { readonly bytes: Buffer; readonly type: string };

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

const resolveFile = createRequire(import.meta.url).resolve;
const shortHash = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** How often an unknown file makes a process look whether the brand has changed meanwhile. */
const LOOK_AGAIN_MS = 1000;

/**
 * The brand, kept in memory. Its files have the hash of what they are made from in their names, so each answer holds for
 * good. A process that is asked for a file which another has just linked looks into the database first.
 */
export function createSiteBrands({ database, files, log, isDemo }: BrandServices): SiteBrands {
  /** Stylesheets by their names, fonts by theirs, and the pictures that known brands use. */
  const styles = new LRUCache<string, Buffer>({ max: 20 });
  const fonts = new Map<string, Buffer>();
  const pictures = new LRUCache<string, true>({ max: 200 });
  const unchanged = { ...deliveredFrame, badge: isDemo ? placeholderBadge : null };
  let brand = deliveredBrand;
  let frame: BrandFrame = unchanged;
  let lookedAt = Number.NEGATIVE_INFINITY;

  const fontAddress = ({ package: name, file }: { readonly package: string; readonly file: string }) => {
    const bytes = readFileSync(resolveFile(`${name}/files/${file}`));
    const own = file.replace(".woff2", `-${shortHash(bytes)}.woff2`);
    fonts.set(own, bytes);
    return `/brand/${own}`;
  };

  const frameOf = async (wanted: SiteBrand): Promise<BrandFrame> => {
    if (isDelivered(wanted)) return unchanged;
    const described = await describePictures(
      database,
      listBrandPictures(wanted).map(({ address }) => address),
    );
    const addressOf = (picture: string, copy: BrandCopy): string => {
      const hash = hashOfPicture(picture)!;
      pictures.set(hash, true);
      return `/brand/${copy}-${hash}.${brandCopies[copy].ending}`;
    };
    const find = (address: string): Picture | null =>
      described.get(address)?.widths.length ? described.get(address)! : null;
    const logo = logoOf(wanted, find, addressOf);
    const mark = find(wanted.mark);
    const darkLogo = logo?.onDark.address ?? null;
    const css = writeBrandStyles(wanted, { pattern: readPattern, fontAddress, darkLogo });
    const name = `site-${shortHash(css)}.css`;
    styles.set(name, Buffer.from(css));
    const pair = fontPairs[wanted.fonts];
    const isQuiet = wanted.theme === "quiet";
    const hero = hasHeroPicture(wanted) ? find(wanted.heroPicture) : null;
    return {
      stylesheet: css === "" ? null : `/brand/${name}`,
      fonts:
        pair.files.length === 0 ? null : pair.files.flatMap((file) => ("isFirst" in file ? [fontAddress(file)] : [])),
      usesTextFont: pair.text === fontPairs["young-serif"].text,
      themeColour: wanted.main,
      logo,
      mark: mark && { address: addressOf(wanted.mark, "mark"), width: LOGO_HEIGHT, height: LOGO_HEIGHT },
      icons: mark && {
        favicon: addressOf(wanted.mark, "icon-32"),
        touch: addressOf(wanted.mark, "icon-180"),
        small: addressOf(wanted.mark, "icon-192"),
        large: addressOf(wanted.mark, "icon-512"),
        maskable: addressOf(wanted.mark, "maskable-512"),
      },
      badge: find(wanted.badge) === null ? unchanged.badge : addressOf(wanted.badge, "badge"),
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

  const lookAgain = async () => {
    if (performance.now() - lookedAt < LOOK_AGAIN_MS) return;
    lookedAt = performance.now();
    await refresh();
    const draft = (await readRows())(BRAND_DRAFT) as { readonly brand?: unknown } | undefined;
    const drafted = draft?.brand === undefined ? null : readBrandChanges(draft.brand);
    if (drafted !== null) await frameOf(drafted);
  };

  const findKnown = async (name: string): Promise<BrandFile | null> => {
    const style = styles.get(name);
    if (style !== undefined) return { bytes: style, type: "text/css; charset=utf-8" };
    const font = fonts.get(name);
    if (font !== undefined) return { bytes: font, type: "font/woff2" };
    const [, copy, hash = ""] = /^([\w-]+)-([0-9a-f]{32})\.(?:webp|png)$/.exec(name) ?? [];
    if (!isCopy(copy) || !pictures.has(hash)) return null;
    const bytes = await findBrandCopy({ database, files }, hash, copy);
    return bytes === undefined ? null : { bytes, type: brandCopies[copy].type };
  };

  return {
    current: () => brand,
    frame: () => frame,
    refresh,
    frameOf,
    async findFile(name) {
      const known = await findKnown(name);
      if (known !== null) return known;
      await lookAgain();
      return findKnown(name);
    },
  };
}

const isCopy = (name: string | undefined): name is BrandCopy => name !== undefined && Object.hasOwn(brandCopies, name);

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
      ...{ width: Math.round(width * scale), height: Math.round(height * scale) },
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
