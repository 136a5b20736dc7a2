import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { provideChromium } from "./chromium.ts";

/** What one step adds to the last line, and what it says once more above it, where long output is not cut off. */
type Count = { readonly passed: number; readonly failed: number; readonly failures?: readonly string[] };

/** The part of a report of Vitest's that is read here. */
type FileReport = {
  readonly name: string;
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
    for (const file of configurations) codes.push(await run("tsc", ["-p", file]));
    return asOne(Math.max(...codes));
  },
  /** Without the fault tests, which kill processes for half a minute each. */
  unit: () => runVitest(["--exclude", "test/faults/**"]),
  tests: () => runVitest([]),
  /** Feature tests on the oldest PostgreSQL that is supported. */
  pg15: async () => {
    const binaries = process.env.TEST_POSTGRES_BINARIES ?? oldestPostgres;
    if (!existsSync(join(binaries, "initdb"))) {
      say(`No PostgreSQL 15 at ${binaries}. Install it (Debian 12: \`apt-get install postgresql-15\`), or name its`);
      say("folder of programs in TEST_POSTGRES_BINARIES.");
      return { passed: 0, failed: 1 };
    }
    return runVitest(["src", "test/schema.test.ts"], { TEST_POSTGRES_BINARIES: binaries });
  },
  /** Counts only when it fails: the journeys are what shows that the build is good. */
  build: async () => ({ passed: 0, failed: (await run("vite", ["build"])) === 0 ? 0 : 1 }),
  journeys: runJourneys,
};

async function runVitest(rest: string[], environment: Record<string, string> = {}): Promise<Count> {
  const file = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const code = await run("vitest", ["run", ...reporters, ...rest], environment);
  const report = readReport(file);
  const { numPassedTests: passed, numPendingTests: skipped } = report;
  if (skipped > 0) say(`${skipped} tests were skipped.`);
  const failures = (report.testResults as FileReport[]).flatMap(describeFailures);
  // Errors outside of every test end it with a code, and are told of above.
  if (failures.length === 0 && code !== 0) failures.push("An error outside of the tests: see the output of this step.");
  return { passed, failed: failures.length, failures };
}

/** What failed in one file. One that could not be loaded has no tests of its own to tell of. */
function describeFailures({ name, status, message, assertionResults }: FileReport): string[] {
  const failed = assertionResults.filter((one) => one.status === "failed");
  if (status === "failed" && failed.length === 0) return [`${name}\n${indent(message)}`];
  return failed.map((one) => `${name}\n${indent([one.fullName, ...one.failureMessages].join("\n"))}`);
}

/** The first lines of it: what was expected, and where. */
function indent(text: string): string {
  const lines = text.split("\n").slice(0, 20);
  return lines.map((line) => `  ${line}`).join("\n");
}

async function runJourneys(): Promise<Count> {
  const file = join(reports, "journeys.json");
  const code = await run("playwright", ["test", "--reporter=list,json"], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    CHROMIUM_PATH: provideChromium(),
  });
  const { expected: passed, unexpected, flaky, skipped } = readReport(file).stats;
  if (skipped > 0) say(`${skipped} journeys were skipped.`);
  const failed = unexpected + flaky;
  if (passed + failed === 0) say("No journey ran: that is a failure, not a success.");
  return { passed, failed: code === 0 && passed > 0 ? failed : Math.max(failed, 1) };
}

function asOne(code: number): Count {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Runs one program of the project with its output shown as it comes; resolves to its exit code. */
function run(program: string, rest: string[], environment: Record<string, string> = {}): Promise<number> {
  const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const child = spawn(program, rest, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...environment, PATH: path },
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

function readReport(file: string) {
  if (!existsSync(file)) throw new Error("It ended before it could report what passed.");
  return JSON.parse(readFileSync(file, "utf8"));
}

function say(line: string) {
  process.stdout.write(`${line}\n`);
}

/** Every step runs, whatever the one before it came to; the last line is the sum. */
async function main(names: string[]) {
  const chosen = names.length > 0 ? names : ["lint", "types", "tests", "build", "journeys"];
  const unknown = chosen.filter((name) => !(name in steps));
  if (unknown.length > 0) throw new Error(`There is no step ${unknown.join(", ")}: ${Object.keys(steps).join(", ")}.`);
  const counts: Count[] = [];
  const summary: string[] = [];
  for (const name of chosen) {
    say(`\n== ${name}`);
    const startedAt = Date.now();
    const count = await steps[name]!().catch((error: Error): Count => {
      say(error.message);
      return { passed: 0, failed: 1 };
    });
    counts.push(count);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    summary.push(`${name}: ${count.passed} passed, ${count.failed} failed, ${seconds} s`);
  }
  rmSync(reports, { recursive: true, force: true });
  const sum = (part: "passed" | "failed") => counts.reduce((total, count) => total + count[part], 0);
  for (const failure of counts.flatMap(({ failures = [] }) => failures)) say(`\nFailed: ${failure}`);
  say(`\n${summary.join("\n")}`);
  say(`${sum("passed")} passed, ${sum("failed")} failed`);
  process.exitCode = sum("failed") > 0 ? 1 : 0;
}

await main(process.argv.slice(2));
