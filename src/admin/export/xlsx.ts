import { withoutFormula } from "#shared/csv.ts";
import { DAY_MS } from "#shared/day-length.ts";
import { plainDollars } from "#shared/money.ts";
import { type ArchivePart, writeArchive } from "./archive.ts";
import { cellText } from "./csv.ts";
import type { Cell, ExportNote, Rows, Table } from "./export-formats.ts";

/** The most rows that Excel opens, including the line of column names. */
const MAX_ROWS = 1_048_576;

/**
 * Rows as a spreadsheet: sheets of rows, each filled before the next, and a last sheet that says what was exported, by
 * whom and when. Written while it is read.
 */
export function writeXlsx(batches: Rows, table: Table, maxRows = MAX_ROWS): AsyncGenerator<Buffer> {
  return writeArchive(listParts(batches, table, maxRows));
}

async function* listParts(batches: Rows, { title, names, note }: Table, maxRows: number): AsyncGenerator<ArchivePart> {
  const sheets: string[] = [];
  const nameNext = (name: string) => {
    sheets.push(name);
    return `xl/worksheets/sheet${sheets.length}.xml`;
  };
  const source = batches[Symbol.asyncIterator]();
  const rest: Rest = { rows: [], at: 0, isOver: false };
  try {
    await hasMore(source, rest);
    do {
      const path = nameNext(sheets.length === 0 ? title : `${title} ${sheets.length + 1}`);
      yield { name: path, bytes: writeSheet(names, { source, rest, maxRows }) };
    } while (await hasMore(source, rest));
  } finally {
    await source.return?.();
  }
  yield { name: nameNext("About"), bytes: [Buffer.from(aboutSheet(note))] };
  for (const [name, text] of frame(sheets)) yield { name, bytes: [Buffer.from(text)] };
}

type Source = AsyncIterator<readonly (readonly Cell[])[]>;
/** The batch that is being written, and the place of its next row. */
type Rest = { rows: readonly (readonly Cell[])[]; at: number; isOver: boolean };

/** Reads the next batch, if the present one is written. */
async function hasMore(source: Source, rest: Rest): Promise<boolean> {
  while (rest.at === rest.rows.length && !rest.isOver) {
    const next = await source.next();
    Object.assign(rest, next.done ? { isOver: true } : { rows: next.value, at: 0 });
  }
  return rest.at < rest.rows.length;
}

const CHUNK = 64 * 1024;

/** Leaves the rows that did not fit in `rest`. */
async function* writeSheet(
  names: readonly string[],
  { source, rest, maxRows }: { source: Source; rest: Rest; maxRows: number },
): AsyncGenerator<Buffer> {
  const view = '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView>';
  const columns = writeColumns(widthsFor(names, rest));
  let text = `${sheetStart}<sheetViews>${view}</sheetViews>${columns}<sheetData>${writeRow(names, 1)}`;
  let left = maxRows - 1;
  while (left > 0 && (await hasMore(source, rest))) {
    for (; left > 0 && rest.at < rest.rows.length; left -= 1) {
      text += writeRow(rest.rows[rest.at]!, 0);
      rest.at += 1;
      if (text.length > CHUNK) {
        yield Buffer.from(text);
        text = "";
      }
    }
  }
  const filter = `<autoFilter ref="A1:${columnName(names.length)}${maxRows - left}"/>`;
  yield Buffer.from(`${text}</sheetData>${filter}${sheetEnd}`);
}

const MAX_WIDTH = 40;
/** What the button of a column's filter covers, in characters. */
const FILTER_BUTTON = 4;

/** The widths in characters that the names need, and the rows read so far: later ones are not known yet. */
function widthsFor(names: readonly string[], { rows, at }: Rest): number[] {
  const widths = names.map((name) => name.length + FILTER_BUTTON);
  for (const row of rows.slice(at)) {
    for (const [place, cell] of row.entries()) {
      const { length } = typeof cell === "string" ? cell : cellText(cell);
      widths[place] = Math.max(widths[place]!, Math.min(length + 1, MAX_WIDTH));
    }
  }
  return widths;
}

const writeColumns = (widths: readonly number[]) =>
  `<cols>${widths
    .map((width, place) => `<col min="${place + 1}" max="${place + 1}" width="${width}" customWidth="1"/>`)
    .join("")}</cols>`;

