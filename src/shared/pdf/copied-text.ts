/** A glyph of shaped text (fontkit's); `codePoints` are its characters, empty for dots placed beside a letter. */
type Glyph = {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
  readonly path: { toSVG(): string };
};

/** In thousandths of the font's size. */
type Position = { readonly xAdvance: number; readonly xOffset: number; readonly yOffset: number };

/** The part of a parsed font (fontkit's) that is used or changed here. */
export type ParsedFont = {
  hasGlyphForCodePoint(codePoint: number): boolean;
  getGlyph(id: number, codePoints?: readonly number[]): Glyph;
};

/** The part of a document's font (pdfkit's) that is used or changed here. */
export type EmbeddedFont = {
  readonly font: ParsedFont;
  readonly scale: number;
  readonly subset: { readonly glyphs: number[] };
  readonly widths: number[];
  readonly unicode: (readonly number[])[];
  /** Shaped words by their text. */
  layoutCache: Record<string, unknown>;
  layout(text: string, features?: unknown): { glyphs: readonly Glyph[]; positions: readonly Position[] };
  encode(text: string, features?: unknown): [codes: string[], positions: Position[]];
};

/** Invisible and ignored by readers; for a glyph without text they would invent a character. */
const wordJoiner = 0x2060;

/** Dots without a character of their own: as text, they would split the word when copied. */
const isLoose = ({ codePoints }: Glyph, { xAdvance }: Position) => codePoints.length === 0 && xAdvance === 0;

/**
 * Makes a font report each glyph's characters in the text being shaped. By default it reports the first ones that the
 * glyph ever had in this process, and آ and ا, or ی and ى, share glyphs.
 */
export function separateCharacters(font: ParsedFont) {
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints) => {
    const glyph = getGlyph(id);
    return codePoints && glyph ? Object.create(glyph, { codePoints: { value: codePoints } }) : glyph;
  };
}

/**
 * Makes text copied from a document match the original: a glyph with other characters than before is embedded again,
 * because a PDF has one text for each embedded glyph. `drawLooseDots` draws loose dots.
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

/** pdfkit keeps the current font in `_font`. */
export const currentFont = (document: PDFKit.PDFDocument) =>
  (document as PDFKit.PDFDocument & { _font: EmbeddedFont })._font;

/** Draws the loose dots of a text as shapes in the current font, at the text's position in points. */
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
