import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { keepTemporaryFilesInMemory } from "./test/temporary-folder.ts";

keepTemporaryFilesInMemory();

// Dozens of processes are started: each uses what an earlier one compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");

/** What `npm run test:long` runs: see docs/testing.md. */
const isLong = process.env.TEST_LONG === "1";

/** Which kind of test a file has follows from what its text contains; the first that fits. */
const kinds = [
  // It replaces `location`, which a real page does not allow.
  { name: "server", pattern: /member\.script\.ts"/ },
  { name: "pages", pattern: /@vitest-environment jsdom/ },
  {
    name: "server",
    startsProcesses: true,
    pattern: /node:child_process|child-site|crash-fixture|startSimulators|-chaos|open-target|runProgram/,
  },
  {
    name: "server",
    pattern: /"(?:#test|#database|\.|\.\.)\/[\w/-]*(?:site|database|factories|fixture|migrate)\.ts"|\binject\(/,
  },
  { name: "rules", pattern: /./ },
] as const;
type Kind = (typeof kinds)[number];
const projects = ["server", "pages", "rules"] as const;

const texts = globSync("{src,dev,database,simulators,test}/**/*.test.{ts,tsx}")
  .map((file) => ({ file, text: readFileSync(file, "utf8") }))
  .filter(
    ({ file, text }) => /\.long\.test\./.test(file) === isLong || (isLong && /\/long-(?:run|test)\.ts"/.test(text)),
  );
const files = texts.map(({ file }) => file);
const kindOf = new Map(texts.map(({ file, text }) => [file, findKind(text)]));

function findKind(text: string): Kind {
  return kinds.find(({ pattern }) => pattern.test(text))!;
}

/** A worker goes on to files of its own project only; those that start processes, which mostly wait, come first. */
class ByKind extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const startsProcesses = ({ moduleId }: TestSpecification) =>
      "startsProcesses" in (kindOf.get(relative(import.meta.dirname, moduleId)) ?? {});
    const sorted = (await super.sort(specifications)).toSorted((a, b) => +startsProcesses(b) - +startsProcesses(a));
    return projects.flatMap((name) => sorted.filter(({ project }) => project.name === name));
  }
}

export default defineConfig({
  test: {
    globalSetup: "./test/global-setup.ts",
    // One more than there are cores: the processes mostly wait for each other.
    maxWorkers: 3,
    sequence: { sequencer: ByKind },
    projects: projects.map((name) => ({
      extends: true,
      // The server renders with React's production build, which takes half the time; jsdom's tests need the other one.
      ...(name !== "pages" && { oxc: { jsx: { development: false } } }),
      test: {
        name,
        env: { NODE_ENV: name === "pages" ? "test" : "production" },
        include: files.filter((file) => kindOf.get(file)?.name === name),
        // A page begins with a window of its own. The others keep what the file before them imported.
        ...(name === "pages"
          ? { pool: "vmForks" as const, setupFiles: "./test/pages/wait-long.ts" }
          : { pool: "forks" as const, isolate: false }),
      },
    })),
    // These only end what hangs: on a busy machine, what is waited for may take a while to come.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
    restoreMocks: true,
    unstubGlobals: true,
    // The gallery of parts measures the colours that it reads from here.
    css: { include: /tokens\.css/ },
  },
});
