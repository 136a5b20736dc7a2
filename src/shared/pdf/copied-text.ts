/** A glyph of shaped text (fontkit's); `codePoints` are the characters it stands for, none for dots set beside a letter. */
type Glyph = {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
  readonly path: { toSVG(): string };
};

/** Where a glyph stands, in thousandths of the font's size. */
type Position = { readonly xAdvance: number; readonly xOffset: number; readonly yOffset: number };

/** The part of a parsed font (fontkit's) that is asked or changed here. */
export type ParsedFont = {
  hasGlyphForCodePoint(codePoint: number): boolean;
  getGlyph(id: number, codePoints?: readonly number[]): Glyph;
};

/** The part of a document's font (pdfkit's) that is asked or changed here. */
export type EmbeddedFont = {
  readonly font: ParsedFont;
  readonly scale: number;
  readonly subset: { readonly glyphs: number[] };
  readonly widths: number[];
  readonly unicode: (readonly number[])[];
  layout(text: string, features?: unknown): { glyphs: readonly Glyph[]; positions: readonly Position[] };
  encode(text: string, features?: unknown): [codes: string[], positions: Position[]];
};

/** Shows nothing and joins nothing, and readers pass over it; for a glyph without any text they would invent one. */
const wordJoiner = 0x2060;

/** Dots that stand for no character themselves: as text, they would cut the word in the copy. */
const isLoose = ({ codePoints }: Glyph, { xAdvance }: Position) => codePoints.length === 0 && xAdvance === 0;

/**
 * Makes a font tell of each glyph the characters that it stands for in the text being shaped. By itself it tells those
 * that the glyph stood for first in the life of the process, and آ and ا, or ی and ى, share theirs.
 */
export function tellOwnCharacters(font: ParsedFont) {
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints) => {
    const glyph = getGlyph(id);
    return codePoints && glyph ? Object.create(glyph, { codePoints: { value: codePoints } }) : glyph;
  };
}

/**
 * Makes text copied out of a document the text that was written: a glyph that stands for other characters than before is
 * embedded once more, because a PDF keeps one text for each embedded glyph. Loose dots are left to `drawLooseDots`.
 */
export function keepCopiedText(font: EmbeddedFont) {
  const places = new Map<string, number>();
  const embed = ({ id, advanceWidth, codePoints }: Glyph): number => {
    const place = font.subset.glyphs.push(id) - 1;
    font.widths[place] = advanceWidth * font.scale;
    font.unicode[place] = codePoints.length > 0 ? codePoints : [wordJoiner];
    return place;
  };
  font.encode = (text, features) => {
    const { glyphs, positions } = font.layout(text, features);
    const codes: string[] = [];
    const kept: Position[] = [];
    glyphs.forEach((glyph, index) => {
      const position = positions[index]!;
      if (isLoose(glyph, position)) return;
      const key = `${glyph.id}:${glyph.codePoints.join()}`;
      const place = places.get(key) ?? embed(glyph);
      places.set(key, place);
      codes.push(place.toString(16).padStart(4, "0"));
      kept.push(position);
    });
    return [codes, kept];
  };
}

/** pdfkit keeps the font of the current face in `_font`. */
export const currentFont = (document: PDFKit.PDFDocument) => (document as unknown as { _font: EmbeddedFont })._font;

/** Draws the loose dots of a text in the current font, as shapes, where the text stands; in points. */
export function drawLooseDots(
  document: PDFKit.PDFDocument,
  text: string,
  left: number,
  baseline: number,
  size: number,
) {
  const font = currentFont(document);
  const { glyphs, positions } = font.layout(text);
  const unit = size / 1000;
  let x = left;
  glyphs.forEach((glyph, index) => {
    const position = positions[index]!;
    if (isLoose(glyph, position)) {
      document.save().translate(x + position.xOffset * unit, baseline - position.yOffset * unit);
      document
        .scale(font.scale * unit, -font.scale * unit)
        .path(glyph.path.toSVG())
        .fill()
        .restore();
    }
    x += position.xAdvance * unit;
  });
}
