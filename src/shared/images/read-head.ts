import type { Metadata } from "sharp";
import { AppError } from "#shared/errors.ts";

export const MAX_PIXELS = 40_000_000;
/** WebP allows at most 16,383 pixels a side. */
const MAX_SIDE = 16_000;

type Options = {
  /** Makes the refusal from its sentence. */
  readonly refuse: (sentence: string, cause?: unknown) => AppError;
  /** The most memory for a picture that must be decoded as a whole. */
  readonly maxHeldBytes: number;
};

/**
 * What a picture says about itself, by its bytes alone: its name and type prove nothing. Decodes no pixel.
 * @throws what `refuse` makes, unless it is a JPEG, PNG or WebP that can be decoded within these limits.
 */
export async function readHead(bytes: Uint8Array, { refuse, maxHeldBytes }: Options): Promise<Metadata> {
  if (bytes.length === 0) throw refuse("This file is empty. Please choose another picture.");
  if (isHeic(bytes)) {
    throw refuse(
      "This is a HEIC picture, the iPhone’s format. On the iPhone, open the picture, tap Share, then Options, choose Most Compatible and save it to Files: that is a JPEG, which you can send here.",
    );
  }
  if (!isPicture(bytes)) throw refuse("Please choose a JPEG, PNG or WebP picture.");
  const head = await decodeOrRefuse(refuse, async () => {
    const { sharp } = await import("./sharp.ts");
    return sharp(bytes, { limitInputPixels: false }).metadata();
  });
  if (head.width * head.height > MAX_PIXELS || Math.max(head.width, head.height) > MAX_SIDE) {
    throw refuse(
      "This picture has more than 40 million pixels, or a side of more than 16,000. Please make it smaller.",
    );
  }
  if (heldBytes(head) > maxHeldBytes) {
    throw refuse(
      "This picture has too many pixels for its format. Please make it smaller: up to 5 million pixels always work.",
    );
  }
  return head;
}

/**
 * Runs what decodes; whatever it throws becomes one refusal, with the error as its cause. @throws what `refuse` makes.
 */
export async function decodeOrRefuse<Result>(refuse: Options["refuse"], decode: () => Promise<Result>) {
  try {
    return await decode();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw refuse("We couldn’t read this picture; it may be damaged. Please save it again as JPEG or PNG.", cause);
  }
}

/** The most memory for decoding in bytes; a plain JPEG is decoded in a few lines at a time. */
export function heldBytes({ width, height, format, isProgressive, channels, chromaSubsampling, depth }: Metadata) {
  const pixels = width * height;
  if (format === "webp") return 4 * pixels;
  if (format === "png") return pixels * channels * (depth === "ushort" ? 2 : 1);
  // Two bytes for each coefficient, all of them before the first line.
  return isProgressive ? 2 * pixels * (chromaSubsampling === "4:2:0" ? channels / 2 : channels) : 0;
}

function isPicture(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("hex");
  return /^(?:ffd8ff|89504e470d0a1a0a|52494646.{8}57454250)/.test(start);
}

/** An ISO media file with a HEIF brand other than AVIF. */
function isHeic(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(4, 12)).toString("latin1");
  return /^ftyp(?:heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/.test(start);
}
