import { expect, test } from "vitest";
import { readDays, readFilterTexts, withoutPunctuation } from "./list-filter.ts";

test("DESK-2, VOLA-2: a filter's text is one line without what the database refuses, and at most 200 characters", () => {
  const query = { q: `\ud800 Amina\nRaza\0${"a".repeat(300)}`, other: "x" };
  const texts = readFilterTexts(query, ["q", "stage"]);
  expect(texts).toEqual({ q: `Amina Raza ${"a".repeat(189)}`, stage: "" });
});

test("DESK-1, ORD-1, VOLA-2: names and addresses are searched without the punctuation around them; amounts keep theirs", () => {
  expect(withoutPunctuation('Raza, Amina; "Amina" <amina@example.org>,')).toBe("Raza Amina Amina amina@example.org");
  expect(withoutPunctuation("$1,234.50")).toBe("$1,234.50");
});

test.each([
  ["2026-11-01", "2026-11-30", "2026-10-31T13:00:00.000Z", "2026-11-30T13:00:00.000Z", []],
  ["", "2026-07-01", undefined, "2026-07-01T14:00:00.000Z", []],
  ["2026-02-30", "2026-07-01", undefined, "2026-07-01T14:00:00.000Z", ["from"]],
  ["2026-07-02", "2026-07-01", undefined, undefined, ["to", "from"]],
])(
  "DESK-2: days from '%s' to '%s' are whole days in Sydney, and invalid ones are left out",
  (from, to, start, end, faults) => {
    const ignored: string[] = [];
    const days = readDays({ from, to }, (name, _, also = []) => {
      ignored.push(name, ...also);
      return null;
    });
    expect(days.map((day) => day?.toISOString())).toEqual([start, end]);
    expect(ignored).toEqual(faults);
  },
);
