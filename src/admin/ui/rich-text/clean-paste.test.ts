// @vitest-environment jsdom
import { DOMParser as ModelParser } from "@tiptap/pm/model";
import { expect, test } from "vitest";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import { pasteCorpus } from "#test/paste-corpus.ts";
import { corpus } from "#test/project/injection-corpus.ts";
import { cleanPaste } from "./clean-paste.ts";
import { parseInert } from "./parse-inert.ts";
import { describeLeftOut, sliceOfText } from "./paste.ts";
import { prepareHtml } from "./read-html.ts";
import { textSchema } from "./schema.ts";
import { writeHtml } from "./write-html.ts";

const origin = "https://site.example";
const textOf = (html: string) => writeHtml(ModelParser.fromSchema(textSchema()).parse(prepareHtml(parseInert(html))));

test.each(pasteCorpus)("RTE-4: pasted from $from comes out clean", ({ html, clean, left }) => {
  const pasted = cleanPaste(html, origin);
  const text = textOf(pasted.html);
  expect(text).toBe(clean);
  expect(sanitiseHtml(text)).toBe(text);
  expect([...pasted.left].sort()).toEqual([...left].sort());
});

test("RTE-4: what was left out is named in whole sentences, always in the same order", () => {
  expect(describeLeftOut(new Set())).toBe("");
  expect(describeLeftOut(new Set(["looks", "pictures"]))).toBe(
    "Pictures were left out: add them with the Picture button. Colours, sizes and fonts were left out: the site has its own.",
  );
});

test("RTE-4: in plain text, empty lines separate paragraphs, and single line ends stay", () => {
  const { content } = sliceOfText("one\r\ntwo\vtwo and a half\n\n\nthree <b>\n", textSchema());
  expect(writeHtml(textSchema().nodes.doc!.create(null, content))).toBe(
    "<p>one<br />two<br />two and a half</p>\n<p>three &lt;b&gt;</p>",
  );
});

test("RTE-4: of hostile HTML of any kind, only what the sanitiser allows is pasted", () => {
  for (const { text } of corpus) {
    const pasted = textOf(cleanPaste(`<p>a</p>${text}`, origin).html);
    expect(sanitiseHtml(pasted)).toBe(pasted);
  }
});
