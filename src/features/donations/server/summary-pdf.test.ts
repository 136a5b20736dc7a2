import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, test } from "vitest";
import { longTest } from "#test/long-test.ts";
import { chashma } from "#test/organisation.ts";
import type { SummaryDonation } from "./history.ts";
import { renderSummary } from "./render-pdfs.ts";
import { drawSummary, type Summary } from "./summary-pdf.ts";

const donation = (changes: Partial<SummaryDonation> = {}): SummaryDonation => ({
  reference: "D-7KQ2-M9XW-4TBC",
  receiptNumber: "R-000123",
  paidOn: "2026-11-12",
  totalCents: 10_658,
  refundedCents: 0,
  lines: [{ fund: "zakat", title: "Zakat", kind: "gift", lineCents: 10_000, refundedCents: 0 }],
  ...changes,
});

const summaryOf = (changes: Partial<Summary> = {}): Summary => ({
  organisation: chashma,
  donor: { name: "Zoë Ünal-Młynarz", email: "zoe@example.com" },
  range: { from: "2026-07-01", to: "2027-06-30" },
  donations: [donation()],
  madeAt: new Date("2026-11-21T03:04:05Z"),
  ...changes,
});

async function read(summary: Summary, draw = drawSummary) {
  const bytes = await draw(summary);
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages: { text: string; tree: string }[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? item.str : "")).join("");
    pages.push({ text: text.replace(/\s+/g, " "), tree: JSON.stringify(await page.getStructTree()) });
  }
  const { info } = await document.getMetadata();
  return { bytes, pages, text: pages.map(({ text }) => text).join("\n"), info: info as Record<string, unknown> };
}

test("PRO-8: the summary names the donor, the organisation, the days, and each donation with its receipt", async () => {
  const { text, info, bytes } = await read(summaryOf());
  for (const expected of [
    "Donation summary",
    chashma.name,
    "ABN 99 000 000 000",
    chashma.address,
    chashma.phone,
    "Zoë Ünal-Młynarz",
    "zoe@example.com",
    "1 July 2026 to 30 June 2027",
    "Made on 21 November 2026",
    "12 Nov 2026",
    "R-000123",
    "Zakat",
    "$100.00",
    "$6.58",
    "$106.58",
    "Tax-deductible gifts (AUD): $100.00",
    "Other payments and fees: $6.58",
    "Total paid in 1 donation: $106.58",
    "This is a summary, not a receipt.",
    "Page 1 of 1",
  ]) {
    expect(text).toContain(expected);
  }
  expect(info).toMatchObject({ Title: "Donation summary, 1 July 2026 to 30 June 2027", Language: "en-AU" });
  expect(bytes.includes("pdfuaid:part")).toBe(true);
});

test("PRO-8: lines that are not gifts are separated from gifts, even within one donation", async () => {
  const mixed = donation({
    lines: [
      { fund: "zakat", title: "Zakat", kind: "gift", lineCents: 5000, refundedCents: 0 },
      { fund: "zakat", title: "Qurban: Goat", kind: "not_deductible", lineCents: 19_000, refundedCents: 0 },
    ],
    totalCents: 25_000,
    receiptNumber: "",
  });
  const { text } = await read(summaryOf({ donations: [donation(), mixed] }));
  expect(text).toContain("Qurban: GoatNot deductible");
  expect(text).toContain("To follow");
  expect(text).toContain("Tax-deductible gifts (AUD): $150.00");
  expect(text).toContain("Other payments and fees: $206.58");
  expect(text).toContain("Total paid in 2 donations: $356.58");
});

test("PRO-8: the sums stay together, and share the page of the table as long as they fit", async () => {
  for (let count = 8; count <= 20; count += 1) {
    const { pages } = await read(summaryOf({ donations: Array.from({ length: count }, () => donation()) }));
    expect(pages.length).toBe(count <= 15 ? 1 : 2);
    expect(pages.at(-1)!.text).toMatch(/Tax-deductible gifts.*Total paid in.*Questions\?.*Page/);
  }
});

test("PRO-8: a partly refunded donation counts with what was kept", async () => {
  const partly = donation({
    refundedCents: 3000,
    lines: [{ fund: "zakat", title: "Zakat", kind: "gift", lineCents: 10_000, refundedCents: 2815 }],
  });
  const { text } = await read(summaryOf({ donations: [donation(), partly] }));
  for (const expected of [
    "After a refund of $30.00",
    "$71.85 $4.73 $76.58",
    "Tax-deductible gifts (AUD): $171.85",
    "Other payments and fees: $11.31",
    "Total paid in 2 donations: $183.16",
    "Refunded amounts are left out.",
  ]) {
    expect(text).toContain(expected);
  }
});

test("PRO-8: an organisation that is not a deductible gift recipient claims no deduction", async () => {
  const organisation = { ...chashma, receipt: { ...chashma.receipt, isDeductibleGiftRecipient: false } };
  const { text } = await read(summaryOf({ organisation }));
  expect(text).toContain("Gifts (AUD): $100.00");
  expect(text).not.toMatch(/tax-deductible/i);
});

test("PRO-8: a period without donations says so, without a table", async () => {
  const { text, pages } = await read(summaryOf({ donations: [] }));
  expect(text).toContain("No donations were paid in this period.");
  expect(pages[0]!.tree).not.toContain('"role":"Table"');
});

longTest(
  "PRO-8: a thousand donations are one tagged table over numbered pages, in little memory, off the main thread",
  async () => {
    const donations = Array.from({ length: 1000 }, (_, index) =>
      donation({ receiptNumber: `R-${String(index + 1).padStart(6, "0")}` }),
    );
    await renderSummary(summaryOf());
    const memory = process.memoryUsage().rss;
    const [processBefore, threadBefore] = [process.cpuUsage(), process.threadCpuUsage()];
    const bytes = await renderSummary(summaryOf({ donations }));
    const all = millisecondsOf(process.cpuUsage(processBefore));
    const answering = millisecondsOf(process.threadCpuUsage(threadBefore));
    const grown = (process.memoryUsage().rss - memory) / 2 ** 20;
    // `npm run bench:history` measures the time: tests run in parallel.
    expect(all).toBeLessThan(3000);
    expect(answering).toBeLessThan(all / 4);
    expect(grown).toBeLessThan(100);
    const { pages } = await read(summaryOf({ donations }), async () => bytes);
    expect(pages.length).toBeGreaterThan(20);
    pages.forEach(({ text, tree }, index) => {
      expect(text).toContain(`Page ${index + 1} of ${pages.length}`);
      if (index < pages.length - 1) expect(tree).toContain('"role":"Table"');
    });
    for (const { receiptNumber } of donations)
      expect(pages.some(({ text }) => text.includes(receiptNumber))).toBe(true);
    expect(pages.at(-1)!.text).toContain("Tax-deductible gifts (AUD): $100,000.00");
  },
);

function millisecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
