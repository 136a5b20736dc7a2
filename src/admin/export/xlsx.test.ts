import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Cell } from "./export-formats.ts";
import { writeXlsx } from "./xlsx.ts";

const note = { person: "Amina Raza", at: "2026-11-22T10:00:00+11:00", filter: [["q", "<raza> & =co"]] as const };
const table = { title: "Donations", names: ["First name", "Last name", "Amount"], note };

const rowOf = (cents: number): Cell[] => ["=1+1", "<Raza> & \u0001 علی", { cents }];

/** Two donations in each batch, each with a refund. */
async function* batchesOf(count: number) {
  for (let place = 0; place < count; place += 2) yield [rowOf(10_658), rowOf(-2500), rowOf(10_658), rowOf(-2500)];
}

async function listAll(archive: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const part of archive) all.push(part);
  return all;
}

/** The files in an archive, by its directory at the end. */
async function readParts(archive: AsyncIterable<Buffer>): Promise<Map<string, string>> {
  const bytes = Buffer.concat(await listAll(archive));
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  const parts = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, size, nameLength] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
    ];
    const start = bytes.readUInt32LE(at + 42) + 30 + nameLength;
    const text = inflateRawSync(bytes.subarray(start, start + packed)).toString();
    expect(Buffer.byteLength(text)).toBe(size);
    parts.set(bytes.subarray(at + 46, at + 46 + nameLength).toString(), text);
    at += 46 + nameLength;
  }
  return parts;
}

test("DESK-7: a spreadsheet has rows with numbers, another sheet once one is full, and one about the export", async () => {
  const parts = await readParts(writeXlsx(batchesOf(6), table, 6));
  const sheets = [...parts.keys()].filter((name) => name.startsWith("xl/worksheets/"));
  expect(sheets).toEqual([1, 2, 3, 4].map((number) => `xl/worksheets/sheet${number}.xml`));
  const rows = sheets.map((name) => parts.get(name)!.split("<row>").length - 1);
  // Each sheet has the line of column names; 12 rows in all.
  expect(rows).toEqual([6, 6, 3, 3]);
  const first = parts.get("xl/worksheets/sheet1.xml")!;
  expect(first).toContain('<c s="2"><v>106.58</v></c>');
  expect(first).toContain('<c s="2"><v>-25.00</v></c>');
  expect(first).toContain(">'=1+1</v>");
  expect(first).toContain(">&lt;Raza&gt; &amp;  علی</v>");
  const about = parts.get("xl/worksheets/sheet4.xml")!;
  expect(about).toContain("Amina Raza");
  expect(about).toContain("2026-11-22T10:00:00+11:00");
  expect(about).toContain("&lt;raza&gt; &amp; =co");
  expect(parts.get("xl/workbook.xml")).toContain('<sheet name="About" sheetId="4" r:id="rId4"/>');
});

test("DESK-7: a spreadsheet's days and times are dates, its columns have widths, and its line of names filters all rows", async () => {
  async function* batches() {
    yield [
      [{ day: "2026-11-29" }, { time: "18:00:00" }, { count: 3 }, "a".repeat(99)],
      [{ day: "1970-01-01" }, { time: "00:00:00" }, { count: 0 }, ""],
    ] satisfies Cell[][];
  }
  const parts = await readParts(writeXlsx(batches(), { ...table, names: ["Day", "Time", "Tickets", "Types"] }));
  const sheet = parts.get("xl/worksheets/sheet1.xml")!;
  expect(sheet).toContain('<row><c s="3"><v>46355</v></c><c s="4"><v>0.75</v></c><c><v>3</v></c>');
  expect(sheet).toContain('<row><c s="3"><v>25569</v></c><c s="4"><v>0</v></c><c><v>0</v></c>');
  const formats = parts
    .get("xl/styles.xml")!
    .match(/<cellXfs.*<\/cellXfs>/)![0]
    .match(/<xf[^>]*>/g)!;
  expect(formats.slice(3)).toEqual([164, 21].map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`));
  expect(parts.get("xl/styles.xml")).toContain('numFmtId="164" formatCode="yyyy\\-mm\\-dd"');
  expect(sheet.match(/(?<= width=")\d+/g)).toEqual(["11", "9", "11", "40"]);
  expect(sheet).toContain('</sheetData><autoFilter ref="A1:D3"/></worksheet>');
});

test("RPL-1: a spreadsheet read from a replica says as of when", async () => {
  const asOf = "2026-11-22T09:59:58+11:00";
  const from = async (said: object) =>
    (await readParts(writeXlsx(batchesOf(0), { ...table, note: { ...note, ...said } }))).get(
      "xl/worksheets/sheet2.xml",
    );
  expect(await from({ asOf })).toMatch(/>As of<.*>2026-11-22T09:59:58\+11:00</);
  expect(await from({})).not.toContain("As of");
});

test("DESK-7: a spreadsheet without rows still has its column names, and one without a filter says so", async () => {
  const parts = await readParts(writeXlsx(batchesOf(0), { ...table, note: { ...note, filter: [] } }));
  expect(parts.get("xl/worksheets/sheet1.xml")).toContain(">Amount</v>");
  expect(parts.get("xl/worksheets/sheet2.xml")).toMatch(/>Filter<.*>None</);
});

test("DESK-8: a spreadsheet whose rows cannot be read fails, and reading stops once the reader has gone", async () => {
  let isOver = false;
  async function* failing() {
    yield [rowOf(1)];
    throw new Error("a broken disk");
  }
  await expect(listAll(writeXlsx(failing(), table))).rejects.toThrow("a broken disk");
  async function* endless() {
    try {
      for (let place = 0; ; place += 1) yield [rowOf(place)];
    } finally {
      isOver = true;
    }
  }
  for await (const _ of writeXlsx(endless(), table)) break;
  await expect.poll(() => isOver).toBe(true);
});
