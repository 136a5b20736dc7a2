import { create } from "qrcode";
import type { Sheet } from "#shared/pdf/sheet.ts";

/** Empty modules around a code, without which many scanners do not find it (ISO/IEC 18004). */
const QUIET = 4;

/** A code in modules: how wide it is with its quiet zone, and its dark modules as rectangles one module high. */
type Code = { readonly size: number; readonly rects: readonly (readonly [x: number, y: number, width: number])[] };

/** Draws a QR code with its quiet zone as one figure, `size` points wide; `alternative` is what is read out instead. */
export function drawQrCode(
  { document, root }: Pick<Sheet, "document" | "root">,
  text: string,
  {
    left,
    top,
    size,
    colour,
    alternative,
  }: { left: number; top: number; size: number; colour: string; alternative: string },
) {
  const code = codeOf(text);
  const module = size / code.size;
  const draw = () => {
    document.save().translate(left, top).scale(module);
    for (const [x, y, width] of code.rects) document.rect(x, y, width, 1);
    document.fill(colour).restore();
  };
  const options = { alt: alternative, bbox: [left, top, left + size, top + size] as [number, number, number, number] };
  root.add(document.struct("Figure", options, draw));
}

/** The dark modules, those beside each other as one rectangle. Medium error correction: 15 % may be lost. */
function codeOf(text: string): Code {
  // Said outright, because finding the best mixture of modes takes longer than drawing the code.
  const segment = { data: text, mode: "alphanumeric" } as const;
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
