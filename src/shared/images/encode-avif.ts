import { constants, setPriority } from "node:os";
import { decodePicture, openPixels } from "./encode.ts";
import { sharp } from "./sharp.ts";

// A process of its own, started by add-avif.ts for one picture: sharp works on threads that the whole process shares, so
// in the site's own process a second of work could have no lower priority, and its memory would stay.

/** A picture as it was sent, and the widths to encode it in. */
export type AvifOrder = { readonly bytes: Uint8Array; readonly widths: readonly number[] };
export type AvifCopy = { readonly width: number; readonly bytes: Uint8Array };
export type AvifAnswer = readonly AvifCopy[] | { readonly fault: string };

/** As close to the original as WebP at our quality, by SSIM; docs/decisions.md has the figures. */
const QUALITY = { quality: 55, effort: 3 };

// Once it has been told, or is gone, nobody waits for more.
process.once("disconnect", () => process.exit());
process.once("message", (order: AvifOrder) => {
  encode(order).then(answer, ({ message }: Error) => answer({ fault: message }));
});

const answer = (message: AvifAnswer) => process.send!(message, () => process.disconnect());

async function encode({ bytes, widths }: AvifOrder): Promise<AvifCopy[]> {
  setPriority(constants.priority.PRIORITY_LOW);
  sharp.concurrency(1);
  const picture = await decodePicture(bytes);
  const copies: AvifCopy[] = [];
  for (const width of widths) {
    const pixels = await openPixels(picture);
    copies.push({ width, bytes: await pixels.resize({ width }).avif(QUALITY).toBuffer() });
  }
  return copies;
}
