import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contrast, type Hex, nearestShade, toHex, toOklch } from "./oklch.ts";
import { checkPairs, deliveredColours, deriveShades, offerShades } from "./shades.ts";

test("BRA-2: contrast is WCAG’s, and a colour survives the way to OKLCH and back", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  expect(contrast("#ff0000", "#ffffff")).toBeCloseTo(4.0, 2);
  expect(contrast("#0000ff", "#ffffff")).toBeCloseTo(8.59, 2);
  // https://www.w3.org/TR/css-color-4/#ok-lab: red.
  const { l, c, h } = toOklch("#ff0000");
  expect([l, c, h].map((value) => Number(value.toFixed(3)))).toEqual([0.628, 0.258, 29.234]);
  fc.assert(
    fc.property(anyColour, (colour) => {
      expect(toHex(toOklch(colour))).toBe(colour);
    }),
  );
});

const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((value): Hex => `#${value.toString(16).padStart(6, "0")}`);

test("BRA-1: the shades of the delivered colours are today’s, each of them", () => {
  const tokens = readFileSync("src/shared/ui/styles/tokens.css", "utf8");
  const [whole, dark] = [tokens, tokens.slice(tokens.indexOf("(prefers-color-scheme: dark)"))];
  const declared = (text: string, name: string): string => {
    const value = new RegExp(`--${name}:\\s*([^;]+);`).exec(text)?.[1] ?? "";
    const other = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
    return other === undefined ? value : declared(whole, other);
  };
  const shades = deriveShades(deliveredColours);
  expect(shades.light.size + shades.dark.size).toBeGreaterThan(50);
  for (const [name, shade] of shades.light) expect(declared(whole, name), name).toBe(shade);
  for (const [name, shade] of shades.dark) expect(declared(dark, name), name).toBe(shade);
});

test("BRA-2: every pair of the delivered colours passes", () => {
  expect(checkPairs(deliveredColours).filter(({ passes }) => !passes)).toEqual([]);
  expect(offerShades(deliveredColours)).toEqual({});
});

test("BRA-2: with any two colours, once the offered shades are taken, every pair passes", () => {
  fc.assert(
    fc.property(anyColour, anyColour, (main, accent) => {
      const colours = { main, accent };
      const taken = { ...colours, ...offerShades(colours) };
      const failing = checkPairs(taken).filter(({ passes }) => !passes);
      expect(failing.map(({ scheme, ink, ground, ratio }) => `${scheme} ${ink} on ${ground}: ${ratio}`)).toEqual([]);
    }),
    { numRuns: 300, seed: 19 },
  );
}, 30_000);

test("BRA-2: what fails is offered in the nearest shade of its hue, and what passes stays", () => {
  const offered = offerShades({ main: "#ffd600", accent: "#f7b73c" });
  expect(Object.keys(offered)).toEqual(["main"]);
  expect(Math.abs(toOklch(offered.main!).h - toOklch("#ffd600").h)).toBeLessThan(2);
  expect(contrast(offered.main!, "#ffffff")).toBeGreaterThanOrEqual(4.5);
  expect(contrast(offered.main!, "#ffffff")).toBeLessThan(4.7);
  const failing = checkPairs({ main: "#ffd600", accent: "#f7b73c" }).filter(({ passes }) => !passes);
  expect(failing.map(({ where }) => where)).toContain("White text on the main colour: header, footer, solid buttons");
  expect(nearestShade("#123456", () => false)).toBeNull();
});
