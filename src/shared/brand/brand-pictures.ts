import type { Connection } from "#shared/database/connect.ts";
import { type Files, storedFile } from "#shared/database/stored-file.ts";
import { createByteCache } from "#shared/images/byte-cache.ts";
import { MAX_PIXELS } from "#shared/images/read-head.ts";

/** What is made of a brand’s picture. Copies of the library have no transparency, so these come from its original. */
export const brandCopies = {
  /** As high as the header shows it on the sharpest screens. */
  logo: { ending: "webp", type: "image/webp" },
  /** The same for emails, which many programs cannot show as WebP, and for PDFs and sharing pictures. */
  print: { ending: "png", type: "image/png" },
  mark: { ending: "webp", type: "image/webp" },
  badge: { ending: "webp", type: "image/webp" },
  "icon-32": { ending: "png", type: "image/png" },
  "icon-180": { ending: "png", type: "image/png" },
  "icon-192": { ending: "png", type: "image/png" },
  "icon-512": { ending: "png", type: "image/png" },
  "maskable-512": { ending: "png", type: "image/png" },
} as const;
export type BrandCopy = keyof typeof brandCopies;

/** In CSS pixels; the copies have three times as many. */
export const LOGO_HEIGHT = 52;
export const LOGO_WIDTH = 280;
/** As wide as it is shown at most. */
const BADGE_SIDE = 72;
const SHARPEST = 3;

/** For each database, as pictures are one database’s. */
const copiesIn = new WeakMap<Connection, ReturnType<typeof createByteCache<{ bytes: Buffer }>>>();

/** Where pictures are read from. */
export type BrandSources = { readonly database: Connection; readonly files: Files };

/**
 * The bytes of a copy, made once; undefined if the library does not have the picture any more. @throws AppError
 * `files_away`
 */
export async function findBrandCopy(
  { database, files }: BrandSources,
  hash: string,
  copy: BrandCopy,
): Promise<Buffer | undefined> {
  const known = copiesIn.get(database) ?? createByteCache<{ bytes: Buffer }>(4 * 1024 * 1024);
  copiesIn.set(database, known);
  const found = await known.find(`${hash} ${copy}`, async () => {
    const original = await database
      .selectFrom("image_originals")
      .select(storedFile)
      .where("hash", "=", hash)
      .executeTakeFirst();
    return original && { bytes: await draw(await files.read(original), copy) };
  });
  return found?.bytes;
}

const clear = { r: 255, g: 255, b: 255, alpha: 0 };
const white = { r: 255, g: 255, b: 255 };

async function draw(original: Buffer, copy: BrandCopy): Promise<Buffer> {
  const { sharp } = await import("#shared/images/sharp.ts");
  const picture = sharp(original, { failOn: "error", limitInputPixels: MAX_PIXELS })
    .timeout({ seconds: 30 })
    .autoOrient()
    .toColourspace("srgb");
  const inBox = (width: number, height: number) =>
    picture.resize({ width, height, fit: "inside", withoutEnlargement: true });
  /** A square whatever the picture is. */
  const square = (side: number) => picture.resize({ width: side, height: side, fit: "contain", background: clear });
  switch (copy) {
    case "logo":
      return inBox(LOGO_WIDTH * SHARPEST, LOGO_HEIGHT * SHARPEST)
        .webp({ quality: 90, alphaQuality: 100 })
        .toBuffer();
    case "print":
      return inBox(LOGO_WIDTH * SHARPEST, LOGO_HEIGHT * SHARPEST)
        .png({ compressionLevel: 9 })
        .toBuffer();
    case "mark":
    case "badge":
      return square((copy === "mark" ? LOGO_HEIGHT : BADGE_SIDE) * SHARPEST)
        .webp({ quality: 90, alphaQuality: 100 })
        .toBuffer();
    case "icon-180": {
      // Telephones put it on black otherwise.
      const mark = await square(140).png().toBuffer();
      return onWhite(mark, 180);
    }
    case "maskable-512": {
      // Launchers cut a circle of 80 % out of it, so the mark stays well within.
      const mark = await square(340).png().toBuffer();
      return onWhite(mark, 512);
    }
    default:
      return square(Number(copy.slice("icon-".length)))
        .png({ compressionLevel: 9 })
        .toBuffer();
  }
}

async function onWhite(input: Buffer, side: number): Promise<Buffer> {
  const { sharp } = await import("#shared/images/sharp.ts");
  return sharp({ create: { width: side, height: side, channels: 3, background: white } })
    .composite([{ input }])
    .png({ compressionLevel: 9 })
    .toBuffer();
}
