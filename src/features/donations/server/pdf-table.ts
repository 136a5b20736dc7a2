import { actualText, addPage, colours, drawArtifact, page, type Sheet } from "#shared/pdf/sheet.ts";
import type { TextStyle } from "#shared/pdf/text-atoms.ts";
import { type LaidText, type Line, layText, lineHeight } from "#shared/pdf/text-lines.ts";
import { drawLines } from "#shared/pdf/text-runs.ts";

export type Column = { readonly title: string; readonly width: number; readonly align: "left" | "right" };
/** A cell is one text below the other, each in its own style. */
export type CellText = TextStyle & { readonly text: string; readonly colour: string };
export type Row = readonly (readonly CellText[])[];

type LaidCell = { readonly laid: readonly LaidText[]; readonly lines: readonly CellLine[] };
type CellLine = { readonly line: Line; readonly style: TextStyle; readonly colour: string };

const padding = 7;
const gap = 12;
const heading = { face: "bold", size: 9 } as const;

/**
 * Draws a tagged table from `sheet.y` on. A row that does not fit goes to the next page, under the headings again; one
 * that is longer than a page is continued on it.
 */
export function drawTable(sheet: Sheet, columns: readonly Column[], rows: readonly Row[]) {
  const draw = beginTable(sheet, columns);
  for (const row of rows) draw(row);
}

/** Begins such a table and returns what draws its rows, for one so long that others get their turn in between. */
export function beginTable(sheet: Sheet, columns: readonly Column[]): (row: Row) => void {
  const { document, root } = sheet;
  const table = document.struct("Table");
  root.add(table);
  const head = document.struct("THead");
  table.add(head);
  const headRow = document.struct("TR");
  head.add(headRow);
  drawHeadings(sheet, columns, (index, draw) => {
    headRow.add(document.struct("TH", { scope: "Column" } as object, draw));
    return index;
  });
  const body = document.struct("TBody");
  table.add(body);
  const nextPage = () => {
    addPage(sheet);
    drawHeadings(sheet, columns, (_, draw) => drawArtifact(document, draw));
  };
  return (row) => drawRow(sheet, body, columns, row, nextPage);
}

function drawHeadings(sheet: Sheet, columns: readonly Column[], put: (index: number, draw: () => void) => void) {
  const { document } = sheet;
  const height = lineHeight(heading) + padding;
  const top = sheet.y;
  drawArtifact(document, () => document.rect(page.left, top, page.right - page.left, height).fill(colours.ink));
  columns.forEach(({ title, align }, index) => {
    const place = { ...cellField(columns, index), top: top + padding / 2, align, colour: colours.lime };
    const { lines } = layText(document, title, heading, place.width, 1);
    put(index, () => drawLines(document, lines, heading, place));
  });
  sheet.y = top + height;
}

/** Where a column's text stands; the outer columns keep a little inside the table's edges. */
function cellField(columns: readonly Column[], index: number): { left: number; width: number } {
  const before = columns.slice(0, index).reduce((sum, { width }) => sum + width, 0);
  return { left: page.left + before + gap / 2, width: columns[index]!.width - gap };
}

function drawRow(
  sheet: Sheet,
  body: PDFKit.PDFStructureElement,
  columns: readonly Column[],
  row: Row,
  nextPage: () => void,
) {
  const { document } = sheet;
  const cells = row.map((texts, index) => layCell(document, texts, cellField(columns, index).width));
  const height = Math.max(...cells.map(({ lines }) => heightOf(lines))) + 2 * padding;
  const room = page.bottom - sheet.y;
  const isLongerThanPage = height > page.bottom - page.top - 60;
  if (height > room && (!isLongerThanPage || room < 60)) nextPage();
  const tableRow = document.struct("TR");
  body.add(tableRow);
  const elements = cells.map(({ laid }) => document.struct("TD", actualText(...laid)));
  for (const element of elements) tableRow.add(element);
  let rest = cells.map(({ lines }) => lines);
  while (rest.some((lines) => lines.length > 0)) {
    const parts = rest.map((lines) => takeThatFit(lines, page.bottom - sheet.y - 2 * padding));
    const top = sheet.y + padding;
    parts.forEach((part, index) => {
      if (part.length === 0) return;
      elements[index]!.add(() => drawCell(document, part, columns, index, top));
    });
    rest = rest.map((lines, index) => lines.slice(parts[index]!.length));
    const below = top + Math.max(0, ...parts.map(heightOf)) + padding;
    drawArtifact(document, () =>
      document.lineWidth(0.75).strokeColor(colours.line).moveTo(page.left, below).lineTo(page.right, below).stroke(),
    );
    sheet.y = below;
    if (rest.some((lines) => lines.length > 0)) nextPage();
  }
  // Written out at once: a long table would keep all its rows' elements until its end.
  tableRow.end();
}

function layCell(document: PDFKit.PDFDocument, texts: readonly CellText[], width: number): LaidCell {
  const laid = texts.map(({ text, face, size }) => layText(document, text, { face, size }, width));
  const lines = laid.flatMap(({ lines: each, style }, index) =>
    each.map((line) => ({ line, style, colour: texts[index]!.colour })),
  );
  return { laid, lines };
}

function takeThatFit(lines: readonly CellLine[], room: number): readonly CellLine[] {
  let used = 0;
  const end = lines.findIndex(({ style }) => {
    used += lineHeight(style);
    return used > room;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

const heightOf = (lines: readonly CellLine[]) => lines.reduce((sum, { style }) => sum + lineHeight(style), 0);

function drawCell(
  document: PDFKit.PDFDocument,
  lines: readonly CellLine[],
  columns: readonly Column[],
  index: number,
  top: number,
) {
  const field = { ...cellField(columns, index), align: columns[index]!.align };
  let y = top;
  for (const { line, style, colour } of lines) y = drawLines(document, [line], style, { ...field, top: y, colour });
}
