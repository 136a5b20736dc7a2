import fc from "fast-check";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, test } from "vitest";
import { isLongRun } from "#test/long-run.ts";
import { longTest } from "#test/long-test.ts";
import { chashma } from "#test/organisation.ts";
import { ReceiptData, type Voided } from "./receipt.ts";
import { drawReceipt } from "./receipt-pdf.ts";

type Line = ReceiptData["lines"][number];
const line = (changes: Partial<Line> = {}): Line => ({
  title: "Zakat",
  kind: "gift",
  quantity: 1,
  unitCents: 10_000,
  lineCents: 10_000,
  refundedCents: 0,
  onBehalfOf: [],
  ...changes,
});

function receiptOf(changes: Partial<ReceiptData> = {}): ReceiptData {
  const { name, abn, address, phone, email, receipt } = chashma;
  return {
    number: "R-000123",
    replaces: null,
    issuedAt: "2026-11-21T03:04:05.678Z",
    organisation: { name, abn, address, phone, email, ...receipt },
    donorName: "Zoë Ünal-Młynarz",
    lines: [line()],
    subtotalCents: 10_000,
    adminFeeCents: 500,
    merchantFeeCents: 158,
    totalCents: 10_658,
    currency: "AUD",
    method: "cc",
    paidOn: "2026-11-21",
    reference: "D7Q2M4K9T1XA",
    refundedCents: 0,
    refunds: [],
    ...changes,
  };
}

const draw = (data: ReceiptData, voided: Voided | null = null) => drawReceipt({ data, voided });

async function read(data: ReceiptData, voided: Voided | null = null) {
  const bytes = await draw(data, voided);
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? item.str : "")).join("");
    const boxes = items.flatMap((item) =>
      "str" in item ? [{ x: item.transform[4], right: item.transform[4] + item.width }] : [],
    );
    pages.push({ text: text.replace(/\s+/g, " "), boxes, tree: JSON.stringify(await page.getStructTree()) });
  }
  const { info } = await document.getMetadata();
  return { bytes, pages, text: pages.map((page) => page.text).join("\n"), info: info as Record<string, unknown> };
}

test("DON-21: the PDF states fund, ABN, gift wording, donor, number, date, lines, fees and total", async () => {
  const { text, info, bytes } = await read(receiptOf());
  for (const expected of [
    "Receipt",
    "R-000123",
    chashma.name,
    "ABN 99 000 000 000",
    chashma.receipt.fund,
    chashma.address,
    chashma.phone,
    chashma.email,
    "Zoë Ünal-Młynarz",
    "Date of payment: 21 November 2026",
    "Payment method: Credit card",
    "D7Q2M4K9T1XA",
    "Zakat",
    "$100.00",
    "Admin fee: $5.00",
    "Merchant fee: $1.58",
    "Total paid (AUD): $106.58",
    "includes the admin fee and the merchant fee",
    "This receipt is for a gift",
    "Amount of the gift: $100.00 AUD",
  ]) {
    expect(text).toContain(expected);
  }
  expect(text).not.toMatch(/tax invoice/i);
  expect(info).toMatchObject({ Title: "Receipt R-000123", Language: "en-AU" });
  expect(bytes.includes("pdfuaid:part")).toBe(true);
});

test("DON-21: screen readers find a real table: rows, cells, and headings that are marked as those of columns", async () => {
  const { pages, bytes } = await read(receiptOf({ lines: [line(), line({ title: "Sadaqah" })] }));
  const count = (role: string) => pages[0]!.tree.split(`"role":"${role}"`).length - 1;
  expect({ table: count("Table"), th: count("TH"), tr: count("TR"), td: count("TD"), h1: count("H1") }).toEqual({
    table: 1,
    th: 4,
    tr: 3,
    td: 8,
    h1: 1,
  });
  expect(bytes.toString("latin1").match(/\/Scope \/Column/g)).toHaveLength(4);
});

test("DON-21: gift wording and the gift fund are only for gifts, and only if the organisation may use them", async () => {
  const qurban = line({ title: "Qurban: Goat", kind: "not_deductible" });
  const { text } = await read(receiptOf({ lines: [qurban] }));
  expect(text).toContain(chashma.receipt.notDeductibleStatement);
  expect(text).not.toMatch(/This receipt is for a gift|Fund:/);
  const mixed = await read(receiptOf({ lines: [qurban, line({ lineCents: 2500, unitCents: 2500 })] }));
  expect(mixed.text).toContain("Amount of the gift: $25.00 AUD");
  expect(mixed.text).toContain(`Fund: ${chashma.receipt.fund}`);
  const { organisation } = receiptOf();
  const other = await read(receiptOf({ organisation: { ...organisation, isDeductibleGiftRecipient: false } }));
  expect(other.text).not.toMatch(/This receipt is for a gift|Fund:/);
});

