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

test("every file that a document links to exists", () => {
  const documents = ["README.md", ...readdirSync("docs").map((name) => join("docs", name))];
  const dead = documents
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].flatMap(([, target = ""]) =>
        existsSync(join(file, "..", target)) ? [] : [`${file} → ${target}`],
      ),
    );
  expect(dead).toEqual([]);
});

test("every mended requirement that is built has its reason in docs/decisions.md", () => {
  const decisions = readFileSync("docs/decisions.md", "utf8");
  const rows = readFileSync("docs/requirements.md", "utf8").matchAll(/^\| ([A-Z]+-\d+) \| M \| (?:yes|partly)/gm);
  expect([...rows].map(([, id = ""]) => id).filter((id) => !new RegExp(`\\b${id}\\b`).test(decisions))).toEqual([]);
});

test("every command that a document names is one", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const file of ["README.md", ...readdirSync("docs").map((name) => join("docs", name))]) {
    if (!file.endsWith(".md")) continue;
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/npm run ([\w:]+)/g))
      expect(scripts, file).toHaveProperty(name);
  }
});

test("what the commands run exists", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const files = Object.values(scripts).flatMap((line) => line.match(/[\w/-]+\.(?:ts|js|json)\b/g) ?? []);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
