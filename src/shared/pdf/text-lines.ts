import { type Atom, cleanText, cutIntoAtoms, cutIntoLetters, type TextStyle } from "./text-atoms.ts";

/** `atoms` from left to right, `width` in points, `text` in reading order. */
export type Line = { readonly atoms: readonly Atom[]; readonly width: number; readonly text: string };

export type LaidText = { readonly style: TextStyle; readonly lines: readonly Line[]; readonly text: string };

/** Line height in points, with room for Naskh, which extends further up and down. */
export const lineHeight = ({ size }: TextStyle) => size * 1.42;

/** Whether the drawn text differs from the read one: reversed, or with boxes for missing characters. */
export function needsActualText({ atoms }: Pick<Line, "atoms">): boolean {
  return atoms.some(({ face, level }) => face === null || level % 2 === 1);
}

/** Breaks text of any script into lines of at most `width` points; text beyond `maxLines` is cut with an ellipsis. */
export function layText(
  document: PDFKit.PDFDocument,
  raw: string,
  style: TextStyle,
  width: number,
  maxLines = Number.POSITIVE_INFINITY,
): LaidText {
  const text = cleanText(raw);
  const atoms = cutIntoAtoms(document, text, style).flatMap((atom) =>
    atom.width > width ? cutIntoLetters(document, atom, style, width) : [atom],
  );
  const lines = breakLines(atoms, width);
  const isCut = lines.length > maxLines;
  const kept = lines.slice(0, maxLines);
  if (isCut) kept.push(withEllipsis(document, kept.pop() ?? [], style, width));
  return { style, text, lines: kept.map(inVisualOrder) };
}

/** Greedy: a line breaks after the last space that fits, or inside a word longer than a line. */
function breakLines(atoms: readonly Atom[], width: number): Atom[][] {
  const lines: Atom[][] = [];
  let line: Atom[] = [];
  let used = 0;
  for (const atom of atoms) {
    if (line.length === 0 && atom.isSpace) continue;
    if (used + atom.width > width && line.length > 0) {
      const space = line.findLastIndex(({ isSpace }) => isSpace);
      const carried = atom.isSpace || space === -1 ? [] : line.slice(space + 1);
      lines.push(carried.length > 0 ? line.slice(0, space) : line);
      line = carried;
      used = widthOf(line);
      if (atom.isSpace) continue;
      // The carried-over words may themselves leave too little room.
      if (used + atom.width > width && line.length > 0) {
        lines.push(line);
        line = [];
        used = 0;
      }
    }
    line.push(atom);
    used += atom.width;
  }
  if (line.length > 0) lines.push(line);
  return lines.map((each) => (each.at(-1)?.isSpace ? each.slice(0, -1) : each));
}

function withEllipsis(document: PDFKit.PDFDocument, line: readonly Atom[], style: TextStyle, width: number): Atom[] {
  const [dots] = cutIntoAtoms(document, "…", style);
  if (dots === undefined) return [...line];
  const last = { ...dots, level: line[0]?.level ?? 0 };
  const letters = line.flatMap((atom) => cutIntoLetters(document, atom, style));
  let kept = [...line];
  if (widthOf(kept) + last.width > width) {
    kept = letters;
    while (kept.length > 0 && widthOf(kept) + last.width > width) kept = kept.slice(0, -1);
  }
  return [...kept, last];
}

const widthOf = (atoms: readonly Atom[]) => atoms.reduce((sum, atom) => sum + atom.width, 0);

/** Rule L2 of the Unicode bidirectional algorithm, on atoms: reverse each run, from the highest level down to 1. */
function inVisualOrder(atoms: readonly Atom[]): Line {
  const placed = [...atoms];
  for (let level = Math.max(0, ...placed.map((atom) => atom.level)); level >= 1; level--) {
    let start = 0;
    while (start < placed.length) {
      let end = start;
      while (end < placed.length && placed[end]!.level >= level) end += 1;
      if (end - start > 1) placed.splice(start, end - start, ...placed.slice(start, end).reverse());
      start = Math.max(end, start) + 1;
    }
  }
  return { atoms: placed, width: widthOf(placed), text: atoms.map(({ text }) => text).join("") };
}
