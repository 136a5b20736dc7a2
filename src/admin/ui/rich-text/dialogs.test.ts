// @vitest-environment jsdom
import { expect, test } from "vitest";
import { checkLink, completeAddress } from "./link-dialog.ts";
import { checkPicture } from "./picture-dialog.ts";
import { checkTable } from "./table-dialog.ts";

test.each([
  ["/refunds", "/refunds"],
  [" example.org/a ", "https://example.org/a"],
  ["amina@example.org", "mailto:amina@example.org"],
  [`${location.origin}/news/a`, "/news/a"],
  ["https://example.org", "https://example.org"],
])("RTE-5: the address %s is completed to %s", (typed, address) => {
  expect(completeAddress(typed)).toBe(address);
  expect(checkLink({ address: typed })).toEqual({});
});

test.each(["", "javascript:alert(1)", "//example.org", "refunds", "C:\\a.doc", "https://a b"])(
  "RTE-5: the address '%s' is refused with a sentence",
  (address) => {
    expect(checkLink({ address }).address).toMatch(/^Enter .+\.$/);
  },
);

test("RTE-5: a picture has an address on this site, and a description unless it is decorative", () => {
  expect(checkPicture({ address: "/images/12", alt: "A roof", decorative: "" })).toEqual({});
  expect(checkPicture({ address: "/images/12", alt: "", decorative: "yes" })).toEqual({});
  expect(Object.keys(checkPicture({ address: "https://example.org/a.png", alt: "", decorative: "" }))).toEqual([
    "address",
    "alt",
  ]);
});

test("RTE-5: a table has no more rows and columns than a page can show", () => {
  expect(checkTable({ rows: "3", columns: "12" })).toEqual({});
  expect(Object.keys(checkTable({ rows: "0", columns: "13" }))).toEqual(["columns", "rows"]);
});
