import { expect, test } from "vitest";
import { textLines } from "./text-lines.ts";

test("CON-6: of a text each block is a line of its words, with the addresses of links and the words of pictures", () => {
  const html = `<h2>A warm <em>room</em></h2>\n<p>Read <a href="/refunds">this</a> &amp; more.</p><ul><li>Tin</li><li>Felt</li></ul>
    <figure><img src="/images/0123" alt="A stove"><figcaption>Lit</figcaption></figure>
    <table><tbody><tr><td>Tin</td><td>$5</td></tr></tbody></table>`;
  expect(textLines(html).split("\n")).toEqual([
    "A warm room",
    "Read this (/refunds) & more.",
    "Tin",
    "Felt",
    "[A stove]",
    "Lit",
    "Tin $5",
  ]);
});
