import { expect, test } from "vitest";
import { deliveredLook } from "#shared/brand/document-look.ts";
import { sharp } from "#shared/images/sharp.ts";
import { chashma as organisation } from "#test/organisation.ts";
import { drawSpecimenReceipt } from "./specimen-receipt.ts";

test("BRA-7: a receipt has the brand’s logo with its words, and the same brand gives the same bytes", async () => {
  const now = new Date("2026-11-02T02:00:00Z");
  const png = await sharp({
    create: { width: 120, height: 40, channels: 4, background: { r: 9, g: 90, b: 60, alpha: 0.5 } },
  })
    .png()
    .toBuffer();
  const look = {
    colours: { main: "#0b5d3b", accent: "#f7b73c" },
    logo: { onLight: png, onDark: png, words: "Rivers Trust" },
  } as const;
  const [delivered, branded, again, after] = [
    await drawSpecimenReceipt(organisation, now, deliveredLook),
    await drawSpecimenReceipt(organisation, now, look),
    await drawSpecimenReceipt(organisation, now, look),
    await drawSpecimenReceipt(organisation, now, deliveredLook),
  ];
  expect(branded.toString("latin1")).toContain("/Subtype /Image");
  expect(delivered.toString("latin1")).not.toContain("/Subtype /Image");
  expect(branded.toString("latin1")).toContain("/S /Figure");
  expect(again.equals(branded)).toBe(true);
  // No colour stays behind in the worker.
  expect(after.equals(delivered)).toBe(true);
});
