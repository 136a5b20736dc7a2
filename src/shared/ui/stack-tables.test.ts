import { expect, test } from "vitest";
import { stackTables } from "./prose.tsx";

test("LAY-14: the cells of a table have their column's name and the roles of a table", () => {
  expect(
    stackTables(
      '<table><caption>A</caption><thead><tr><th>Part</th><th>In <b>"Pakistan"</b></th></tr></thead>' +
        '<tbody><tr><th scope="row">Gifts</th><td>Spent</td></tr></tbody></table>',
    ),
  ).toBe(
    '<table class="stacked" role="table"><caption>A</caption><thead role="rowgroup"><tr class="columns" role="row">' +
      '<th role="columnheader">Part</th><th role="columnheader">In <b>"Pakistan"</b></th></tr></thead>' +
      '<tbody role="rowgroup"><tr role="row"><th role="rowheader" data-l="Part" scope="row">Gifts</th>' +
      '<td role="cell" data-l="In &quot;Pakistan&quot;">Spent</td></tr></tbody></table>',
  );
});

test.each([
  ["without names of columns", "<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>"],
  ["with a cell over two columns", '<table><tr><th>a</th><th>b</th></tr><tr><td colspan="2">c</td></tr></table>'],
])("LAY-14: a table %s stays unchanged", (_, html) => {
  expect(stackTables(html)).toBe(html);
});

test("LAY-14: of nested tables only the inner one is stacked", () => {
  const inner = "<table><tr><th>a</th></tr><tr><td>b</td></tr></table>";
  const outer = (table: string) => `<table><tr><td>${table}</td></tr></table>`;
  expect(stackTables(outer(inner))).toBe(outer(stackTables(inner)));
});
