import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BenchRow, nameRows, round } from "./table.ts";

const file = join(import.meta.dirname, "history.md");
const MAX_COMMITS = 10;

const intro = `# Figures by commit

\`npm run bench -- --record\` adds a column, or replaces that of the same commit; the last ${MAX_COMMITS} are kept.
A figure that ends in × is a ratio to a reference of the same run.
Compare those, because machines differ.
`;

type Column = { readonly commit: string; readonly figures: ReadonlyMap<string, string> };

/** Adds the figures of this commit to bench/history.md. */
export async function record(rows: readonly BenchRow[]): Promise<void> {
  const { stdout } = await promisify(execFile)("git", ["rev-parse", "--short", "HEAD"]);
  const commit = stdout.trim();
  const columns = existsSync(file) ? readColumns(readFileSync(file, "utf8")) : [];
  const others = columns.filter((column) => column.commit !== commit);
  writeFileSync(file, `${intro}\n${tableOf([...others, { commit, figures: figuresOf(rows) }].slice(-MAX_COMMITS))}\n`);
}

function figuresOf(rows: readonly BenchRow[]): Map<string, string> {
  return new Map(
    nameRows(rows).map(([name, { ours, reference, unit }]) => [
      name,
      reference === undefined ? `${round(ours)} ${unit}` : `${round(ours / reference)} ×`,
    ]),
  );
}

function readColumns(text: string): Column[] {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
  return head.slice(1).map((commit, index) => ({
    commit,
    figures: new Map(rows.map(([name = "", ...figures]) => [name, figures[index] ?? ""])),
  }));
}

function tableOf(columns: readonly Column[]): string {
  const names = new Set(columns.toReversed().flatMap(({ figures }) => [...figures.keys()]));
  const rows = [...names].map((name) => [name, ...columns.map(({ figures }) => figures.get(name) ?? "")]);
  const lines = [["figure", ...columns.map(({ commit }) => commit)], ["---", ...columns.map(() => "---:")], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
