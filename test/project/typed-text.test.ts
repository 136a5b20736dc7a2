import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("LAY-12: no field cuts off what is typed or pasted", () => {
  const files = globSync("src/**/*.tsx").filter((file) => !file.endsWith(".test.tsx"));
  const cutting = files.filter((file) => /\bmaxLength=/.test(readFileSync(file, "utf8")));
  expect(files.length).toBeGreaterThan(100);
  expect(cutting).toEqual([]);
});

test("LANG-4: every text field follows the direction of what is typed", () => {
  const files = globSync("src/**/*.tsx").filter((file) => !file.endsWith(".test.tsx"));
  const ofOther = /\b(?:type|inputMode|tabIndex)=|\{\.\.\.days\}/;
  const fields = files.flatMap((file) => {
    const tags = readFileSync(file, "utf8").match(/<(?:textarea|input)\b(?:[^>]|=>)*>/g) ?? [];
    return tags.filter((tag) => !ofOther.test(tag)).map((tag) => ({ file, tag }));
  });
  expect(fields.length).toBeGreaterThan(5);
  expect(fields.filter(({ tag }) => !tag.includes('dir="auto"'))).toEqual([]);
});

/** The columns of a table that becomes a list on phones: their titles, and the labels that its cells have there. */
function stackedColumns(source: string) {
  const titles = [...source.matchAll(/<th scope="col"[^>]*>\s*([^<{]*?)\s*</g)].map(([, title]) => title);
  const labels = [...source.matchAll(/<td\b[^>]*\bdata-l="([^"]*)"/g)].map(([, label]) => label);
  const bare = [...source.replace(/<tfoot>.*?<\/tfoot>/gs, "").matchAll(/<td\b(?![^>]*data-l=)[^>]*>/g)].length;
  return { bare, labels, titles };
}

/** Whether each cell has the title of its column, in their order; a row may begin with its own heading. */
function isLabelled(source: string): boolean {
  const { bare, labels, titles } = stackedColumns(source);
  return bare === 0 && labels.join() === titles.slice(titles.length - labels.length).join();
}

test("LAY-14: every cell of a table that becomes a list on phones carries the title of its column", () => {
  const files = globSync("src/**/*.tsx").filter((file) => /<table className="stacked/.test(readFileSync(file, "utf8")));
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((file) => !isLabelled(readFileSync(file, "utf8")))).toEqual([]);
  const table = '<th scope="col">Day</th><th scope="col">Amount</th><td data-l="Day">1</td><td data-l="Amount">2</td>';
  expect(isLabelled(table)).toBe(true);
  expect(isLabelled(table.replace(' data-l="Amount"', ""))).toBe(false);
  expect(isLabelled(table.replace('"Amount">2', '"Total">2'))).toBe(false);
});
