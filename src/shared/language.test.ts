import { expect, test } from "vitest";
import {
  formatDollars,
  formatKeptUntil,
  formatList,
  formatMomentInSydney,
  formatPercent,
  momentInSydney,
  plural,
} from "./language.ts";

test.each([
  [0, "$0.00"],
  [5, "$0.05"],
  [123_450, "$1,234.50"],
  [5_000_000, "$50,000.00"],
  [123_456_789_01, "$123,456,789.01"],
  [-1050, "-$10.50"],
])("DON-11: %i cents read %s", (cents, text) => {
  expect(formatDollars(cents)).toBe(text);
});

test.each([
  [500, "5%"],
  [150, "1.5%"],
  [0, "0%"],
])("DON-11: %i basis points read %s", (basisPoints, text) => {
  expect(formatPercent(basisPoints)).toBe(text);
});

test.each([
  [0, "No number but one takes the singular"],
  [1, "One takes the singular"],
  [2, "No number but one takes the singular"],
  [21, "No number but one takes the singular"],
])("LANG-2: the form of a sentence for %i is '%s'", (count, sentence) => {
  const forms = { one: "One takes the singular", other: "No number but one takes the singular" };
  expect(plural(count, forms)).toBe(sentence);
});

test("LANG-1: a date with its weekday has no comma", () => {
  const moment = formatMomentInSydney(new Date("2026-11-28T05:10:00Z")).replace(/\s/g, " ");
  expect(moment).toBe("Saturday 28 November 2026 at 4:10 pm, Sydney time");
});

test("LANG-2: lists are joined as Australian English joins them", () => {
  expect(formatList(["schools", "homes", "clinics"], "and")).toBe("schools, homes and clinics");
  expect(formatList(["schools", "homes"], "or")).toBe("schools or homes");
  expect(formatList(["Amina", "Yusuf"], "comma")).toBe("Amina, Yusuf");
});

test.each([
  ["2026-11-24", "07:00", "2026-11-23T20:00:00.000Z"],
  ["2026-06-01", "00:00", "2026-05-31T14:00:00.000Z"],
  // Clocks go from 2:00 to 3:00, so half past two is shown as half past three.
  ["2026-10-04", "02:30", "2026-10-03T16:30:00.000Z"],
  // Clocks go back from 3:00 to 2:00, so half past two comes twice.
  ["2027-04-04", "02:30", "2027-04-03T15:30:00.000Z"],
])("CON-4: %s, %s in Sydney is %s", (day, time, moment) => {
  expect(momentInSydney(day, time).toISOString()).toBe(moment);
});

test("PER-8: data is kept until the same day in Sydney, years or days later", () => {
  expect(formatKeptUntil(new Date("2026-05-02T20:00:00Z"), { years: 7 })).toBe("until 3 May 2033");
  expect(formatKeptUntil(new Date("2028-02-29T01:00:00Z"), { years: 7 })).toBe("until 28 February 2035");
  expect(formatKeptUntil(new Date("2026-12-31T01:00:00Z"), { days: 1 })).toBe("until 1 January 2027");
});
