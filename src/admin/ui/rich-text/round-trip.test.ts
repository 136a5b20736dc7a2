// @vitest-environment jsdom
import type { Node } from "@tiptap/pm/model";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sanitiseHtml, textOfHtml } from "#shared/html/sanitise.ts";
import { isLongRun } from "#test/long-run.ts";
import { randomHtml, randomText } from "#test/random-text.ts";
import { listContent } from "./compare-html.ts";
import { readHtml } from "./read-html.ts";
import { textSchema } from "./schema.ts";
import { writeHtml } from "./write-html.ts";

const wordsOf = (html: string) => textOfHtml(html).replaceAll(" ", "");
const runs = { seed: 20_261_124, numRuns: isLongRun ? 1_000 : 20 };
/** A thousand texts may take a busy machine longer than one test may take. */
const parts = isLongRun ? [0, 1, 2, 3] : [0];

test.each(parts)(
  "RTE-1: what the editor makes of any text passes the sanitiser byte for byte, and opens again (%i)",
  (part) => {
    fc.assert(
      fc.property(randomText, (json) => {
        const doc: Node = textSchema().nodeFromJSON(json);
        doc.check();
        const html = writeHtml(doc);
        expect(sanitiseHtml(html)).toBe(html);
        const again = readHtml(html);
        expect(again.lost).toBeNull();
        expect(listContent(writeHtml(again.doc))).toEqual(listContent(html));
      }),
      { seed: runs.seed + part, numRuns: runs.numRuns / parts.length },
    );
  },
);

test("RTE-2: any sanitised HTML opens with nothing lost, or for reading only", () => {
  let [opened, refused] = [0, 0];
  fc.assert(
    fc.property(randomHtml, (soup) => {
      const html = sanitiseHtml(soup);
      const { doc, lost } = readHtml(html);
      doc.check();
      if (lost !== null) {
        refused += 1;
        return;
      }
      opened += 1;
      const made = writeHtml(doc);
      expect(sanitiseHtml(made)).toBe(made);
      expect(wordsOf(made)).toBe(wordsOf(html));
      expect(listContent(writeHtml(readHtml(made).doc))).toEqual(listContent(made));
    }),
    { ...runs, numRuns: runs.numRuns * 5 },
  );
  expect(opened).toBeGreaterThan(runs.numRuns / 4);
  expect(refused).toBeGreaterThan(0);
});
