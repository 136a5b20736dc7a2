import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { deriveShades } from "#shared/brand/shades.ts";
import { deliveredBrand, type SiteBrand } from "#shared/brand/site-brand.ts";
import type { Picture } from "#shared/images/picture.ts";
import { canvas, column, opening, plainGround, signature } from "./sharing-art.ts";
import { drawText, type TextImage } from "./sharing-text.ts";

export type SharingPicture = {
  readonly title: string;
  readonly organisationName: string;
  /** Shown in the window; null for the home page's drawing. */
  readonly picture: Picture | null;
  /** As delivered if left out. `logo` is a PNG for dark grounds, in the place of mark and name. */
  readonly brand?: { readonly look: Pick<SiteBrand, "theme" | "main" | "accent">; readonly logo: Uint8Array | null };
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

  const findDrawing = (name: string) => art(name).catch(() => art(fallback));
  const findPhotograph = async (hash: string, picture: Picture) => {
    const found = await readVariant({ hash, width: widthFor(picture), format: "jpeg" });
    return found === undefined ? undefined : cutToOpening(found.bytes, picture.focus).catch(() => undefined);
  };
  const findView = async (picture: Picture | null): Promise<Buffer> => {
    const hash = /^\/images\/([0-9a-f]{32})$/.exec(picture?.address ?? "")?.[1];
    const name = /^\/identity\/illustrations\/([a-z0-9-]+)\.svg$/.exec(picture?.address ?? "")?.[1];
    const photograph = hash === undefined ? undefined : await findPhotograph(hash, picture!);
    return photograph ?? findDrawing(name ?? fallback);
  };

  const compose = async ({ title, organisationName, picture, brand = delivered }: SharingPicture): Promise<Buffer> => {
    const { look, logo } = brand;
    const [ground, mask, mark, view] = await Promise.all([
      isDelivered(look) ? art("ground") : drawGround(look),
      look.theme === "quiet" ? null : art("opening"),
      art("mark"),
      findView(picture),
    ]);
    const name =
      logo === null
        ? await drawText(organisationName, "name", { width: column.width - markSize - 18, height: 64 })
        : undefined;
    const words = await drawText(title, "title", { width: column.width, height: column.bottom - column.top });
    const { sharp } = await import("#shared/images/sharp.ts");
    const window = await sharp(view)
      .ensureAlpha()
      .composite(mask === null ? [] : [{ input: mask, blend: "dest-in" }])
      .png()
      .toBuffer();
    const signed = logo === null ? { input: mark, left: column.left, size: markSize } : await fitLogo(logo);
    const middle = signature.top + signature.height / 2;
    return sharp(ground)
      .composite([
        { input: window, left: opening.left, top: opening.top },
        { input: signed.input, left: column.left, top: Math.round(middle - signed.size / 2) },
        ...place(name, { left: column.left + markSize + 18, middle }),
        ...place(words, {
          left: words?.isRightToLeft ? column.left + column.width - words.width : column.left,
          middle: (column.top + column.bottom) / 2,
        }),
      ])
      .removeAlpha()
      .png({ palette: true, quality: 90, effort: 7, compressionLevel: 9 })
      .toBuffer();
  };
  return {
    /** Draws at most two at the same time. Works for any title, and falls back on a drawing if the picture is gone. */
    draw: (shared: SharingPicture): Promise<Buffer> => inTurn(() => compose(shared)),
  };
}

const delivered = { look: deliveredBrand, logo: null };

type Look = Pick<SiteBrand, "theme" | "main" | "accent">;
const isDelivered = ({ theme, main, accent }: Look) =>
  theme === "craft" && main === deliveredBrand.main && accent === deliveredBrand.accent;

/** A charity’s own colours, plain: a wall for text, one with the window, and a line of the accent below both. */
async function drawGround({ main, accent }: Look): Promise<Buffer> {
  const { sharp } = await import("#shared/images/sharp.ts");
  const plain = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();
  const tile = deriveShades({ main, accent }).light.get("feroza-700")!;
  const { wall, strip } = plainGround;
  return sharp(await plain(canvas.width, canvas.height, main))
    .composite([
      { input: await plain(canvas.width - wall, canvas.height, tile), left: wall, top: 0 },
      { input: await plain(canvas.width, strip, accent), left: 0, top: canvas.height - strip },
    ])
    .png()
    .toBuffer();
}

async function fitLogo(logo: Uint8Array) {
  const { sharp } = await import("#shared/images/sharp.ts");
  const { data, info } = await sharp(logo)
    .resize({ width: column.width, height: signature.height + 24, fit: "inside", withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { input: data, left: column.left, size: info.height };
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
