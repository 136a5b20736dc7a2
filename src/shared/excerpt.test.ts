import fc from "fast-check";
import { expect, test } from "vitest";
import { CAUSE_CUT, cutText, excerpt, NEWS_CUT } from "./excerpt.ts";

test("HOME-5: a cause's text is complete up to 60 characters, and longer ones are cut to 60 and dots", () => {
  expect(cutText("a".repeat(60), CAUSE_CUT)).toBeNull();
  expect(cutText("a".repeat(61), CAUSE_CUT)).toBe(`${"a".repeat(60)}...`);
});

test("HOME-10: a news excerpt is complete up to 100 characters, and longer ones are cut to 100 and dots", () => {
  expect(cutText("b".repeat(100), NEWS_CUT)).toBeNull();
  expect(cutText("b".repeat(101), NEWS_CUT)).toBe(`${"b".repeat(100)}...`);
});

test("HOME-11: the text helper keeps 150 characters and cuts 151 to 100 and dots", () => {
  expect(excerpt("c".repeat(150))).toBe("c".repeat(150));
  expect(excerpt("c".repeat(151))).toBe(`${"c".repeat(100)}...`);
});

test("HOME-5: a cut never splits a character in two", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.nat(120), (text, length) => {
      const cut = cutText(text, length);
      const shown = cut === null ? text : cut.slice(0, -3);
      expect(text.startsWith(shown)).toBe(true);
      expect(shown.isWellFormed()).toBe(true);
      expect([...shown].length).toBeLessThanOrEqual(Math.max(length, 0));
    }),
  );
});
