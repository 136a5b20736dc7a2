// @vitest-environment jsdom
import { expect, test } from "vitest";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import { textSchema } from "./schema.ts";
import { fits, writeHtml } from "./write-html.ts";

type Json = { readonly type: string; readonly content?: readonly Json[]; readonly attrs?: object };
const paragraph: Json = { type: "paragraph", content: [] };
const quoted = (times: number): Json => (times === 0 ? paragraph : { type: "quote", content: [quoted(times - 1)] });
const table = (attrs: object): Json => ({
  type: "tableBox",
  content: [
    { type: "tableCaption" },
    { type: "table", content: [{ type: "tableRow", content: [{ type: "tableCell", attrs, content: [paragraph] }] }] },
  ],
});

test.each([
  ["12,000 paragraphs", Array.from({ length: 12_000 }, () => paragraph), true],
  ["12,001 paragraphs", Array.from({ length: 12_001 }, () => paragraph), false],
  ["tags in 48 levels", [quoted(47)], true],
  ["tags in 49 levels", [quoted(48)], false],
  ["a cell as wide as 50", [table({ colspan: 50 })], true],
  ["a cell as wide as 51", [table({ colspan: 51 })], false],
  ["a cell as high as 201", [table({ rowspan: 201 })], false],
])("RTE-7: %s: the editor refuses what the sanitiser would change, and nothing else", (_, content, isRight) => {
  const doc = textSchema().nodeFromJSON({ type: "doc", content });
  const html = writeHtml(doc);
  expect(sanitiseHtml(html) === html).toBe(isRight);
  expect(fits(doc)).toBe(isRight);
});
