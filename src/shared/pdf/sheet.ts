import PDFDocument from "pdfkit";
import { type DocumentLook, deliveredLook, documentShades } from "#shared/brand/document-look.ts";
import { deliveredColours } from "#shared/brand/shades.ts";
import { language } from "#shared/language.ts";
import { registerFonts } from "./fonts.ts";
import type { TextStyle } from "./text-atoms.ts";
import { type LaidText, layText, needsActualText } from "./text-lines.ts";
import { drawLines } from "./text-runs.ts";

const deliveredSheet = {
  /** Behind white text. */
  ground: "#16214F",
  ink: "#16214F",
  muted: "#4A5470",
  line: "#DFE3D9",
  tile: "#0A6B73",
  tileTint: "#ECF8F5",
  madder: "#9B1F2E",
  madderTint: "#FCEEEC",
  /** Of the brand, beside the band; `madder` warns, and stays. */
  second: "#9B1F2E",
  secondBright: "#C73A44",
  marigold: "#F7B73C",
  ferozaBright: "#3FB8B8",
  lime: "#FBFBF8",
  stripe: "#F6F7F2",
};

/** Those of the document that is being drawn: `openSheet` sets them, and drawing never waits. */
export const colours: Readonly<typeof deliveredSheet> = { ...deliveredSheet };

function setColours({ colours: chosen }: DocumentLook) {
  const isDelivered = chosen.main === deliveredColours.main && chosen.accent === deliveredColours.accent;
  const shades = documentShades(chosen);
  const own = {
    ground: shades.ground,
    ink: shades.ink,
    muted: shades.muted,
    tile: shades.link,
    tileTint: shades.tint,
    second: shades.second,
    secondBright: shades.secondBright,
    marigold: shades.accent,
    ferozaBright: shades.tileBright,
    // Off-white would be too dark on a main colour that is only just dark enough for white.
    lime: "#FFFFFF",
  };
  Object.assign(colours, isDelivered ? deliveredSheet : own);
}

/** A4 in points, and its text area. */
export const pageBox = { width: 595.28, height: 841.89, left: 50, right: 545.28, top: 52, bottom: 776 } as const;
export const pageWidth = pageBox.right - pageBox.left;

/** A tagged document being drawn; `y` is the next position. */
export type Sheet = {
  readonly document: PDFKit.PDFDocument;
  readonly root: PDFKit.PDFStructureElement;
  readonly look: DocumentLook;
  y: number;
  /** Draws each page's footer and returns the file. */
  finish(foot: string): Promise<Buffer>;
};

type SheetOptions = {
  readonly title: string;
  readonly author: string;
  readonly madeAt: Date;
  readonly look?: DocumentLook | undefined;
};

