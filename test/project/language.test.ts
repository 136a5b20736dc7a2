import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const files = globSync("src/**/*.{ts,tsx}").filter((file) => !/\.test\.tsx?$/.test(file));

function findFiles(pattern: RegExp): string[] {
  return files.filter((file) => file !== "src/shared/language.ts" && pattern.test(readFileSync(file, "utf8")));
}

const ofLanguage = /\bIntl\.|\btoLocale[A-Z]|\ben[-_]AU\b|\blang="en/;
/** A hand-written choice between singular and plural: other languages have more than two forms. */
const ofPlural = /[!=]== 1\s*\?\s*["'`[]|\? ?["'`]s?["'`] : ["'`]s?["'`]|\.join\(["'`](?: and | or )["'`]\)/;

test("LANG-1: one module knows the site's language, its direction, and its formats of dates, money, counts and lists", () => {
  for (const spread of ['new Intl.DateTimeFormat("en-AU")', "count.toLocaleString()", '<html lang="en">', '"en_AU"']) {
    expect(spread).toMatch(ofLanguage);
  }
  expect(findFiles(ofLanguage)).toEqual([]);
});

test("LANG-2: no sentence chooses between singular and plural by hand", () => {
  for (const chosen of [
    'n === 1 ? "ticket" : "tickets"',
    "n === 1\n ? `1 seat`",
    'n > 1 ? "s" : ""',
    'names.join(" and ")',
  ]) {
    expect(chosen).toMatch(ofPlural);
  }
  expect(findFiles(ofPlural)).toEqual([]);
});
