import { createHash } from "node:crypto";
import pLimit from "p-limit";
import { AppError } from "#shared/errors.ts";
import { decodeOrRefuse, MAX_PIXELS, readHead } from "./read-head.ts";
import type { ImageFormat } from "./tables.ts";

export type EncodedImage = {
  /** The first 32 hexadecimal digits of the SHA-256 of the given bytes. */
  readonly hash: string;
  /** In pixels, after applying the camera's orientation. */
  readonly width: number;
  readonly height: number;
  /** The average colour, #rrggbb. */
  readonly color: string;
  readonly variants: readonly { readonly width: number; readonly format: ImageFormat; readonly bytes: Buffer }[];
};

const widths = [320, 480, 640, 960, 1280, 1920];
const MAX_BYTES = 15 * 1024 * 1024;
/** The background of transparent pictures. */
const ground = "#f6f7f2";

/** The most memory that one open picture may take. */
const MAX_HELD_BYTES = 160_000_000;
const inTurn = pLimit(2);

/**
 * Re-encodes a picture as WebP and JPEG in several widths: without metadata, upright, in sRGB, and only the first frame
 * of an animation.
 * @param bytes a JPEG, PNG or WebP of at most 15 MB and 40 million pixels.
 * @throws AppError `invalid_input` with a message for the field `image` if the bytes are anything else.
 */
export async function encodeImage(bytes: Uint8Array): Promise<EncodedImage> {
  if (bytes.length > MAX_BYTES) throw refusal("This picture is larger than 15 MB. Please choose a smaller one.");
  return inTurn(async () => {
    const { autoOrient } = await readHead(bytes, { refuse: refusal, maxHeldBytes: MAX_HELD_BYTES });
    const picture = await decodeOrRefuse(refusal, () => decodePicture(bytes));
    const variants = [];
    for (const width of widthsFor(picture.width)) {
      const webp = (await resize(picture, width)).webp({ quality: 78 });
      variants.push({ width, format: "webp" as const, bytes: await webp.toBuffer() });
      const jpeg = (await resize(picture, width)).jpeg({ quality: 80, mozjpeg: true });
      variants.push({ width, format: "jpeg" as const, bytes: await jpeg.toBuffer() });
    }
    const { width, height } = autoOrient;
    return { hash: hashImage(bytes), width, height, color: await averageColor(picture), variants };
  });
}

/** 128 bits of SHA-256 in hex, as in a picture's address. */
export function hashImage(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}

type Decoded = { readonly data: Buffer; readonly width: number; readonly height: number; readonly channels: 3 };

/**
 * Decodes the picture to pixels, upright and no wider than the widest variant. @throws Error if the bytes are no
 * picture that sharp can read.
 */
export async function decodePicture(bytes: Uint8Array): Promise<Decoded> {
  const { sharp } = await import("./sharp.ts");
  const { data, info } = await sharp(bytes, { failOn: "error", limitInputPixels: MAX_PIXELS })
    .timeout({ seconds: 30 })
    .autoOrient()
    .resize({ width: widths.at(-1)!, withoutEnlargement: true })
    .flatten({ background: ground })
    .toColourspace("srgb")
    .removeAlpha()
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`${info.channels} channels`);
  return { data, width: info.width, height: info.height, channels: 3 };
}

/**
 * A sharp pipeline that scales the picture to `width`. Start one for each encoding: sharp's `clone` would copy the pixels
 * on the thread that answers.
 */
export async function resize(picture: Decoded, width: number) {
  return (await openPixels(picture)).resize({ width });
}

async function openPixels({ data, width, height, channels }: Decoded) {
  const { sharp } = await import("./sharp.ts");
  return sharp(data, { raw: { width, height, channels } });
}

async function averageColor(picture: Decoded): Promise<string> {
  const { channels } = await (await openPixels(picture)).stats();
  return `#${channels.map(({ mean }) => Math.round(mean).toString(16).padStart(2, "0")).join("")}`;
}

function widthsFor(pictureWidth: number): number[] {
  const fitting = widths.filter((width) => width < pictureWidth);
  return fitting.length < widths.length ? [...fitting, pictureWidth] : fitting;
}

function refusal(sentence: string, cause?: unknown): AppError {
  return new AppError("invalid_input", { cause, fields: { image: [sentence] } });
}
