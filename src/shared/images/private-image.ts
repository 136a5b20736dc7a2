import type { Metadata } from "sharp";
import { AppError } from "#shared/errors.ts";
import { fewAtOnce } from "#shared/few-at-once.ts";
import type { PrivateFile } from "#shared/files/private-files.ts";
import { isPicture, LONGEST_SIDE, MOST_PIXELS } from "./encode.ts";
import { sharp } from "./sharp.ts";

/** What a picture is for decides what it becomes. */
const kinds = {
  photo: { media_type: "image/jpeg", longestSide: 1600 },
  signature: { media_type: "image/png", longestSide: 1200 },
} as const;

/** What a picture may take that lies whole in memory while it is opened. */
const MOST_HELD_BYTES = 40_000_000;
/** Pictures as telephones and our own page send them go two at a time; larger ones one after the other, for their memory. */
const smallInTurn = fewAtOnce(2);
const largeInTurn = fewAtOnce(1);
const isSmall = (head: Metadata) => head.width * head.height <= 6_000_000 && heldBytes(head) <= 16_000_000;

/**
 * Makes of the bytes that somebody sent a picture of our own: decoded, upright, in sRGB, of an animation the first frame,
 * on white, no larger than needed, and without anything that was not a pixel.
 * @param field the name of the file on the wire, under which a refusal stands.
 * @throws AppError `invalid_input` with a sentence that says what to do.
 */
export async function encodePrivateImage(bytes: Buffer, kind: keyof typeof kinds, field: string): Promise<PrivateFile> {
  const refuse = (sentence: string, cause?: unknown) =>
    new AppError("invalid_input", { cause, fields: { [field]: [sentence] } });
  if (bytes.length === 0) throw refuse("This file is empty. Please choose another picture.");
  if (isHeic(bytes)) {
    throw refuse("This picture is a HEIC file, as iPhones make them. Please send it as JPEG or PNG.");
  }
  if (!isPicture(bytes)) throw refuse("Please choose a JPEG, PNG or WebP picture.");
  try {
    const head = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (head.width * head.height > MOST_PIXELS || Math.max(head.width, head.height) > LONGEST_SIDE) {
      throw refuse(
        "This picture has more than 40 million pixels, or a side of more than 16,000. Please make it smaller.",
      );
    }
    if (heldBytes(head) > MOST_HELD_BYTES) {
      throw refuse(
        "This picture has too many pixels for the way it was saved. Please make it smaller: up to 5 million always work.",
      );
    }
    const inTurn = isSmall(head) ? smallInTurn : largeInTurn;
    return await inTurn(() => encode(bytes, kind));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw refuse("We could not read this picture; it may be damaged. Please save it again as JPEG or PNG.", cause);
  }
}

async function encode(bytes: Buffer, kind: keyof typeof kinds): Promise<PrivateFile> {
  const { media_type, longestSide } = kinds[kind];
  const picture = sharp(bytes, { failOn: "error", limitInputPixels: MOST_PIXELS })
    .timeout({ seconds: 20 })
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb");
  // No palette: it would stand in the file as text that the sender chose by colours.
  const encoded = media_type === "image/png" ? picture.png() : picture.jpeg({ quality: 82 });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { media_type, width: info.width, height: info.height, bytes: data };
}

/** What lies in memory at once while a picture is opened, at most; of a plain JPEG there are a few lines at a time. */
function heldBytes({ width, height, format, isProgressive, channels, chromaSubsampling, depth }: Metadata): number {
  const pixels = width * height;
  if (format === "webp") return 4 * pixels;
  if (format === "png") return pixels * channels * (depth === "ushort" ? 2 : 1);
  // Two bytes for each coefficient, and all of them before the first line.
  return isProgressive ? 2 * pixels * (chromaSubsampling === "4:2:0" ? channels / 2 : channels) : 0;
}

/** An ISO media file whose brand is one of the HEIF family's, AVIF aside. */
function isHeic(bytes: Buffer): boolean {
  return (
    bytes.toString("latin1", 4, 8) === "ftyp" &&
    /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/.test(bytes.toString("latin1", 8, 12))
  );
}
