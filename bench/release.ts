import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Goal, goals } from "./goals.ts";
import { type BenchRow, nameRows, printColumns, round } from "./table.ts";

type Result = readonly [figure: string, goal: string, measured: string, met: "yes" | "NO"];

/** Runs a program of this folder to its end; with `--json` resolves to its figures, otherwise shows what it prints. */
async function run(program: string, args: readonly string[]): Promise<{ code: number; rows: BenchRow[] }> {
  const isJson = args.includes("--json");
  process.stdout.write(`\n== ${program} ${args.join(" ")}\n`);
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    stdio: ["ignore", isJson ? "pipe" : "inherit", "inherit"],
  });
  const ended = once(child, "close");
  const output = child.stdout === null ? "" : await text(child.stdout);
  const [code] = await ended;
  return { code: code ?? 1, rows: output === "" ? [] : JSON.parse(output) };
}

/** A figure that was not measured does not meet its goal. */
function judge(goal: Goal, row: BenchRow | undefined): Result {
  const isRatio = goal.is === "ratio";
  const unit = isRatio ? "×" : (row?.unit ?? "");
  const value = row === undefined ? Number.NaN : isRatio ? row.ours / row.reference! : row.ours;
  const isMet = "atMost" in goal ? value <= goal.atMost : value >= goal.atLeast;
  const limit = "atMost" in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
  const measured = Number.isNaN(value) ? "not measured" : `${round(value)} ${unit}`;
  return [goal.figure, `${limit} ${unit}`, measured, isMet ? "yes" : "NO"];
}

const measured = [await run("main.ts", ["--json", ...process.argv.slice(2)]), await run("tickets.ts", ["--json"])];
const rows = new Map(measured.flatMap(({ rows }) => nameRows(rows)));
const results = goals.map((goal) => judge(goal, rows.get(goal.figure)));
for (const [name, program, args] of [
  ["every page's scores in bench:pages", "pages.ts", []],
  ["every promise in bench:faults -- 7 2000", "faults.ts", ["7", "2000"]],
] as const) {
  const { code } = await run(program, args);
  results.push([name, "exit 0", `exit ${code}`, code === 0 ? "yes" : "NO"]);
}
printColumns([["", "goal", "measured", "met"], ...results]);
if (results.some(([, , , met]) => met === "NO")) process.exitCode = 1;
