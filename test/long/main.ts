import { spawnSync } from "node:child_process";
import { join } from "node:path";

/**
 * Runs a long program, such as `npm run test:long -- soak 60`, and exits with 1 if it finds a fault. Without a name it
 * runs the tests and journeys that are too long for `npm test`.
 */
const programs: Record<string, () => Promise<{ run(words: readonly string[]): Promise<boolean> }>> = {
  crowd: () => import("./crowd.ts"),
  dev: () => import("./dev.ts"),
  fuzz: () => import("./fuzz.ts"),
  soak: () => import("./soak.ts"),
};

const [name, ...words] = process.argv.slice(2);
if (name === undefined) {
  const runAll = join(import.meta.dirname, "../run-all.ts");
  const { status } = spawnSync(process.execPath, [runAll, "build", "long", "long journeys"], { stdio: "inherit" });
  process.exit(status ?? 1);
}
const load = programs[name];
if (load === undefined) {
  process.stderr.write(`Name one of: ${Object.keys(programs).join(", ")}.\n`);
  process.exit(2);
}
process.exit((await (await load()).run(words)) ? 0 : 1);
