import { create } from "qrcode";

/** Width of the quiet zone in modules; many scanners need it (ISO/IEC 18004). */
const QUIET = 4;

/** A code in modules: its width with the quiet zone, and its dark modules as rectangles one module high. */
export type QrCode = {
  readonly size: number;
  readonly rects: readonly (readonly [x: number, y: number, width: number])[];
};

/**
 * Adjacent dark modules become one rectangle. Medium error correction: up to 15 % of the code may be lost. The mode is
 * named, because finding the best mix of modes takes longer than drawing the code.
 */
export function describeQrCode(text: string, mode: "alphanumeric" | "byte"): QrCode {
  const segment = mode === "byte" ? { data: Buffer.from(text), mode } : { data: text, mode };
  const { modules } = create([segment], { errorCorrectionLevel: "M" });
  const { size } = modules;
  const rects: [number, number, number][] = [];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!modules.get(y, x)) continue;
      const start = x;
      while (x < size && modules.get(y, x)) x++;
      rects.push([start + QUIET, y + QUIET, x - start]);
    }
  }
  return { size: size + 2 * QUIET, rects };
}

/** A code as an SVG path, and its width in modules. */
export type QrPath = { readonly size: number; readonly path: string };

/** A code for a screen, of any text. */
export function drawQrPath(text: string): QrPath {
  const { size, rects } = describeQrCode(text, "byte");
  return { size, path: rects.map(([x, y, width]) => `M${x} ${y}h${width}v1h-${width}z`).join("") };
}
