import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { deriveShades } from "#shared/brand/shades.ts";
import { deliveredBrand } from "#shared/brand/site-brand.ts";
import type { Picture } from "#shared/images/picture.ts";
import { canvas, column, opening, plainGround, signature } from "./sharing-art.ts";
import { deliveredSharing, type SharingBrand } from "./sharing-brand.ts";
import { drawText, type TextImage } from "./sharing-text.ts";

type SharingPicture = {
  readonly title: string;
  readonly organisationName: string;
  /** Of the page; null if it has none. */
  readonly picture: Picture | null;
  /** As delivered if left out. */
  readonly brand?: SharingBrand;
};

type ReadVariant = (wanted: {
  hash: string;
  width: number;
  format: "jpeg";
}) => Promise<{ readonly bytes: Buffer } | undefined>;

const fallback = "hero-girl-reading";
const markSize = 60;

/**
 * Draws the picture for shared links (NAV-9), a PNG of 1200 × 630 pixels.
 * @param folder where the build put the background and the drawings, `dist/sharing`.
 * @param readVariant reads the bytes of a stored picture.
 */
export function createSharingPictures({ folder, readVariant }: { folder: string; readVariant: ReadVariant }) {
  const inTurn = pLimit(2);
  const art = (name: string) => readFile(join(folder, `${name}.png`));

  const findPhotograph = async (hash: string, picture: Picture) => {
    const found = await readVariant({ hash, width: widthFor(picture), format: "jpeg" });
    return found === undefined ? undefined : cutToOpening(found.bytes, picture.focus).catch(() => undefined);
  };
  const findView = async (picture: Picture): Promise<Buffer | undefined> => {
    const hash = /^\/images\/([0-9a-f]{32})$/.exec(picture.address)?.[1];
    const name = /^\/identity\/illustrations\/([a-z0-9-]+)\.svg$/.exec(picture.address)?.[1];
    if (hash !== undefined) return findPhotograph(hash, picture);
    return name === undefined ? undefined : art(name).catch(() => undefined);
  };
  /** The page’s own picture, or else the brand’s. */
  const findFirstView = async (picture: Picture | null, brand: SharingBrand): Promise<Buffer | undefined> => {
    for (const each of picture === null ? brand.pictures : [picture, ...brand.pictures]) {
      const view = await findView(each);
      if (view !== undefined) return view;
    }
    return brand.hasDrawing ? art(fallback) : undefined;
  };

  const compose = async ({ title, organisationName, picture, brand = deliveredSharing }: SharingPicture) => {
    const { look } = brand;
    const view = await findFirstView(picture, brand);
    const hasWindow = view !== undefined;
    const [ground, mask, mark] = await Promise.all([
      isDelivered(look) && hasWindow ? art("ground") : drawGround(look, hasWindow),
      look.theme === "quiet" ? null : art("opening"),
      brand.mark ?? art("mark"),
    ]);
    const width = hasWindow ? column.width : canvas.width - 2 * column.left;
    const { sharp } = await import("#shared/images/sharp.ts");
    const window =
      view &&
      (await sharp(view)
        .ensureAlpha()
        .composite(mask === null ? [] : [{ input: mask, blend: "dest-in" }])
        .png()
        .toBuffer());
    const words = await drawText(title, "title", { width, height: column.bottom - column.top });
    return sharp(ground)
      .composite([
        ...(window === undefined ? [] : [{ input: window, left: opening.left, top: opening.top }]),
        ...(await sign({ organisationName, logo: brand.logo, mark })),
        ...place(words, {
          left: words?.isRightToLeft ? column.left + width - words.width : column.left,
          middle: (column.top + column.bottom) / 2,
        }),
      ])
      .removeAlpha()
      .png({ palette: true, quality: 90, effort: 7, compressionLevel: 9 })
      .toBuffer();
  };
  return {
    /** Draws at most two at the same time. Works for any title, and without the picture if it is gone. */
    draw: (shared: SharingPicture): Promise<Buffer> => inTurn(() => compose(shared)),
  };
}

const isDelivered = ({ theme, main, accent, hasStars, hasStrips }: SharingBrand["look"]) =>
  theme === "craft" && hasStars && hasStrips && main === deliveredBrand.main && accent === deliveredBrand.accent;

/** A charity’s own colours, plain: a wall for text, one for the window if there is one, and a line of the accent. */
async function drawGround({ main, accent }: SharingBrand["look"], hasWindow: boolean): Promise<Buffer> {
  const { sharp } = await import("#shared/images/sharp.ts");
  const plain = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();
  const tile = deriveShades({ main, accent }).light.get("feroza-700")!;
  const { wall, strip } = plainGround;
  return sharp(await plain(canvas.width, canvas.height, main))
    .composite([
      ...(hasWindow ? [{ input: await plain(canvas.width - wall, canvas.height, tile), left: wall, top: 0 }] : []),
      { input: await plain(canvas.width, strip, accent), left: 0, top: canvas.height - strip },
    ])
    .png()
    .toBuffer();
}

type Signed = { readonly organisationName: string; readonly logo: Uint8Array | null; readonly mark: Uint8Array };

/** The logo, or the mark and the name. */
async function sign({ organisationName, logo, mark }: Signed) {
  const middle = signature.top + signature.height / 2;
  const { input, size } = logo === null ? await fitMark(mark) : await fitLogo(logo);
  const signed = { input, left: column.left, top: Math.round(middle - size / 2) };
  if (logo !== null) return [signed];
  const name = await drawText(organisationName, "name", { width: column.width - markSize - 18, height: 64 });
  return [signed, ...place(name, { left: column.left + markSize + 18, middle })];
}

async function fitMark(mark: Uint8Array) {
  const { sharp } = await import("#shared/images/sharp.ts");
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const fitted = sharp(mark).resize({ width: markSize, height: markSize, fit: "contain", background });
  return { input: await fitted.png().toBuffer(), size: markSize };
}

async function fitLogo(logo: Uint8Array) {
  const { sharp } = await import("#shared/images/sharp.ts");
  const { data, info } = await sharp(logo)
    .resize({ width: column.width, height: signature.height + 24, fit: "inside", withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { input: data, size: info.height };
}

/** The narrowest stored width that fills the window. */
function widthFor({ width, height, widths }: Picture): number {
  const needed = Math.max(opening.width, (opening.height * width) / height);
  return widths.find((each) => each >= needed) ?? widths.at(-1) ?? width;
}

/** Fills the window, with this point of the picture as near to its own place as the window allows. */
async function cutToOpening(bytes: Buffer, [left, top]: NonNullable<Picture["focus"]> = [50, 50]): Promise<Buffer> {
  const { sharp } = await import("#shared/images/sharp.ts");
  const { width, height } = opening;
  const { data, info } = await sharp(bytes)
    .resize({ width, height, fit: "outside" })
    .png()
    .toBuffer({ resolveWithObject: true });
  const from = (whole: number, shown: number, percent: number) => Math.round(((whole - shown) * percent) / 100);
  return sharp(data)
    .extract({ left: from(info.width, width, left), top: from(info.height, height, top), width, height })
    .png()
    .toBuffer();
}

function place(text: TextImage | undefined, { left, middle }: { left: number; middle: number }) {
  if (text === undefined) return [];
  return [{ input: text.bytes, left: Math.round(left), top: Math.max(0, Math.round(middle - text.height / 2)) }];
}
