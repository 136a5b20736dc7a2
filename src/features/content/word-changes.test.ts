import fc from "fast-check";
import { expect, test } from "vitest";
import { compareWords, type Piece } from "./word-changes.ts";

const without = (pieces: readonly Piece[], left: Piece["in"]) =>
  pieces.flatMap((piece) => (piece.in === left ? [] : piece.text)).join("");

test("CON-6: a comparison marks the words and tags that only one version has", () => {
  expect(compareWords("We want 200 families to sleep", "We want 240 families to sleep warm")).toEqual([
    { in: "both", text: "We want " },
    { in: "before", text: "200" },
    { in: "after", text: "240" },
    { in: "both", text: " families to sleep" },
    { in: "after", text: " warm" },
  ]);
  expect(compareWords("<p>One</p>", "<h2>One</h2>").filter((piece) => piece.in !== "both")).toHaveLength(4);
});

const texts = fc
  .array(fc.constantFrom("a", "b", "c", " ", "<p>", "</p>", "<", "\n", "آب"))
  .map((parts) => parts.join(""));

test("CON-6: whatever the texts, nothing of either is missing from their comparison", () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const pieces = compareWords(before, after);
      expect(without(pieces, "after")).toBe(before);
      expect(without(pieces, "before")).toBe(after);
    }),
    { seed: 19, numRuns: 2000 },
  );
});

test("CON-6: texts with nothing in common are wholly replaced, without a long wait", () => {
  const long = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word}${at}`).join(" ");
  const before = process.cpuUsage();
  const pieces = compareWords(long("one"), long("two"));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000, "milliseconds of processor time").toBeLessThan(3000);
  expect(without(pieces, "after")).toBe(long("one"));
  expect(without(pieces, "before")).toBe(long("two"));
});
