import fc from "fast-check";
import PDFDocument from "pdfkit";
import { expect, test } from "vitest";
import { isLongRun } from "#test/long-run.ts";
import { longTest } from "#test/long-test.ts";
import { registerFonts } from "./fonts.ts";
import { cleanText } from "./text-atoms.ts";
import { layText } from "./text-lines.ts";
import { drawLines } from "./text-runs.ts";

const style = { face: "regular", size: 11 } as const;

function open() {
  const document = new PDFDocument({ size: "A4", margin: 0 });
  const bytes: Buffer[] = [];
  document.on("data", (chunk: Buffer) => bytes.push(chunk));
  const done = new Promise<Buffer>((resolve) => document.on("end", () => resolve(Buffer.concat(bytes))));
  registerFonts(document);
  return { document, done };
}

const shown = (text: string, width = 400) =>
  layText(open().document, text, style, width).lines.map(({ atoms }) => atoms.map((atom) => atom.text));

test("Urdu words run from right to left, each shaped as a whole", () => {
  expect(shown("عبدالستار ایدھی صاحب")).toEqual([["صاحب", " ", "ایدھی", " ", "عبدالستار"]]);
});

test("a mixed name keeps each script's direction, digits included", () => {
  expect(shown("Dr محمد خان (Lahore)").flat().join("")).toBe("Dr خان محمد (Lahore)");
  expect(shown("ABC ۱۲۳ def").flat().join("")).toBe("ABC ۱۲۳ def");
  expect(shown("محمد (2) خان").flat().join("")).toBe("خان (2) محمد");
});

test("control characters and direction overrides are removed, decomposed letters composed, lone surrogates replaced", () => {
  expect(cleanText("A\u0000\r\nB\u202e\u0301 e\u0301 \ud800")).toBe("A B\u0301 é \ufffd");
});

test("a character without a font is a box as wide as a letter, not an error", () => {
  const { lines } = layText(open().document, "王小明 😀 Ali", style, 400);
  const atoms = lines.flatMap((line) => line.atoms);
  expect(atoms.filter(({ face }) => face === null)).toHaveLength(4);
  expect(atoms.at(-1)?.text).toBe("Ali");
});

test("a text that is too long for its lines ends in an ellipsis", () => {
  const { lines } = layText(open().document, "word ".repeat(100), style, 120, 2);
  expect(lines).toHaveLength(2);
  expect(lines[1]!.atoms.at(-1)!.text).toBe("…");
  expect(lines[1]!.width).toBeLessThanOrEqual(120);
});

const pieces = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((codes) => String.fromCharCode(...codes)),
  fc.array(fc.integer({ min: 0x600, max: 0x6ff }), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes)),
  fc
    .array(fc.integer({ min: 0x300, max: 0x36f }), { maxLength: 30 })
    .map((codes) => `o${String.fromCharCode(...codes)}`),
  fc.constantFrom("محمد", "ایدھی", "שלום", "Zoë", "王", "👨‍👩‍👧", "\u202e", "\u200d", "﷽", "(", ")", "۱۲۳", " ", "\n"),
  fc.string({ unit: fc.constantFrom("A", "ß", "ع"), minLength: 100, maxLength: 100 }),
);

longTest("DON-21: random names of every kind never throw and never leave their column", async () => {
  const { document, done } = open();
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), fc.integer({ min: 40, max: 400 }), (parts, width) => {
      const { lines } = layText(document, parts.join(""), style, width, 6);
      for (const line of lines) expect(line.width).toBeLessThanOrEqual(width + 0.001);
      expect(lines.length).toBeLessThanOrEqual(6);
      drawLines(document, lines, style, { left: 50, top: 50, width, colour: "#16214F" });
    }),
    { numRuns: isLongRun ? 2000 : 200, seed: 20_261_121 },
  );
  document.end();
  expect((await done).subarray(0, 5).toString()).toBe("%PDF-");
});
