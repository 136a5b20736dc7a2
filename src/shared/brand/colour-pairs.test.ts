import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { colourPairs, type Scheme } from "./colour-pairs.ts";
import { type DocumentShades, documentShades } from "./document-look.ts";
import { contrast, type Hex } from "./oklch.ts";
import { deliveredColours, offerShades } from "./shades.ts";

type Rule = { readonly selector: string; readonly declared: ReadonlyMap<string, string> };

/** The rules of a stylesheet for screens: print and forced colours have colours of their own. */
function readRules(css: string): Rule[] {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, "");
  const screen = plain.replace(/@media (?:print|\(forced-colors)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "");
  return [...screen.matchAll(/([^{};]+)\{([^{}]*)\}/g)].flatMap(([, selectors = "", body = ""]) => {
    const declared = new Map(
      body.split(";").flatMap((line) => {
        const [, name, value] = /^\s*([\w-]+):\s*([\s\S]+)$/.exec(line) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value.trim()] as const];
      }),
    );
    // Commas within :is() separate no selectors.
    const list = selectors.split(/,(?![^(]*\))/);
    return list.map((selector) => ({ selector: selector.trim().replace(/\s+/g, " "), declared }));
  });
}

const styles = globSync("src/**/*.css", {
  exclude: (name) => /(?:^|\/)(?:admin|tokens\.css|print\.css|forced-colors\.css)/.test(String(name)),
}).map((file) => readFileSync(file, "utf8"));

const tokens = readFileSync("src/shared/ui/styles/tokens.css", "utf8");
const declaredIn = (block: string) =>
  new Map([...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value] as const));
const [lightBlock = "", ...rest] = tokens.split("@media screen and (prefers-color-scheme: dark)");
const declared = { light: declaredIn(lightBlock), dark: declaredIn(rest[0]!.split("@media")[0]!) };

const namesOf = (scheme: Scheme) =>
  new Set(colourPairs.filter((pair) => pair.scheme === scheme).flatMap(({ ink, ground }) => [ink, ground]));
const named = { light: namesOf("light"), dark: namesOf("dark") };

const isWhite = (colour: string) => colour === "white" || colour === "lime-0" || /^#fff(?:fff)?$/.test(colour);

/** One name for each colour of a scheme: that of the pairs, with the scheme that it comes from. */
function nameOf(colour: string, scheme: Scheme): string {
  if (isWhite(colour)) return "white";
  const own = scheme === "dark" && declared.dark.has(colour) ? "dark" : "light";
  if (named[own].has(colour) && own === "dark") return `${colour} (dark)`;
  if (named.light.has(colour) && own === "light" && colour !== "surface") return colour;
  const value = declared[own].get(colour) ?? "";
  const other = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  return other === undefined && !isWhite(value) ? `${colour} (${own})` : nameOf(other ?? value, scheme);
}

const keyOf = (one: string, other: string, scheme: Scheme) =>
  [nameOf(one, scheme), nameOf(other, scheme)].toSorted().join(" on ");

const checked = new Map<string, number>();
for (const { scheme, ink, ground, minRatio } of colourPairs) {
  const key = keyOf(ink, ground, scheme);
  checked.set(key, Math.max(minRatio, checked.get(key) ?? 0));
}
const grounds = new Set(
  colourPairs.filter(({ minRatio }) => minRatio === 4.5).map(({ ground, scheme }) => nameOf(ground, scheme)),
);

/** On what a selector without a ground of its own stands. */
const contexts: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.btn-on-deep/, ["deep", "tile"]],
  [/\.viewer/, ["indigo-950"]],
  [/\.tile-bg/, ["tile"]],
  [/\.pictures a/, ["indigo-900"]],
  [/\.leaf/, ["white"]],
  [/\.note\.good svg/, ["success-bg"]],
  [/\.note\.warn svg/, ["warning-bg"]],
  [/\.note\.bad svg/, ["danger-bg"]],
  [/\.note svg/, ["info-bg"]],
  [
    /\.deep|ticket(?:-about)?-head|site-foot|\.legal|\.stack > |top-strip|panel-top|tag-line|article-head|event-facts|your-time|content-head/,
    ["deep"],
  ],
];
const contextOf = (selector: string) => contexts.find(([pattern]) => pattern.test(selector))?.[1] ?? ["bg", "surface"];

