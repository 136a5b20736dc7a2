import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareRequirements, listNamed, readRequirements } from "../requirements.ts";

const folders = ["src", "dev", "database", "simulators", "test", "e2e", "bench"];

function listFiles(pattern: RegExp): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((file) => pattern.test(file)),
  );
}

// Split so that this file does not match.
const misspelt = /pref[e]red|preff[e]red|intr[e]st|tras[a]ction/i;
/** Wire names that mean nothing to us. */
const foreign = /donation_shared_name|net_donation_amount|is_editable_|subcategory_status|donor_first_name/;
const wireMayAppear =
  /\/contract\.ts$|^simulators\/payway\/|\/payments\/payway|\.test\.tsx?$|^test\/|^e2e\/|^bench\/|\/test-[\w-]+\.ts$|-fixture\.ts$/;

test("API-1: the wire's misspellings are only in contracts, and its other odd names only there and in wire-level code", () => {
  const faults = listFiles(/\.(?:tsx?|sql|html|json)$/).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const isMisspelt = misspelt.test(text) && !/\/contract\.ts$|^src\/features\/.*\.test\.tsx?$|^test\//.test(file);
    return isMisspelt || (foreign.test(text) && !wireMayAppear.test(file)) ? [file] : [];
  });
  expect(faults).toEqual([]);
});

test("no source file is longer than 400 lines", () => {
  const files = listFiles(/\.tsx?$/);
  expect(files.length).toBeGreaterThan(1000);
  expect(files.filter((file) => readFileSync(file, "utf8").split("\n").length > 401)).toEqual([]);
});

/** Except `float`: older phones do not know its logical values. */
const leftOrRight =
  /(?:^|[\s;{])(?:(?:scroll-)?(?:margin|padding)-(?:left|right)|border-(?:left|right)[\w-]*|border-(?:top|bottom)-(?:left|right)-radius|left|right)\s*:|text-align:\s*(?:left|right)/;

test("styles use logical properties, so that they work from right to left", () => {
  for (const physical of ["a { left: 0 }", "  margin-right: 1rem;", "text-align: left", "border-left-color: red"]) {
    expect(physical).toMatch(leftOrRight);
  }
  const faults = listFiles(/\.css$/)
    .filter((file) => !file.includes("/identity/") && !file.startsWith("simulators"))
    .flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line, index) => (leftOrRight.test(line) ? [`${file}:${index + 1}`] : [])),
    );
  expect(faults).toEqual([]);
});

test("no file name is meaningless", () => {
  const empty = /(?:^|\/)(?:index|utils?|helpers?|common|types|misc)\.tsx?$|\/(?:utils?|helpers?|common|types)\//;
  expect(listFiles(empty)).toEqual([]);
});

/** Used by tests alone, for what they read of the whole site or of the repository. */
const usedByTests = new Set(["allProblems", "listStaleCorrections", "openFixtureGateway"]);
/** Programs and helpers, which need not be imported. */
const unread = /^(?:test|e2e|bench)\//;

/** Exports whose name stands nowhere but in their declaration; a file's own tests do not count. */
function listUnused(files: ReadonlyMap<string, string>): string[] {
  const uses = new Map<string, number>();
  for (const text of files.values())
    for (const [word] of text.matchAll(/[\w$]+/g)) uses.set(word, (uses.get(word) ?? 0) + 1);
  const declared = /^export (?:async )?(?:const|function\*?|type|interface|class) ([\w$]+)/gm;
  return [...files]
    .filter(([file]) => !unread.test(file))
    .flatMap(([, text]) => [...text.matchAll(declared)].map(([, name]) => name!))
    .filter((name) => uses.get(name) === 1);
}

test("nothing is exported that only its own tests use", () => {
  const files = listFiles(/\.tsx?$/).filter((file) => !/\.(?:test|spec)\.tsx?$/.test(file));
  const texts = new Map(["vite.config.ts", ...files].map((file) => [file, readFileSync(file, "utf8")]));
  expect(listUnused(texts).filter((name) => !usedByTests.has(name))).toEqual([]);
  // A negative control.
  expect(listUnused(new Map([["src/a.ts", "export async function* listNothing() {}"]]))).toEqual(["listNothing"]);
});

test("tests name every built requirement, and no others", () => {
  expect(compareRequirements(readRequirements(), listNamed())).toEqual([]);
});

test("negative control: the comparison of requirements finds planted faults", () => {
  const rows = [
    { id: "DON-1", built: "yes", text: "one" },
    { id: "DON-2", built: "no", text: "two" },
    { id: "DON-4", built: "no", text: "four" },
    { id: "DON-4", built: "no", text: "five" },
  ] as const;
  const named = new Map([
    ["DON-2", new Set(["a.test.ts"])],
    ["DON-3", new Set(["b.test.ts"])],
  ]);
  expect(compareRequirements(rows, named)).toEqual([
    "DON-1 is built, but no test names it: one",
    "DON-4 is the ID of two requirements",
    "DON-2 is named by a test but not marked as built: a.test.ts",
    "DON-3 is named by a test but is no requirement: b.test.ts",
  ]);
});
