import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { type FontPair, fontPairs } from "./font-pairs.ts";
import { deliveredBrand, readBrandChanges } from "./site-brand.ts";
import { writeBrandStyles } from "./stylesheet.ts";

const resolveFile = createRequire(import.meta.url).resolve;
const identity = "src/shared/ui/identity";
const material = {
  pattern: (name: string) => readFileSync(`${identity}/patterns/${name}.svg`, "utf8"),
  fontAddress: ({ file }: { readonly file: string }) => `/brand/${file}`,
  darkLogo: null,
};

test("BRA-1: the delivered brand has no stylesheet of its own, and another has only what differs", () => {
  expect(writeBrandStyles(deliveredBrand, material)).toBe("");
  const css = writeBrandStyles({ ...deliveredBrand, accent: "#ff8800" }, material);
  expect(css).toContain("--cta:#ff8800");
  expect(css).not.toMatch(/--indigo-|@font-face|--feroza-/);
  expect(css).toContain("--pattern-cta:url(");
  expect(css).toContain("%23ff8800");
});

test("BRA-3: a dark device shows the logo for dark backgrounds, but prints the other", () => {
  const css = writeBrandStyles(deliveredBrand, { ...material, darkLogo: "/brand/logo-1.webp" });
  expect(css).toContain(
    '@media screen and (prefers-color-scheme:dark){.site-head .brand img{content:url("/brand/logo-1.webp")}}',
  );
});

test("BRA-1: changes that SQL has made invalid count as none", () => {
  expect(readBrandChanges({ main: "red" })).toBeNull();
  expect(readBrandChanges({ home: [] })).toBeNull();
  expect(readBrandChanges({ main: "#102030" })).toEqual({ ...deliveredBrand, main: "#102030" });
});

test("BRA-5: each pair takes at most 40 kB before the first screen, is under an open licence, and sets Urdu", () => {
  const ownSize = (name: string) => statSync(`${identity}/fonts/${name}`).size;
  const own = {
    text: ownSize("figtree-english-wght-normal.woff2"),
    display: ownSize("young-serif-english-400-normal.woff2"),
  };
  for (const [name, pair] of Object.entries(fontPairs) as [string, FontPair][]) {
    const first = pair.files.filter(({ isFirst }) => isFirst);
    const sizes = first.map((file) => statSync(resolveFile(`${file.package}/files/${file.file}`)).size);
    const ours = (pair.text === "Figtree Variable" ? own.text : 0) + (pair.display === "Young Serif" ? own.display : 0);
    expect(
      sizes.reduce((sum, size) => sum + size, ours),
      name,
    ).toBeLessThanOrEqual(40 * 1024);
    for (const file of pair.files) {
      expect(readFileSync(resolveFile(`${file.package}/LICENSE`), "utf8"), name).toContain("SIL OPEN FONT LICENSE");
    }
    if (pair.files.length === 0) continue;
    const css = writeBrandStyles({ ...deliveredBrand, fonts: name as keyof typeof fontPairs }, material);
    for (const family of ["--font-display", "--font-text"]) {
      const [, stack = ""] = new RegExp(`${family}:([^;}]+)`).exec(css)!;
      expect(stack).toContain('"Noto Naskh Arabic Variable"');
      const [, fallback = ""] = /"([^"]+ Fallback)"/.exec(stack)!;
      // Figtree's is in the site's own stylesheet.
      if (fallback !== "Figtree Fallback") expect(css).toMatch(new RegExp(`"${fallback}";src:local.+size-adjust`));
    }
  }
});

test("BRA-6: the quiet theme has no patterns, strips, stars, arches or drawings, and keeps its colours", () => {
  const css = writeBrandStyles({ ...deliveredBrand, theme: "quiet" }, material);
  for (const name of ["pattern-paper", "pattern-deep", "pattern-tile", "pattern-cta", "strip-ajrak", "strip-scallop"]) {
    expect(css).toContain(`--${name}:none`);
  }
  expect(css).toContain("--corner:round");
  expect(css).toContain("mask:none");
  expect(css).toContain(".tl img,");
  expect(css).toContain(".stub{display:none}");
  expect(css).not.toContain("--indigo-");
});