/** The names of the colours in a value; undefined if there is none, or something else, such as a pattern. */
function colourIn(value: string | undefined, scheme: Scheme): string | undefined {
  const [, light, dark] = /^light-dark\(var\(--([\w-]+)\), var\(--([\w-]+)\)\)$/.exec(value ?? "") ?? [];
  if (light !== undefined) return scheme === "light" ? light : dark;
  const [, token, hex] =
    /^(?:var\(--([\w-]+)\)|(#[0-9a-f]{3,6}))(?: var\(--pattern.*| url\(.*)?$/.exec(value ?? "") ?? [];
  return hex ?? (token !== undefined && declared.light.has(token) ? token : undefined);
}

const isBehindPictures = (ground: string) => ground.startsWith("lime-");

/** What a rule of the pages puts on what, and no pair checks. */
function listUnchecked(sheets: readonly string[]): string[] {
  const missing = new Set<string>();
  for (const rules of sheets.map(readRules)) {
    for (const { selector, declared: own } of rules) {
      if (/disabled/.test(selector)) continue;
      for (const scheme of ["light", "dark"] as const) {
        const need = (ink: string, ground: string, minRatio: number) => {
          if (nameOf(ink, scheme) === nameOf(ground, scheme)) return;
          if ((checked.get(keyOf(ink, ground, scheme)) ?? 0) >= minRatio) return;
          missing.add(`${scheme}: ${ink} on ${ground} (${selector})`);
        };
        const colour = (name: string) => colourIn(own.get(name), scheme);
        const mark = /(?:svg|::marker|\bi(?:\.on)?)$/.test(selector) ? 3 : 4.5;
        const ground = colour("background") ?? colour("background-color");
        const variable = /^var\(--c\)$/.test(own.get("background") ?? "");
        const ownGrounds = variable
          ? rules.flatMap((rule) => colourIn(rule.declared.get("--c"), scheme) ?? [])
          : ground === undefined
            ? contextOf(selector)
            : [ground];
        const ink = colour("color");
        if (ink !== undefined) for (const each of ownGrounds) need(ink, each, mark);
        else if (ground !== undefined && !grounds.has(nameOf(ground, scheme)) && !isBehindPictures(ground)) {
          for (const each of contextOf(selector)) need(ground, each, 3);
        }
        const buttonInk = colour("--bi");
        if (buttonInk === undefined) continue;
        const [rest, hovered] = [colour("--b"), colour("--bh")];
        for (const each of rest === undefined && hovered === undefined ? contextOf(selector) : [rest, hovered]) {
          if (each !== undefined) need(buttonInk, each, 4.5);
        }
      }
    }
  }
  return [...missing];
}

test("BRA-2: each colour that a public stylesheet puts on another is among the pairs that are checked", () => {
  expect(styles.length).toBeGreaterThan(30);
  expect(listUnchecked(styles)).toEqual([]);
});

test("BRA-2: a rule with an unchecked pair would be found, in dark too", () => {
  expect(listUnchecked([".deep p { color: var(--feroza-500); }"])).toHaveLength(2);
  expect(listUnchecked([".card b { color: var(--marigold-300); }"])).toEqual([
    "light: marigold-300 on bg (.card b)",
    "light: marigold-300 on surface (.card b)",
  ]);
  expect(listUnchecked([".x { color: var(--ink); background: var(--step-done); }"])).toHaveLength(2);
});

const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((value): Hex => `#${value.toString(16).padStart(6, "0")}`);

/** Ink and ground of emails and PDFs. */
function documentPairs({ night, ...day }: DocumentShades): readonly (readonly [string, string, string])[] {
  const [page, foot, stripe] = ["#F6F7F2", "#EDF0E8", "#F6F7F2"];
  return [
    ["heads and buttons of emails, tables and tickets", "#FFFFFF", day.ground],
    ["labels of tickets", day.accent, day.ground],
    ...["#FFFFFF", page, foot, stripe, day.tint].flatMap((ground) => [
      ["text", day.ink, ground] as const,
      ["small print", day.muted, ground] as const,
      ["links and numbers", day.link, ground] as const,
    ]),
    ["heads of emails at night", "#FFFFFF", night.deep],
    ["buttons of emails at night", night.solidInk, night.solid],
    ["the page at night", night.ink, night.bg],
    ...[night.surface, night.deep].flatMap((ground) => [
      ["text at night", night.ink, ground] as const,
      ["small print at night", night.muted, ground] as const,
      ["links at night", night.link, ground] as const,
    ]),
  ];
}

test("BRA-2, BRA-7: with any two colours, once the offered shades are taken, emails and PDFs can be read", () => {
  const failing = (colours: typeof deliveredColours) =>
    documentPairs(documentShades(colours)).flatMap(([where, ink, ground]) => {
      const ratio = contrast(ink.toLowerCase(), ground.toLowerCase());
      return ratio >= 4.5 ? [] : [`${where}: ${ink} on ${ground} has ${ratio}`];
    });
  expect(failing(deliveredColours)).toEqual([]);
  expect(failing({ main: "#ffd600", accent: "#f7b73c" })).not.toEqual([]);
  fc.assert(
    fc.property(anyColour, anyColour, (main, accent) => {
      const colours = { main, accent };
      expect(failing({ ...colours, ...offerShades(colours) })).toEqual([]);
    }),
    { numRuns: 150, seed: 19 },
  );
}, 30_000);

test("PERF-17: documents of the same colours share their shades, and those of others have their own", () => {
  const green = { ...deliveredColours, main: "#1d4d2b" } as const;
  const ofGreen = documentShades(green);
  expect(documentShades({ ...green })).toBe(ofGreen);
  const delivered = documentShades(deliveredColours);
  expect(delivered.ground).toBe(deliveredColours.main);
  expect(documentShades(green)).toEqual(ofGreen);
});