test.each([
  ["endorsed as a whole", true],
  ["not endorsed", false],
])("DON-21: a receipt of an organisation that is %s names no fund", async (_, isDeductibleGiftRecipient) => {
  const organisation = { ...receiptOf().organisation, fund: "", isDeductibleGiftRecipient };
  const { text } = await read(receiptOf({ organisation }));
  expect(text).not.toContain("Fund:");
  expect(text).toContain(`${organisation.name}ABN ${organisation.abn}`);
  expect(text.includes("Amount of the gift")).toBe(isDeductibleGiftRecipient);
});

test("DON-21: a PDF without fees mentions none, and an anonymous one has no name", async () => {
  const { text } = await read(
    receiptOf({ adminFeeCents: 0, merchantFeeCents: 0, totalCents: 10_000, donorName: null }),
  );
  expect(text).not.toContain("fee");
  expect(text).toContain("Anonymous donor");
});

test("DON-21: names in Urdu can be read and copied, and characters without a font are kept for screen readers", async () => {
  const { text } = await read(receiptOf({ donorName: "عبدالستار ایدھی" }));
  // pdf.js gives the words of a line from left to right, each word as it is spelt.
  expect(text).toContain("ایدھی عبدالستار");
  const { pages, bytes } = await read(receiptOf({ donorName: "王 Wang" }));
  expect(pages[0]!.text).toContain("Wang");
  const actual = Buffer.from("\ufeff王 Wang", "utf16le").swap16().toString("latin1");
  expect(bytes.includes(Buffer.from(`/ActualText (${actual})`, "latin1"))).toBe(true);
});

test("DON-21: Urdu copied from the PDF has its original spelling, and screen readers read it in order", async () => {
  const names = ["آمنہ رضا", "سارہ ملک", "محمد علی", "Dr محمد خان (Lahore) ۱۲۳", "پروین عیسى یوسفی ١٢", "Ngô Thị Hồng"];
  for (const donorName of names) {
    const { text, bytes } = await read(receiptOf({ donorName }));
    const copied = text.slice(text.indexOf("Received from") + "Received from".length, text.indexOf("Total paid:"));
    const wordsOf = (name: string) => name.match(/[\p{L}\p{M}]+|\p{Nd}/gu)?.sort();
    expect(wordsOf(copied)).toEqual(wordsOf(donorName));
    expect(copied).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const actual = Buffer.from(`\ufeff${donorName}`, "utf16le").swap16();
    const escaped = actual.toString("latin1").replace(/[\\()]/g, "\\$&");
    const isTold = bytes.includes(Buffer.from(`/ActualText (${escaped})`, "latin1"));
    expect(isTold).toBe(/\p{Script=Arabic}/u.test(donorName));
  }
  const { text } = await read(receiptOf({ donorName: "Yusuf Raza", lines: [line({ onBehalfOf: names })] }));
  for (const word of names.join(" ").match(/[\p{L}\p{M}]{2,}/gu) ?? []) expect(text).toContain(word);
});

test("DON-21: fifty lines run over pages under repeated headings, which screen readers skip", async () => {
  const lines = Array.from({ length: 50 }, (_, index) => line({ title: `Line number ${index + 1}.` }));
  const { pages, text, bytes } = await read(receiptOf({ lines }));
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages.slice(0, -1)) expect(page.text).toMatch(/Donation ?Quantity ?Each ?Amount/);
  for (const { title } of lines) expect(text).toContain(title);
  expect(text).toContain(`Page 1 of ${pages.length}`);
  expect(bytes.toString("latin1").match(/\/S \/TH\n/g)).toHaveLength(4);
});

longTest("DON-21: a line with 999 names runs over as many pages as it needs and loses none", async () => {
  const onBehalfOf = Array.from({ length: 999 }, (_, index) => `Person ${index + 1} of the family`);
  const { text } = await read(receiptOf({ lines: [line({ quantity: 999, onBehalfOf })] }));
  for (const index of [1, 500, 999]) expect(text).toContain(`Person ${index} of the family`);
});

