import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import PDFDocument from "pdfkit";
import { currentFont, type EmbeddedFont, keepCopiedText, type ParsedFont, separateCharacters } from "./copied-text.ts";

/** The faces of a document; Naskh is for Arabic script (Urdu, Arabic, Persian). */
export type Face = "regular" | "bold" | "naskh" | "naskhBold";
const faces = ["regular", "bold", "naskh", "naskhBold"] as const satisfies readonly Face[];

const files: Readonly<Record<Face, string>> = {
  regular: "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf",
  bold: "@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf",
  naskh: "@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf",
  naskhBold: "@expo-google-fonts/noto-naskh-arabic/700Bold/NotoNaskhArabic_700Bold.ttf",
};

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** pdfkit accepts a parsed font instead of a file. */
      registerFont(name: string, parsed: ParsedFont): this;
    }
  }
}

const resolveFile = createRequire(import.meta.url).resolve;
const parsed = new Map<Face, ParsedFont>();
/** Words that each face has shaped, kept from one document to the next: shaping is most of the work of a receipt. */
const shaped = new Map<Face, EmbeddedFont["layoutCache"]>();
const MAX_SHAPED_WORDS = 2000;

/** Reads and parses a face once per thread: parsing takes longer than drawing a page. */
function loadFont(face: Face): ParsedFont {
  const known = parsed.get(face);
  if (known !== undefined) return known;
  const { font } = currentFont(new PDFDocument({ autoFirstPage: false }).font(readFileSync(resolveFile(files[face]))));
  separateCharacters(font);
  parsed.set(face, font);
  return font;
}

/** The face with Arabic script in the same weight. */
export function naskhOf(face: "regular" | "bold"): Face {
  return face === "bold" ? "naskhBold" : "naskh";
}

/** Makes the faces available to a document. Words shaped for earlier documents are reused. */
export function registerFonts(document: PDFKit.PDFDocument) {
  for (const face of faces) {
    document.registerFont(face, loadFont(face));
    const font = currentFont(document.font(face));
    keepCopiedText(font);
    const known = shaped.get(face);
    if (known !== undefined && Object.keys(known).length < MAX_SHAPED_WORDS) font.layoutCache = known;
    else shaped.set(face, font.layoutCache);
  }
}

/** Whether this font can draw this Unicode code point. */
export function hasGlyph(face: Face, codePoint: number): boolean {
  return loadFont(face).hasGlyphForCodePoint(codePoint);
}
