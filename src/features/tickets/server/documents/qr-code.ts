import { describeQrCode } from "#shared/images/qr-code.ts";
import type { Sheet } from "#shared/pdf/sheet.ts";

/** Draws a QR code with its quiet zone as one figure, `size` points wide; screen readers read `alternative`. */
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
  const code = describeQrCode(text, "alphanumeric");
  const module = size / code.size;
  const draw = () => {
    document.save().translate(left, top).scale(module);
    for (const [x, y, width] of code.rects) document.rect(x, y, width, 1);
    document.fill(colour).restore();
  };
  const options = { alt: alternative, bbox: [left, top, left + size, top + size] as [number, number, number, number] };
  root.add(document.struct("Figure", options, draw));
}
