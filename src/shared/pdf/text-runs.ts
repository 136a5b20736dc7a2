import { drawLooseDots } from "./copied-text.ts";
import type { TextStyle } from "./text-atoms.ts";
import { type Line, lineHeight } from "./text-lines.ts";

type TextPlace = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly align?: "left" | "right";
  readonly colour: string;
};

/** Draws lines from `top` down, and returns the y below the last. */
export function drawLines(
  document: PDFKit.PDFDocument,
  lines: readonly Line[],
  style: TextStyle,
  { left, top, width, align = "left", colour }: TextPlace,
): number {
  const height = lineHeight(style);
  document.fillColor(colour).strokeColor(colour);
  lines.forEach((line, index) => {
    const x = align === "right" ? left + width - line.width : left;
    drawLine(document, line, style, x, top + height * index + style.size * 1.08);
  });
  return top + height * lines.length;
}

function drawLine(document: PDFKit.PDFDocument, line: Line, style: TextStyle, left: number, baseline: number) {
  // Letters can be copied from the page; boxes cannot.
  const hasBoxes = line.atoms.some(({ face }) => face === null);
  if (hasBoxes) document.markContent("Span", { actual: line.text });
  let x = left;
  for (const { face, text, width } of line.atoms) {
    if (face === null) drawBox(document, x, baseline, width, style.size);
    else {
      document.font(face, style.size).text(text, x, baseline, { lineBreak: false, baseline: "alphabetic" });
      drawLooseDots(document, text, x, baseline, style.size);
    }
    x += width;
  }
  if (hasBoxes) document.endMarkedContent();
}

/** Replaces a character that none of our fonts has. */
function drawBox(document: PDFKit.PDFDocument, x: number, baseline: number, width: number, size: number) {
  const inset = width * 0.12;
  document
    .lineWidth(size * 0.06)
    .rect(x + inset, baseline - size * 0.7, width - 2 * inset, size * 0.7)
    .stroke();
}
