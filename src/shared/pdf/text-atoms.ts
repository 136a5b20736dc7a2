import createBidi, { type Bidi } from "bidi-js";
import { graphemes } from "#shared/language.ts";
import { type Face, hasGlyph, naskhOf } from "./fonts.ts";

/**
 * The smallest piece of text that is placed as a whole: characters of one word, face and direction. `face` is null if
 * no font has the character: a box is drawn. `level` is odd for right-to-left.
 */
export type Atom = {
  readonly text: string;
  readonly face: Face | null;
  readonly level: number;
  readonly isSpace: boolean;
  readonly width: number;
};

export type TextStyle = { readonly face: "regular" | "bold"; readonly size: number };

// The package is CommonJS, so its factory is the default import, unlike in its types.
const bidi = (createBidi as unknown as () => Bidi)();
/** More accents on one letter would overlap the lines above. */
const excessMarks = /(\p{M}{3})\p{M}+/gu;
const arabic = /\p{Script=Arabic}/u;
/** Joiners and variation selectors: they shape their neighbours and are invisible themselves. */
const invisible = /[\p{Cf}\p{Variation_Selector}]/gu;

/** One line of text: composed, well formed, without control characters and direction overrides. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "")
    .normalize("NFC")
    .trim();
}

/** Text in one face from left to right, as most is: it skips the work that other scripts need. */
const plain = /^[\x20-\x7e]*$/;

/** Splits clean text into atoms in reading order, with widths in points. */
export function cutIntoAtoms(document: PDFKit.PDFDocument, text: string, style: TextStyle): Atom[] {
  if (plain.test(text)) {
    const words = text.match(/ |[^ ]+/g) ?? [];
    return words.map((word) =>
      measured(document, { text: word, face: style.face, level: 0, isSpace: word === " " }, style.size),
    );
  }
  const shown = text.replace(excessMarks, "$1");
  const { levels } = bidi.getEmbeddingLevels(shown);
  const pieces: { text: string; face: Face | null; level: number; isSpace: boolean; joins: boolean }[] = [];
  for (const { segment, index } of graphemes.segment(shown)) {
    const level = levels[index] ?? 0;
    const isSpace = segment === " ";
    const visible = segment.replace(invisible, "");
    if (visible === "") continue;
    const mirrored = level % 2 === 1 ? (bidi.getMirroredCharacter(visible) ?? visible) : visible;
    const face = faceFor(mirrored, style.face);
    // A font shapes Arabic script from the right and everything else from the left; whatever runs against its
    // surroundings (a digit, a bracket, a full stop) is placed alone.
    const joins = face !== null && !isSpace && (level % 2 === 1) === arabic.test(mirrored);
    const last = pieces.at(-1);
    if (joins && last?.joins && last.face === face && last.level === level) last.text += mirrored;
    else pieces.push({ text: mirrored, face, level, isSpace, joins });
  }
  return pieces.map(({ joins: _, ...piece }) => measured(document, piece, style.size));
}

/** Splits an atom wider than a line into letters; a letter that is still wider becomes a box. */
export function cutIntoLetters(
  document: PDFKit.PDFDocument,
  atom: Atom,
  style: TextStyle,
  width = Number.POSITIVE_INFINITY,
): Atom[] {
  return [...graphemes.segment(atom.text)]
    .map(({ segment }) => measured(document, { ...atom, text: segment }, style.size))
    .map((letter) => (letter.width > width ? boxed(letter, style.size) : letter));
}

function faceFor(character: string, face: "regular" | "bold"): Face | null {
  const codePoints = [...character].map((part) => part.codePointAt(0)!);
  const candidates = arabic.test(character) ? [naskhOf(face)] : [face, naskhOf(face)];
  return candidates.find((candidate) => codePoints.every((point) => hasGlyph(candidate, point))) ?? null;
}

function measured(document: PDFKit.PDFDocument, atom: Omit<Atom, "width">, size: number): Atom {
  if (atom.face !== null) {
    try {
      const width = document.font(atom.face, size).widthOfString(atom.text);
      if (Number.isFinite(width)) return { ...atom, width: Math.max(width, 0) };
    } catch {
      // A name that a font cannot shape must not prevent a receipt: it is shown as boxes.
    }
  }
  return boxed(atom, size);
}

const boxed = (atom: Omit<Atom, "width">, size: number): Atom => ({ ...atom, face: null, width: size * 0.62 });
