import { expect, test } from "vitest";
import { canLead, listLinks } from "./list-links.ts";

test("RTE-8: the links of a text are listed once each, its own pages without what follows the path", () => {
  const html =
    '<p><a href="/news/a?b=1#c">one</a> <a href="/news/a">two</a></p><table><tbody><tr><td><a href="https://example.org/?a=1&amp;b=2">three</a></td></tr></tbody></table><ul><li><a href="mailto:a@example.org">four</a></li></ul><p>href="/no"</p>';
  expect(listLinks(html)).toEqual({
    own: ["/news/a"],
    others: ["https://example.org/?a=1&b=2", "mailto:a@example.org"],
  });
});

test.each([
  ["https://example.org/a", true],
  ["http://münchen.example", true],
  ["https://example", false],
  ["https://staff:secret@example.org/", false],
  ["https://.org", false],
  ["mailto:a@example.org?subject=x", true],
  ["mailto:a@example", false],
  ["mailto:example.org", false],
  ["tel:+61 2 9000 0000", true],
  ["tel:call", false],
])("RTE-8: %s can lead somewhere: %s", (address, can) => {
  expect(canLead(address)).toBe(can);
});
