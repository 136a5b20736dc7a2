import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, test } from "vitest";
import { pageBox } from "#shared/pdf/sheet.ts";
import { chashma } from "#test/organisation.ts";
import { drawHours } from "./hours-pdf.ts";

/** The words of each page that stand below its box and above its foot. */
async function listWordsBelow(bytes: Buffer): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const numbers = Array.from({ length: document.numPages }, (_, index) => index + 1);
  const pages = await Promise.all(numbers.map(async (number) => (await document.getPage(number)).getTextContent()));
  return pages.flatMap(({ items }) =>
    items.flatMap((item) => {
      if (!("str" in item) || item.str.trim() === "") return [];
      const bottom = pageBox.height - item.transform[5];
      return bottom > pageBox.bottom && bottom < 800 ? [item.str] : [];
    }),
  );
}

test("VOLA-12: however many shifts a certificate has, its last sentence stays above the foot of the page", async () => {
  for (const count of [24, 25, 26]) {
    const shift = { title: "Street stall", role: "Fundraising", day: "2026-12-05", minutes: 150 };
    const shifts = Array.from({ length: count }, () => shift);
    const given = { organisation: chashma, name: "Amina Raza", reference: "V-7KQ2-M9XW-4TBC", shifts };
    const bytes = await drawHours({ ...given, day: "2027-01-05", madeAt: new Date("2026-11-21T03:00:00Z") });
    expect(await listWordsBelow(bytes), `${count} shifts`).toEqual([]);
  }
});
