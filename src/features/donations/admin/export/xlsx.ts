import { withoutFormula } from "#shared/csv.ts";
import { plainDollars } from "#shared/money.ts";
import type { ExportedDonation } from "../../server/search/export-donations.ts";
import { type ArchivePart, writeArchive } from "./archive.ts";
import { type Cell, type ExportColumn, rowsOf } from "./export-columns.ts";
import type { ExportNote } from "./export-formats.ts";

/** The most rows that Excel opens, including the line of column names. */
const MOST_ROWS = 1_048_576;

/** The rows still to be written: each sheet takes as many as fit. */
type Lines = AsyncIterator<readonly Cell[]>;

/**
 * Batches of donations as a spreadsheet: sheets of rows, each filled before the next, and a last sheet that says what
 * was exported, by whom and when. Written while it is read.
 */
export function writeXlsx(
  batches: AsyncIterable<readonly ExportedDonation[]>,
  columns: readonly ExportColumn[],
  note: ExportNote,
  mostRows = MOST_ROWS,
): AsyncGenerator<Buffer> {
  return writeArchive(listParts(batches, columns, { note, mostRows }));
}

async function* listParts(
  batches: AsyncIterable<readonly ExportedDonation[]>,
  columns: readonly ExportColumn[],
  { note, mostRows }: { note: ExportNote; mostRows: number },
): AsyncGenerator<ArchivePart> {
  const sheets: string[] = [];
  const nameNext = (name: string) => {
    sheets.push(name);
    return `xl/worksheets/sheet${sheets.length}.xml`;
  };
  const lines = readLines(batches, columns);
  const names = columns.map(({ name }) => name);
  try {
    let next = await lines.next();
    do {
      const path = nameNext(sheets.length === 0 ? "Donations" : `Donations ${sheets.length + 1}`);
      const rest = { next, mostRows };
      yield { name: path, bytes: writeSheet(names, lines, rest) };
      next = rest.next;
    } while (!next.done);
  } finally {
    await lines.return?.();
  }
  yield { name: nameNext("About"), bytes: [Buffer.from(aboutSheet(note))] };
  for (const [name, text] of frame(sheets)) yield { name, bytes: [Buffer.from(text)] };
}

async function* readLines(batches: AsyncIterable<readonly ExportedDonation[]>, columns: readonly ExportColumn[]) {
  for await (const donations of batches) {
    for (const donation of donations) yield* rowsOf(donation, columns);
  }
}

const CHUNK = 64 * 1024;

/** Leaves the first row that did not fit in `rest`. */
async function* writeSheet(
  names: readonly string[],
  lines: Lines,
  rest: { next: IteratorResult<readonly Cell[]>; readonly mostRows: number },
): AsyncGenerator<Buffer> {
  let text = `${sheetStart}<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><sheetData>${writeRow(names, 1)}`;
  for (let rows = 1; rows < rest.mostRows && !rest.next.done; rows += 1) {
    text += writeRow(rest.next.value, 0);
    if (text.length > CHUNK) {
      yield Buffer.from(text);
      text = "";
    }
    rest.next = await lines.next();
  }
  yield Buffer.from(`${text}${sheetEnd}`);
}

/** `style`: 0 for rows, 1 for the line of column names. Amounts have two decimals. */
const writeRow = (cells: readonly Cell[], style: 0 | 1) =>
  `<row>${cells.map((cell) => writeCell(cell, style)).join("")}</row>`;

function writeCell(cell: Cell, style: 0 | 1): string {
  if (typeof cell !== "string") return `<c s="2"><v>${plainDollars(cell.cents)}</v></c>`;
  if (cell === "") return "<c/>";
  return `<c${style === 0 ? "" : ' s="1"'} t="inlineStr"><is><t xml:space="preserve">${escapeXml(withoutFormula(cell))}</t></is></c>`;
}

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

function aboutSheet({ person, at, filter }: ExportNote): string {
  const rows = [
    ["Exported by", person],
    ["Exported at", at],
    ...(filter.length === 0
      ? [["Filter", "None: all donations"]]
      : filter.map(([name, text]) => [`Filter: ${name}`, text])),
  ];
  return `${sheetStart}<sheetData>${rows.map((cells) => writeRow(cells, 0)).join("")}${sheetEnd}`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const sheetStart = `${declaration}<worksheet xmlns="${main}">`;
const sheetEnd = "</sheetData></worksheet>";

const styles =
  `${declaration}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>' +
  '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/>' +
  '<xf numFmtId="2" applyNumberFormat="1"/></cellXfs></styleSheet>';

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
