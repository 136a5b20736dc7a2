import pLimit from "p-limit";
import type { Metadata } from "sharp";
import { AppError } from "#shared/errors.ts";
import { isPicture, LONGEST_SIDE, MOST_PIXELS } from "./encode.ts";
import type { PrivateFile } from "./private-files.ts";

const kinds = {
  photo: { media_type: "image/jpeg", longestSide: 1600 },
  signature: { media_type: "image/png", longestSide: 1200 },
} as const;

/** The most memory for a picture that must be decoded as a whole. */
const MOST_HELD_BYTES = 40_000_000;
/** Usual pictures are processed two at a time, large ones one at a time, to save memory. */
const smallInTurn = pLimit(2);
const largeInTurn = pLimit(1);
const isSmall = (head: Metadata) => head.width * head.height <= 6_000_000 && heldBytes(head) <= 16_000_000;

/**
 * Re-encodes a sent picture: upright, in sRGB, on white, the first frame of an animation, no larger than needed, and
 * without anything but pixels.
 * @param field the file's name on the wire, for the refusal.
 * @throws AppError `invalid_input` with a message that says what to do.
 */
export async function encodePrivateImage(bytes: Buffer, kind: keyof typeof kinds, field: string): Promise<PrivateFile> {
  const refuse = (sentence: string, cause?: unknown) =>
    new AppError("invalid_input", { cause, fields: { [field]: [sentence] } });
  if (bytes.length === 0) throw refuse("This file is empty. Please choose another picture.");
  if (isHeic(bytes)) {
    throw refuse("This is a HEIC picture, the iPhone’s format. Please save it as JPEG or PNG first.");
  }
  if (!isPicture(bytes)) throw refuse("Please choose a JPEG, PNG or WebP picture.");
  try {
    const { sharp } = await import("./sharp.ts");
    const head = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (head.width * head.height > MOST_PIXELS || Math.max(head.width, head.height) > LONGEST_SIDE) {
      throw refuse(
        "This picture has more than 40 million pixels, or a side of more than 16,000. Please make it smaller.",
      );
    }
    if (heldBytes(head) > MOST_HELD_BYTES) {
      throw refuse(
        "This picture has too many pixels for its format. Please make it smaller: up to 5 million pixels always work.",
      );
    }
    const inTurn = isSmall(head) ? smallInTurn : largeInTurn;
    return await inTurn(() => encode(bytes, kind));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw refuse("We couldn’t read this picture; it may be damaged. Please save it again as JPEG or PNG.", cause);
  }
}

async function encode(bytes: Buffer, kind: keyof typeof kinds): Promise<PrivateFile> {
  const { media_type, longestSide } = kinds[kind];
  const { sharp } = await import("./sharp.ts");
  const picture = sharp(bytes, { failOn: "error", limitInputPixels: MOST_PIXELS })
    .timeout({ seconds: 20 })
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb");
  // No palette, because it would contain text that the sender chose as colours.
  const encoded = media_type === "image/png" ? picture.png() : picture.jpeg({ quality: 82 });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { media_type, width: info.width, height: info.height, bytes: data };
}

/** The most memory for decoding in bytes; a plain JPEG is decoded in a few lines at a time. */
function heldBytes({ width, height, format, isProgressive, channels, chromaSubsampling, depth }: Metadata): number {
  const pixels = width * height;
  if (format === "webp") return 4 * pixels;
  if (format === "png") return pixels * channels * (depth === "ushort" ? 2 : 1);
  // Two bytes for each coefficient, all of them before the first line.
  return isProgressive ? 2 * pixels * (chromaSubsampling === "4:2:0" ? channels / 2 : channels) : 0;
}

/** An ISO media file with a HEIF brand other than AVIF. */
function isHeic(bytes: Buffer): boolean {
  return (
    bytes.toString("latin1", 4, 8) === "ftyp" &&
    /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/.test(bytes.toString("latin1", 8, 12))
  );
}
