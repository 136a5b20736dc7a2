import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contrast, listPrimitives, pairs, readColours } from "./colours.ts";

const tokens = readFileSync("src/shared/ui/styles/tokens.css", "utf8");

test("LAY-10: every colour has the contrast it needs on its background, in light and dark", () => {
  const poor = (["light", "dark"] as const).flatMap((scheme) => {
    const colours = readColours(tokens, scheme);
    return pairs
      .map(([ink, ground, least]) => ({ ink, ground, least, has: contrast(colours.get(ink)!, colours.get(ground)!) }))
      .filter(({ has, least }) => !(has >= least))
      .map(({ ink, ground, has }) => `${scheme}: ${ink} on ${ground} is ${has.toFixed(2)}`);
  });
  expect(poor).toEqual([]);
});

test("names resolve to the colours behind them, and dark changes only what it names", () => {
  expect(readColours(tokens, "light").get("ink")).toBe("#16214f");
  expect(readColours(tokens, "light").get("ink-on-deep")).toBe("#ffffff");
  expect(readColours(tokens, "dark").get("ink")).toBe("#f2f4fb");
  expect(readColours(tokens, "dark").get("cta")).toBe(readColours(tokens, "light").get("cta"));
  expect(listPrimitives(tokens)).toContainEqual(["marigold-400", "#f7b73c"]);
  expect(contrast("#000000", "#ffffff")).toBe(21);
});
