import { expect, test } from "vitest";
import sample from "../../organisation.json" with { type: "json" };
import { isAbn, Organisation, receiptGaps } from "./organisation.ts";

test.each([
  ["51 824 753 556", true],
  ["51824753556", true],
  ["53 004 085 616", true],
  ["51 824 753 557", false],
  ["15 824 753 556", false],
  ["51 824 753 55", false],
  ["51 824 753 5566", false],
  ["5l 824 753 556", false],
  ["", false],
])("LAY-10: the check digits of the ABN '%s' make it valid: %s", (abn, isValid) => {
  expect(isAbn(abn)).toBe(isValid);
});

test("LAY-10: any single wrong digit of an ABN is detected", () => {
  const abn = "51824753556";
  for (const [position, digit] of [...abn].entries()) {
    for (const other of "0123456789".replace(digit, "")) {
      expect(isAbn(abn.slice(0, position) + other + abn.slice(position + 1))).toBe(false);
    }
  }
});

test("LAY-10: the sample organisation is complete", () => {
  expect(receiptGaps(Organisation.parse(sample))).toEqual([]);
});

test.each([
  [{ abn: "" }, ["its ABN"]],
  [{ receipt: { ...sample.receipt, giftStatement: "" } }, ["the sentence that says the receipt is for a gift"]],
  // Endorsed as a whole, it has no fund; not endorsed, it makes no statement about gifts either.
  [{ receipt: { ...sample.receipt, fund: "" } }, []],
  [{ receipt: { ...sample.receipt, fund: "", giftStatement: "", isDeductibleGiftRecipient: false } }, []],
])("DON-21: %o lists the details missing for receipts", (change, gaps) => {
  expect(receiptGaps(Organisation.parse({ ...sample, ...change }))).toEqual(gaps);
});

test("LAY-10: links must be https, and a slug must be valid in an address", () => {
  const withChange = (change: object) => Organisation.safeParse({ ...sample, ...change }).success;
  expect(withChange({ socials: { facebook: "javascript:alert(1)" } })).toBe(false);
  expect(withChange({ registration: { ...sample.registration, url: "http://register.example" } })).toBe(false);
  expect(withChange({ supportsUrl: "http://foundation.example" })).toBe(false);
  expect(withChange({ supportsUrl: undefined })).toBe(true);
  expect(withChange({ slug: "../x" })).toBe(false);
  expect(withChange({ slug: "spring" })).toBe(true);
});
