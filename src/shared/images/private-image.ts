import pLimit from "p-limit";
import type { Metadata } from "sharp";
import { AppError } from "#shared/errors.ts";
import type { PrivateFile } from "./private-files.ts";
import { decodeOrRefuse, heldBytes, MAX_PIXELS, readHead } from "./read-head.ts";

const kinds = {
  photo: { media_type: "image/jpeg", longestSide: 1600 },
  signature: { media_type: "image/png", longestSide: 1200 },
} as const;

/** The most memory for a picture that must be decoded as a whole. */
const MAX_HELD_BYTES = 40_000_000;
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
  const head = await readHead(bytes, { refuse, maxHeldBytes: MAX_HELD_BYTES });
  const inTurn = isSmall(head) ? smallInTurn : largeInTurn;
  return decodeOrRefuse(refuse, () => inTurn(() => encode(bytes, kind)));
}

async function encode(bytes: Buffer, kind: keyof typeof kinds): Promise<PrivateFile> {
  const { media_type, longestSide } = kinds[kind];
  const { sharp } = await import("./sharp.ts");
  const picture = sharp(bytes, { failOn: "error", limitInputPixels: MAX_PIXELS })
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