test("DON-21: the same receipt is the same bytes whenever it is printed", async () => {
  const data = receiptOf({ donorName: "عبدالستار Edhi 王" });
  const pdfs = await Promise.all(Array.from({ length: 4 }, () => draw(data)));
  for (const pdf of pdfs) expect(pdf.equals(pdfs[0]!)).toBe(true);
  // What other PDFs said before must not show in this one: ی and ى, ۱ and ١, ا and آ are the same shapes.
  const arabic = receiptOf({ donorName: "رضا یحیی ۱" });
  const before = await draw(arabic);
  await draw(receiptOf({ donorName: "آدم عيسى ١" }));
  expect((await draw(arabic)).equals(before)).toBe(true);
});

/** $30 of the $106.58 was refunded: 28.15 of the gift, the rest of the fees. */
const replacement = receiptOf({
  number: "R-000124",
  replaces: "R-000123",
  lines: [line({ refundedCents: 2815 })],
  refundedCents: 3000,
  refunds: [
    { on: "2026-11-22", cents: 1000 },
    { on: "2026-12-01", cents: 2000 },
  ],
});

test("DON-21: the PDF after a refund states the receipt it replaces, each refund, what is kept and the remaining gift", async () => {
  const { text } = await read(replacement);
  for (const expected of [
    "Replaces receipt R-000123",
    "Refunded: −$28.15",
    "Total paid (AUD): $106.58",
    "Refunded on 22 November 2026: −$10.00",
    "Refunded on 1 December 2026: −$20.00",
    "Kept (AUD): $76.58",
    "Amount of the gift: $71.85 AUD",
    "Please keep this receipt",
  ]) {
    expect(text).toContain(expected);
  }
  expect(text).not.toContain("VOID");
});

test("DON-21: a void receipt says so across each page and in words, keeps its number and content, and makes no gift statement", async () => {
  const lines = Array.from({ length: 40 }, (_, index) => line({ title: `Line number ${index + 1}.` }));
  const { pages, text, info } = await read(receiptOf({ lines }), { on: "2026-11-22", replacedBy: "R-000124" });
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) {
    expect(page.text).toContain("VOID");
    // Only visual: screen readers read the sentence instead.
    expect(page.tree).not.toContain("VOID");
  }
  for (const expected of [
    "Void since 22 November 2026, replaced by R-000124",
    "R-000123",
    "Zoë Ünal-Młynarz",
    "Line number 40.",
    "Total paid (AUD): $106.58",
    "This receipt is void. Please do not use it for tax.",
  ]) {
    expect(text).toContain(expected);
  }
  expect(text).not.toMatch(/for a gift|Amount of the gift|keep this receipt/);
  expect(info).toMatchObject({ Title: "Receipt R-000123 (void)" });
  const whole = await read(receiptOf(), { on: "2026-11-22", replacedBy: null });
  expect(whole.text).toContain("Void since 22 November 2026Received from");
});

test("DON-21: void and replacing PDFs are the same bytes whenever they are printed", async () => {
  const voided = { on: "2026-11-22", replacedBy: "R-000124" };
  expect((await draw(receiptOf(), voided)).equals(await draw(receiptOf(), voided))).toBe(true);
  expect((await draw(replacement)).equals(await draw(replacement))).toBe(true);
});

test("DON-21: a receipt stored before refunds existed is still read and printed", async () => {
  const { replaces: _, refundedCents, refunds, lines, ...old } = receiptOf();
  const oldLines = lines.map(({ refundedCents: __, ...each }) => each);
  const data = ReceiptData.parse(JSON.parse(JSON.stringify({ ...old, lines: oldLines })));
  expect(data).toEqual(receiptOf());
  expect((await draw(data)).equals(await draw(receiptOf()))).toBe(true);
});

longTest("S4: no name breaks a receipt or runs off its page", async () => {
  const name = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 100 }),
    fc.string({ unit: fc.constantFrom("ع", "A", " ", "\u0301", "\ud800", "王", ")", "\u202e", "۷"), maxLength: 100 }),
    fc.constantFrom("x".repeat(100), "ﷺ".repeat(100), "%PDF) endobj <<", "(((", "\\\\)", ""),
  );
  await fc.assert(
    fc.asyncProperty(name, fc.array(name, { maxLength: 4 }), async (donorName, onBehalfOf) => {
      const { pages } = await read(receiptOf({ donorName, lines: [line({ kind: "not_deductible", onBehalfOf })] }));
      for (const { x, right } of pages.flatMap(({ boxes }) => boxes)) {
        expect(x).toBeGreaterThanOrEqual(40);
        expect(right).toBeLessThanOrEqual(556);
      }
    }),
    { numRuns: isLongRun ? 60 : 12, seed: 20_261_121 },
  );
});