/** Opens an A4 document tagged for screen readers (PDF/UA). `madeAt` is its date, so equal input gives equal bytes. */
export function openSheet({ title, author, madeAt, look = deliveredLook }: SheetOptions): Sheet {
  setColours(look);
  const document = new PDFDocument({
    size: "A4",
    margin: 0,
    pdfVersion: "1.7",
    tagged: true,
    subset: "PDF/UA" as PDFKit.Mixins.PDFSubsets,
    lang: language,
    displayTitle: true,
    bufferPages: true,
    // None of pdfkit's own, whose metrics it would read for each document.
    font: "",
    info: { Title: title, Author: author, Creator: author, Producer: "Almoner", CreationDate: madeAt, ModDate: madeAt },
  });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const written = new Promise<Buffer>((resolve, reject) => {
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
  registerFonts(document);
  const writeGathered = gatherContent(document);
  const root = document.struct("Document");
  document.addStructure(root);
  drawBand(document, look);
  return {
    document,
    root,
    look,
    y: pageBox.top,
    finish: (foot) => {
      const { count } = document.bufferedPageRange();
      for (let index = 0; index < count; index++) {
        document.switchToPage(index);
        drawFoot(document, foot, `Page ${index + 1} of ${count}`);
      }
      root.end();
      writeGathered();
      document.end();
      return written;
    },
  };
}

/**
 * Collects what is drawn on a page and writes it in one piece, when another page follows or the returned function is
 * called: pdfkit would keep each of a page's three thousand operators in its own buffer.
 */
function gatherContent(document: PDFKit.PDFDocument): () => void {
  let drawnOn = document.page;
  let gathered: string[] = [];
  const writeGathered = () => {
    if (gathered.length > 0) drawnOn.write(gathered.join("\n"));
    gathered = [];
  };
  document.addContent = (content) => {
    if (document.page !== drawnOn) {
      writeGathered();
      drawnOn = document.page;
    }
    gathered.push(String(content));
    return document;
  };
  return writeGathered;
}

/** Starts a new page and moves to its top. */
export function addPage(sheet: Sheet) {
  sheet.document.addPage();
  drawBand(sheet.document, sheet.look);
  sheet.y = pageBox.top;
}

/** Draws what screen readers skip: decoration, repeated headings, page numbers. */
export function drawArtifact(document: PDFKit.PDFDocument, draw: () => void) {
  document.markContent("Artifact", { type: "Layout" });
  draw();
  document.endMarkedContent();
}

/** What a screen reader says instead of the drawn text, if that differs. */
export function actualText(...texts: readonly LaidText[]): { actual?: string } {
  const isReplaced = texts.some(({ lines }) => lines.some(needsActualText));
  return isReplaced ? { actual: texts.map(({ text }) => text).join("\n") } : {};
}

/** Draws one tagged text; returns the y below it. */
export function write(
  { document, root }: Pick<Sheet, "document" | "root">,
  tag: "H1" | "H2" | "P",
  text: string,
  place: TextStyle & {
    left: number;
    top: number;
    width: number;
    align?: "left" | "right";
    colour: string;
    maxLines?: number;
  },
): number {
  const style: TextStyle = { face: place.face, size: place.size };
  const laid = layText(document, text, style, place.width, place.maxLines);
  let below = place.top;
  const draw = () => {
    below = drawLines(document, laid.lines, style, place);
  };
  root.add(document.struct(tag, actualText(laid), draw));
  return below;
}

/** In points. */
const logoBox = { width: 190, height: 34, top: 36 };

/** The logo in the top right corner, if there is one. Returns where the organisation’s name begins. */
export function drawLogo(
  { document, root }: Pick<Sheet, "document" | "root">,
  { logo }: DocumentLook,
  { name, top }: { readonly name: string; readonly top: number },
): number {
  if (logo === null) return top;
  const { width, height } = logoBox;
  const fit: [number, number] = [width, height];
  root.add(
    document.struct("Figure", { alt: logo.words || name }, () => {
      document.image(Buffer.from(logo.onLight), pageBox.right - width, logoBox.top, { fit, align: "right" });
    }),
  );
  return logoBox.top + height + 8;
}

function drawFoot(document: PDFKit.PDFDocument, foot: string, number: string) {
  drawArtifact(document, () => {
    const style = { face: "regular", size: 8 } as const;
    const place = { left: pageBox.left, top: 800, width: pageWidth, colour: colours.muted } as const;
    document.lineWidth(0.75).strokeColor(colours.line).moveTo(pageBox.left, 792).lineTo(pageBox.right, 792).stroke();
    drawLines(document, layText(document, foot, style, pageWidth - 80, 1).lines, style, place);
    drawLines(document, layText(document, number, style, 70, 1).lines, style, { ...place, align: "right" });
  });
}

const star =
  "M92.4 38.3 54.1 54.1 38.3 92.4 0 76.5-38.3 92.4-54.1 54.1-92.4 38.3-76.5 0-92.4-38.3-54.1-54.1-38.3-92.4 0-76.5 38.3-92.4 54.1-54.1 92.4-38.3 76.5 0Z";
const bud =
  "M100 0 70.7 29.3V70.7H29.3L0 100-29.3 70.7H-70.7V29.3L-100 0-70.7-29.3V-70.7H-29.3L0-100 29.3-70.7H70.7V-29.3Z";

/** The operators of the first band, which all pages repeat, because drawing one takes as long as a page of text. */
let bandTiles: { readonly key: string; readonly content: string } | undefined;

/** A strip of ajrak pattern along the top of the page, or a line of the main colour. */
function drawBand(document: PDFKit.PDFDocument, { isPlain }: DocumentLook) {
  drawArtifact(document, () => {
    if (isPlain) return void document.rect(0, 0, pageBox.width, plainBandHeight).fill(colours.ground);
    // Drawn on every page, so that each page defines the colours that the band uses.
    document.rect(0, 0, pageBox.width, bandHeight).fill(colours.ground);
    const key = [colours.ground, colours.secondBright, colours.marigold].join(" ");
    if (bandTiles?.key !== key) bandTiles = { key, content: recordContent(document, drawTiles) };
    else document.addContent(bandTiles.content);
  });
}

const bandHeight = 22;
const plainBandHeight = 6;

function drawTiles(document: PDFKit.PDFDocument) {
  document
    .rect(0, 0, pageBox.width, 2)
    .rect(0, bandHeight - 2, pageBox.width, 2)
    .fill(colours.secondBright);
  const tile = pageBox.width / 27;
  for (let index = 0; index < 27; index++) {
    const isLight = index % 2 === 0;
    const x = tile * (index + 0.5);
    const [outer, inner] = isLight ? [colours.lime, colours.second] : [colours.marigold, colours.ground];
    drawShape(document, star, x, bandHeight / 2, 0.072, outer);
    drawShape(document, bud, x, bandHeight / 2, 0.046, inner);
    document.circle(x, bandHeight / 2, 1.4).fill(outer);
    document.circle(tile * index, bandHeight / 2, 1.5).fill(colours.ferozaBright);
  }
}

/** Returns what `draw` wrote into the page. */
function recordContent(document: PDFKit.PDFDocument, draw: (document: PDFKit.PDFDocument) => void): string {
  const written: string[] = [];
  const addContent = document.addContent;
  document.addContent = (content) => {
    written.push(String(content));
    return addContent.call(document, content);
  };
  draw(document);
  document.addContent = addContent;
  return written.join("\n");
}

function drawShape(document: PDFKit.PDFDocument, shape: string, x: number, y: number, scale: number, colour: string) {
  document.save().translate(x, y).scale(scale).path(shape).fill(colour).restore();
}
