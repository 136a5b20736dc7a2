import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import PDFDocument from "pdfkit";
import { currentFont, keepCopiedText, type ParsedFont, tellOwnCharacters } from "./copied-text.ts";

/** The faces a document may use; Naskh is for words in Arabic letters (Urdu, Arabic, Persian). */
export type Face = "regular" | "bold" | "naskh" | "naskhBold";
export const faces = ["regular", "bold", "naskh", "naskhBold"] as const satisfies readonly Face[];

const files: Readonly<Record<Face, string>> = {
  regular: "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf",
  bold: "@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf",
  naskh: "@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf",
  naskhBold: "@expo-google-fonts/noto-naskh-arabic/700Bold/NotoNaskhArabic_700Bold.ttf",
};

const resolveFile = createRequire(import.meta.url).resolve;
const parsed = new Map<Face, ParsedFont>();

/** A face, read and parsed once in the life of the process: parsing takes longer than drawing a page. */
function loadFont(face: Face): ParsedFont {
  const known = parsed.get(face);
  if (known !== undefined) return known;
  // pdfkit takes a font that was parsed before instead of a file.
  const { font } = currentFont(new PDFDocument({ autoFirstPage: false }).font(readFileSync(resolveFile(files[face]))));
  tellOwnCharacters(font);
  parsed.set(face, font);
  return font;
}

/** The face of the same weight that has Arabic letters. */
export function naskhOf(face: "regular" | "bold"): Face {
  return face === "bold" ? "naskhBold" : "naskh";
}

/** Makes every face known to a document. */
export function registerFonts(document: PDFKit.PDFDocument) {
  for (const face of faces) {
    document.registerFont(face, loadFont(face) as unknown as PDFKit.Mixins.PDFFontSource);
    keepCopiedText(currentFont(document.font(face)));
  }
}

/** Whether a face can show a character. */
export function hasGlyph(face: Face, codePoint: number): boolean {
  return loadFont(face).hasGlyphForCodePoint(codePoint);
}
