import { decodePicture, resize } from "./encode.ts";
import { sharp } from "./sharp.ts";

/** A picture as it was sent, and the widths to encode it in. */
export type AvifOrder = { readonly bytes: Uint8Array; readonly widths: readonly number[] };
export type AvifCopy = { readonly width: number; readonly bytes: Uint8Array };

/** As close to the original as WebP at our quality, by SSIM; docs/decisions.md has the figures. */
const QUALITY = { quality: 55, effort: 3 };

/** A copy for each width, one after the other on one thread. @throws Error if the bytes are no picture. */
export async function encodeAvif({ bytes, widths }: AvifOrder): Promise<AvifCopy[]> {
  sharp.concurrency(1);
  const picture = await decodePicture(bytes);
  const copies: AvifCopy[] = [];
  for (const width of widths) {
    copies.push({ width, bytes: await (await resize(picture, width)).avif(QUALITY).toBuffer() });
  }
  return copies;
}
