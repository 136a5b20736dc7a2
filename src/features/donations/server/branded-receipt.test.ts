import { expect, test } from "vitest";
import { type DocumentLook, deliveredLook } from "#shared/brand/document-look.ts";
import { sharp } from "#shared/images/sharp.ts";
import { chashma } from "#test/organisation.ts";
import { countShapes } from "#test/pdf-shapes.ts";
import { describeIssue, type ReceiptData } from "./receipt.ts";
import { drawReceipt } from "./receipt-pdf.ts";
import { drawSummary } from "./summary-pdf.ts";

const now = new Date("2026-11-02T02:00:00Z");
const line = { quantity: 1, refundedCents: 0, onBehalfOf: [], title: "Where Needed Most", kind: "gift" as const };
const data: ReceiptData = {
  donorName: "Amina Example",
  lines: [{ ...line, unitCents: 10_000, lineCents: 10_000 }],
  subtotalCents: 10_000,
  adminFeeCents: 0,
  merchantFeeCents: 0,
  totalCents: 10_000,
  currency: "AUD",
  method: "cc",
  paidOn: "2026-11-02",
  reference: "D-0000-0000",
  refundedCents: 0,
  refunds: [],
  number: "R-1",
  ...describeIssue(chashma, now),
};

test("BRA-7: a receipt has the brand’s logo with its words, and the same brand gives the same bytes", async () => {
  const blank = { width: 120, height: 40, channels: 4, background: { r: 9, g: 90, b: 60, alpha: 0.5 } } as const;
  const png = await sharp({ create: blank }).png().toBuffer();
  const look = {
    colours: { main: "#0b5d3b", accent: "#f7b73c" },
    isPlain: false,
    logo: { onLight: png, onDark: png, words: "Rivers Trust" },
  } as const;
  const draw = (shown: DocumentLook) => drawReceipt({ data, voided: null, look: shown });
  const delivered = await draw(deliveredLook);
  const branded = await draw(look);
  expect(branded.toString("latin1")).toContain("/Subtype /Image");
  expect(branded.toString("latin1")).toContain("/S /Figure");
  expect(delivered.toString("latin1")).not.toContain("/Subtype /Image");
  expect((await draw(look)).equals(branded)).toBe(true);
  // No colour stays behind for the next document.
  expect((await draw(deliveredLook)).equals(delivered)).toBe(true);
});

test("BRA-7: a plain brand has no printed strip on receipts and summaries", async () => {
  const plain = { ...deliveredLook, isPlain: true };
  const donor = { name: "Amina Example", email: "amina@example.org" };
  const range = { from: "2026-07-01", to: "2026-11-02" };
  const summary = { organisation: chashma, donor, range, donations: [], madeAt: now };
  for (const draw of [
    (look: DocumentLook) => drawReceipt({ data, voided: null, look }),
    (look: DocumentLook) => drawSummary({ ...summary, look }),
  ]) {
    const [[printed = 0], [bare = 0]] = await Promise.all([
      countShapes(await draw(deliveredLook)),
      countShapes(await draw(plain)),
    ]);
    expect(printed).toBeGreaterThan(100);
    expect(bare).toBeLessThan(30);
  }
});
