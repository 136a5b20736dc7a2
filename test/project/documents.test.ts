import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { refundMoves } from "#payments/refunds/refund-states.ts";
import { moves } from "#payments/states.ts";

test("docs/money.md draws exactly the moves that states.ts and refund-states.ts allow", () => {
  const drawn = [...readFileSync("docs/money.md", "utf8").matchAll(/^ {2}(\w+) --> (\w+): (\w+)$/gm)];
  const allowed = [...Object.entries(moves), ...Object.entries(refundMoves)].flatMap(([from, targets]) =>
    Object.entries(targets).map(([to, event]) => `${from} ${to} ${event}`),
  );
  expect(drawn.map(([, ...move]) => move.join(" "))).toEqual(allowed);
});

const documents = [...readdirSync("."), ...readdirSync("docs").map((name) => join("docs", name))].filter((file) =>
  file.endsWith(".md"),
);

test("every file that a document links to exists", () => {
  const links = documents.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, to = ""]) => ({ file, to })),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter(({ file, to }) => !existsSync(join(file, "..", to)))).toEqual([]);
});

test("every amended requirement that is built has its reason in docs/decisions.md", () => {
  const decisions = readFileSync("docs/decisions.md", "utf8");
  const requirements = readFileSync("docs/requirements.md", "utf8");
  const amended = [...requirements.matchAll(/^\| ([A-Z]+-\d+) \| M \| (?:yes|partly)/gm)].map(([, id = ""]) => id);
  expect(amended.length).toBeGreaterThan(10);
  expect(amended.filter((id) => !new RegExp(`\\b${id}\\b`).test(decisions))).toEqual([]);
});

/** The files of the tables in a document, and the names it gives for each that the file does not have. */
function missingFrom(document: string): string[] {
  const rows = [...document.matchAll(/^\| \d+ \| `([^`]+)` \| (.+) \|$/gm)];
  return rows.flatMap(([, path = "", read = ""]) => {
    if (!existsSync(join("src", path))) return [path];
    const source = readFileSync(join("src", path), "utf8");
    const names = [...read.replaceAll(/`[\w-]+\.ts`/g, "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
    return names.filter((name) => !source.includes(name)).map((name) => `${path}: ${name}`);
  });
}

test("docs/one-donation.md names files and functions that exist", () => {
  const document = readFileSync("docs/one-donation.md", "utf8");
  expect([...document.matchAll(/^\| \d+ \| `/gm)].length).toBeGreaterThan(20);
  expect(missingFrom(document)).toEqual([]);
  expect(missingFrom(document.replace("`payNow`", "`payLater`"))).toEqual([
    "payments/checkout/ui/pay-by-card.tsx: payLater",
  ]);
});

const readTree = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|js|sql|css|json)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");

test("every name of the code that a document has exists", () => {
  const folders = ["src", "test", "e2e", "database", "simulators", "dev", "bench"];
  const sources = [
    ...folders.map(readTree),
    ...["biome.json", "vitest.config.ts"].map((file) => readFileSync(file, "utf8")),
  ];
  const words = new Set(sources.flatMap((source) => source.split(/\W+/)));
  // Names of the specification, and the style's examples.
  const others = new Set(["docs/requirements.md", "docs/style.md", "docs/wire.md"]);
  const named = documents
    .filter((file) => !others.has(file))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/`([a-z]+[A-Z]\w*)(?:\(\))?`/g)].map(([, name = ""]) => ({ file, name })),
    );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !words.has(name))).toEqual([]);
});

test("every command that a document names exists", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const named = documents.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => scripts[name] === undefined)).toEqual([]);
});

test("the files that the commands run exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const files = Object.values(scripts).flatMap((line) => line.match(/[\w/-]+\.(?:ts|js|json)\b/g) ?? []);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test("every test that docs/security.md names for a target exists", () => {
  const [, table = ""] = readFileSync("docs/security.md", "utf8").split("\n## Targets, and what shows each\n");
  const named = [...table.matchAll(/`([a-z][\w/.-]*)`/g)].map(([, name = ""]) => name);
  const tests = ["src", "test", "e2e", "database"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)))
    .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file));
  const exists = (name: string) => {
    const path = new RegExp(`(?:^|/)${name.replaceAll(".", "\\.").replaceAll("/", "/(?:.*/)?")}[./]`);
    return tests.some((file) => path.test(file));
  };
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((name) => !exists(name))).toEqual([]);
});
