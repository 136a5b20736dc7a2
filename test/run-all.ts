import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { provideChromium } from "./chromium.ts";

/** What one step adds to the last line, and what is repeated above it, where long output is not cut off. */
type Count = { readonly passed: number; readonly failed: number; readonly failures?: readonly string[] };

/** The part of Vitest's report that is read here. */
type FileReport = {
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[];
};

const root = join(import.meta.dirname, "..");
const reports = mkdtempSync(join(tmpdir(), "almoner-reports-"));
const configurations = ["tsconfig.json", "tsconfig.server.json", "tsconfig.browser.json", "tsconfig.pure.json"];
const oldestPostgres = "/usr/lib/postgresql/15/bin";

const steps: Record<string, () => Promise<Count>> = {
  lint: async () => asOne(await run("biome", ["check"])),
  types: async () => {
    const codes: number[] = [];
    // A file may be in several configurations: an error is reported once.
    const said = [""];
    for (const file of configurations) {
      let output = "";
      codes.push(await run("tsc", ["-p", file], {}, (text) => (output += text)));
      const fresh = output.split("\n").filter((line) => !said.includes(line));
      for (const line of fresh) print(line);
      said.push(...fresh);
    }
    return asOne(Math.max(...codes));
  },
  /** Tests without a database, a separate process or a browser. */
  unit: () => runVitest(["--project=rules", "--project=pages"]),
  tests: () => runVitest([]),
  long: () => runVitest([], { TEST_LONG: "1" }),
  /** Feature tests on the oldest PostgreSQL that is supported. */
  pg15: async () => {
    const binaries = process.env.TEST_POSTGRES_BINARIES ?? oldestPostgres;
    if (!existsSync(join(binaries, "initdb"))) {
      print(`No PostgreSQL 15 at ${binaries}. Install it (Debian 12: \`apt-get install postgresql-15\`), or name its`);
      print("folder of programs in TEST_POSTGRES_BINARIES.");
      return { passed: 0, failed: 1 };
    }
    return runVitest(["src", "test/schema.test.ts"], { TEST_POSTGRES_BINARIES: binaries });
  },
  /** Counts only when it fails: the journeys show that the build works. */
  build: async () => ({ passed: 0, failed: (await run("vite", ["build"])) === 0 ? 0 : 1 }),
  journeys: () => runJourneys(),
  "long journeys": () => runJourneys({ TEST_LONG: "1" }),
};

async function runVitest(rest: string[], environment: Record<string, string> = {}): Promise<Count> {
  const file = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const code = await run("vitest", ["run", ...reporters, ...rest], environment);
  const report = readReport(file);
  const { numPassedTests: passed, numPendingTests: skipped } = report;
  if (skipped > 0) print(`${skipped} tests were skipped.`);
  sayLongest(report.testResults);
  const failures = (report.testResults as FileReport[]).flatMap(describeFailures);
  // Errors outside tests set the exit code, and were shown above.
  if (failures.length === 0 && code !== 0) failures.push("An error outside the tests: see the output of this step.");
  return { passed, failed: failures.length, failures };
}

/** Where the time goes: start with the first of these when a run takes too long. */
function sayLongest(files: readonly FileReport[]) {
  const secondsOf = ({ startTime, endTime }: FileReport) => (endTime - startTime) / 1000;
  const longest = files.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, 10);
  print("The ten files that took longest:");
  for (const file of longest) print(`${secondsOf(file).toFixed(1).padStart(6)} s  ${relative(root, file.name)}`);
}

/** The failures of one file. A file that could not be loaded lists no tests. */
function describeFailures({ name, status, message, assertionResults }: FileReport): string[] {
  const failed = assertionResults.filter((one) => one.status === "failed");
  if (status === "failed" && failed.length === 0) return [`${name}\n${indent(message)}`];
  return failed.map((one) => `${name}\n${indent([one.fullName, ...one.failureMessages].join("\n"))}`);
}

/** The first lines, which say what was expected and where. */
function indent(text: string): string {
  const lines = text.split("\n").slice(0, 20);
  return lines.map((line) => `  ${line}`).join("\n");
}

async function runJourneys(environment: Record<string, string> = {}): Promise<Count> {
  const file = join(reports, "journeys.json");
  const code = await run("playwright", ["test", "--reporter=list,json"], {
    ...environment,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    CHROMIUM_PATH: provideChromium(),
  });
  const { expected: passed, unexpected, flaky, skipped } = readReport(file).stats;
  if (skipped > 0) print(`${skipped} journeys were skipped.`);
  const failed = unexpected + flaky;
  if (passed + failed === 0) print("No journey ran, which counts as a failure.");
  return { passed, failed: code === 0 && passed > 0 ? failed : Math.max(failed, 1) };
}

function asOne(code: number): Count {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Runs one program of the project and resolves to its exit code; shows its output as it comes, or hands it on. */
function run(
  program: string,
  rest: string[],
  environment: Record<string, string> = {},
  hear?: (text: string) => void,
): Promise<number> {
  const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const child = spawn(program, rest, {
    cwd: root,
    stdio: ["ignore", hear === undefined ? "inherit" : "pipe", "inherit"],
    env: { ...process.env, ...environment, PATH: path },
  });
  if (hear !== undefined) child.stdout?.setEncoding("utf8").on("data", hear);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}

function readReport(file: string) {
  if (!existsSync(file)) throw new Error("It ended before it could report what passed.");
  return JSON.parse(readFileSync(file, "utf8"));
}

function print(line: string) {
  process.stdout.write(`${line}\n`);
}

/** Every step runs, even after a failure; the last line has the totals. */
async function main(names: string[]) {
  const chosen = names.length > 0 ? names : ["lint", "types", "build", "tests", "journeys"];
  const unknown = chosen.filter((name) => !(name in steps));
  if (unknown.length > 0) throw new Error(`There is no step ${unknown.join(", ")}: ${Object.keys(steps).join(", ")}.`);
  const counts: Count[] = [];
  const summary: string[] = [];
  for (const name of chosen) {
    print(`\n== ${name}`);
    const startedAt = Date.now();
    const count = await steps[name]!().catch((error: Error): Count => {
      print(error.message);
      return { passed: 0, failed: 1 };
    });
    counts.push(count);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    summary.push(`${name}: ${count.passed} passed, ${count.failed} failed, ${seconds} s`);
  }
  rmSync(reports, { recursive: true, force: true });
  const sum = (part: "passed" | "failed") => counts.reduce((total, count) => total + count[part], 0);
  for (const failure of counts.flatMap(({ failures = [] }) => failures)) print(`\nFailed: ${failure}`);
  print(`\n${summary.join("\n")}`);
  print(`${sum("passed")} passed, ${sum("failed")} failed`);
  process.exitCode = sum("failed") > 0 ? 1 : 0;
}

await main(process.argv.slice(2));