/** 'A' for 1, 'AA' for 27. */
const columnName = (number: number): string =>
  number === 0
    ? ""
    : columnName(Math.floor((number - 1) / 26)) + String.fromCharCode("A".charCodeAt(0) + ((number - 1) % 26));

/** `style`: 0 for rows, 1 for the line of column names. `styles` has the others. */
function writeRow(cells: readonly Cell[], style: 0 | 1): string {
  let row = "<row>";
  for (const cell of cells) row += writeCell(cell, style);
  return `${row}</row>`;
}

/** The type `str` takes less than half of the space of `inlineStr`, which a text needs that begins or ends in spaces. */
function writeCell(cell: Cell, style: 0 | 1): string {
  if (typeof cell !== "string") return writeNumber(cell);
  if (cell === "") return "<c/>";
  const text = escapeXml(withoutFormula(cell));
  const look = style === 0 ? "" : ' s="1"';
  return /^\s|\s$/.test(text)
    ? `<c${look} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
    : `<c${look} t="str"><v>${text}</v></c>`;
}

/** Spreadsheets count days from 30 December 1899, and a time is a part of a day. */
function writeNumber(cell: Exclude<Cell, string>): string {
  if ("cents" in cell) return `<c s="2"><v>${plainDollars(cell.cents)}</v></c>`;
  if ("count" in cell) return `<c><v>${cell.count}</v></c>`;
  if ("day" in cell) return `<c s="3"><v>${(Date.parse(cell.day) - FIRST_DAY_MS) / DAY_MS}</v></c>`;
  return `<c s="4"><v>${Date.parse(`1970-01-01T${cell.time}Z`) / DAY_MS}</v></c>`;
}

const FIRST_DAY_MS = Date.parse("1899-12-30");

/** Removes characters that XML cannot hold. */
function escapeXml(text: string): string {
  if (!/[^ -~]|[&<>"]/.test(text)) return text;
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

function aboutSheet({ person, at, asOf, filter }: ExportNote): string {
  const rows = [
    ["Exported by", person],
    ["Exported at", at],
    ...(asOf === undefined ? [] : [["As of", asOf]]),
    ...(filter.length === 0 ? [["Filter", "None"]] : filter.map(([name, text]) => [`Filter: ${name}`, text])),
  ];
  const written = rows.map((cells) => writeRow(cells, 0)).join("");
  return `${sheetStart}${writeColumns([20, MAX_WIDTH])}<sheetData>${written}</sheetData>${sheetEnd}`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const sheetStart = `${declaration}<worksheet xmlns="${main}">`;
const sheetEnd = "</worksheet>";

const styles =
  `${declaration}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>' +
  '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf fontId="1" applyFont="1"/>' +
  '<xf numFmtId="2" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/>' +
  '<xf numFmtId="21" applyNumberFormat="1"/></cellXfs></styleSheet>';

/** The parts of a workbook besides its sheets. */
function frame(sheets: readonly string[]): [name: string, text: string][] {
  const numbered = sheets.map((name, place) => ({ name, number: place + 1 }));
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
  const override = (path: string, type: string) =>
    `<Override PartName="${path}" ContentType="${mediaType}.${type}+xml"/>`;
  return [
    ["xl/styles.xml", styles],
    [
      "xl/workbook.xml",
      `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${numbered
        .map(({ name, number }) => `<sheet name="${name}" sheetId="${number}" r:id="rId${number}"/>`)
        .join("")}</sheets></workbook>`,
    ],
    [
      "xl/_rels/workbook.xml.rels",
      `${declaration}<Relationships xmlns="${packages}/relationships">${numbered
        .map(({ number }) => relation(`rId${number}`, "worksheet", `worksheets/sheet${number}.xml`))
        .join("")}${relation("rIdStyles", "styles", "styles.xml")}</Relationships>`,
    ],
    [
      "_rels/.rels",
      `${declaration}<Relationships xmlns="${packages}/relationships">${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    ],
    [
      "[Content_Types].xml",
      `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override("/xl/workbook.xml", "sheet.main")}${override("/xl/styles.xml", "styles")}${numbered
        .map(({ number }) => override(`/xl/worksheets/sheet${number}.xml`, "worksheet"))
        .join("")}</Types>`,
    ],
  ];
}
