import type { PrivateFile } from "#shared/images/private-files.ts";
import { encodePrivateImage } from "#shared/images/private-image.ts";
import { sharp } from "#shared/images/sharp.ts";

const WIDTH = 240;
const HEIGHT = 300;

type Colour = readonly [red: number, green: number, blue: number];
const ink: Colour = [38, 44, 60];

/** Paints each pixel by its position (-1 to 1 in both directions), and encodes the picture like an applicant’s. */
async function paint(kind: "photo" | "signature", colourAt: (x: number, y: number) => Colour): Promise<PrivateFile> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let place = 0; place < WIDTH * HEIGHT; place += 1) {
    const x = ((place % WIDTH) / WIDTH) * 2 - 1;
    const y = (Math.floor(place / WIDTH) / HEIGHT) * 2 - 1;
    pixels.set(colourAt(x, y), place * 3);
  }
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
  return encodePrivateImage(await sharp(pixels, { raw }).png().toBuffer(), kind, kind);
}

/** A head and shoulders without a face, before a plain wall. */
export function drawPortrait(wall: Colour): Promise<PrivateFile> {
  return paint("photo", (x, y) => {
    const isHead = Math.hypot(x / 0.36, (y + 0.25) / 0.38) < 1;
    const isBody = Math.hypot(x / 0.72, (y - 1) / 0.72) < 1;
    return isHead || isBody ? ink : wall;
  });
}

/** A wave of ink on white, for a signature. */
export function drawSignature(): Promise<PrivateFile> {
  return paint("signature", (x, y) =>
    Math.abs(x) < 0.8 && Math.abs(y - 0.12 * Math.sin(x * 14) * (1 - x)) < 0.025 ? ink : [255, 255, 255],
  );
}
