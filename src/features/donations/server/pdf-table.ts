import { actualText, addPage, colours, drawArtifact, pageBox, type Sheet } from "#shared/pdf/sheet.ts";
import type { TextStyle } from "#shared/pdf/text-atoms.ts";
import { type LaidText, type Line, layText, lineHeight } from "#shared/pdf/text-lines.ts";
import { drawLines } from "#shared/pdf/text-runs.ts";

export type Column = { readonly title: string; readonly width: number; readonly align: "left" | "right" };
/** Each cell is a stack of texts, each with its own style. */
type CellText = TextStyle & { readonly text: string; readonly colour: string };
export type TableRow = readonly (readonly CellText[])[];

type LaidCell = { readonly laid: readonly LaidText[]; readonly lines: readonly CellLine[] };
type CellLine = { readonly line: Line; readonly style: TextStyle; readonly colour: string };

const padding = 7;
const gap = 12;
const heading = { face: "bold", size: 9 } as const;

/** Draws a tagged table from `sheet.y` down. A row that doesn't fit moves to the next page, after repeated headings. */
export function drawTable(sheet: Sheet, columns: readonly Column[], rows: readonly TableRow[]) {
  const draw = beginTable(sheet, columns);
  for (const row of rows) draw(row);
}

/** Begins a table and returns the function that draws a row, so that callers can pause between rows. */
export function beginTable(sheet: Sheet, columns: readonly Column[]): (row: TableRow) => void {
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
  drawArtifact(document, () =>
    document.rect(pageBox.left, top, pageBox.right - pageBox.left, height).fill(colours.ground),
  );
  columns.forEach(({ title, align }, index) => {
    const place = { ...cellField(columns, index), top: top + padding / 2, align, colour: colours.lime };
    const { lines } = layText(document, title, heading, place.width, 1);
    put(index, () => drawLines(document, lines, heading, place));
  });
  sheet.y = top + height;
}

/** The area of a column's text, with half a gap on each side. */
function cellField(columns: readonly Column[], index: number): { left: number; width: number } {
  const before = columns.slice(0, index).reduce((sum, { width }) => sum + width, 0);
  return { left: pageBox.left + before + gap / 2, width: columns[index]!.width - gap };
}

function drawRow(
  sheet: Sheet,
  body: PDFKit.PDFStructureElement,
  columns: readonly Column[],
  row: TableRow,
  nextPage: () => void,
) {
  const { document } = sheet;
  const cells = row.map((texts, index) => layCell(document, texts, cellField(columns, index).width));
  const height = Math.max(...cells.map(({ lines }) => heightOf(lines))) + 2 * padding;
  const room = pageBox.bottom - sheet.y;
  const isLongerThanPage = height > pageBox.bottom - pageBox.top - 60;
  if (height > room && (!isLongerThanPage || room < 60)) nextPage();
  const tableRow = document.struct("TR");
  body.add(tableRow);
  const elements = cells.map(({ laid }) => document.struct("TD", actualText(...laid)));
  for (const element of elements) tableRow.add(element);
  let rest = cells.map(({ lines }) => lines);
  while (rest.some((lines) => lines.length > 0)) {
    const parts = rest.map((lines) => takeThatFit(lines, pageBox.bottom - sheet.y - 2 * padding));
    const top = sheet.y + padding;
    parts.forEach((part, index) => {
      if (part.length === 0) return;
      elements[index]!.add(() => drawCell(document, part, columns, index, top));
    });
    rest = rest.map((lines, index) => lines.slice(parts[index]!.length));
    const below = top + Math.max(0, ...parts.map(heightOf)) + padding;
    drawArtifact(document, () =>
      document
        .lineWidth(0.75)
        .strokeColor(colours.line)
        .moveTo(pageBox.left, below)
        .lineTo(pageBox.right, below)
        .stroke(),
    );
    sheet.y = below;
    if (rest.some((lines) => lines.length > 0)) nextPage();
  }
  // Written immediately; otherwise a long table would keep every row in memory until the end.
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
