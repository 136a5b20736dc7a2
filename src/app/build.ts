import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folders = ["src", "dev", "database", "simulators"];
const files = ["vite.config.ts", "package-lock.json"];
const signals = ["SIGTERM", "SIGINT"] as const;
/** Of the files that a build writes last. */
const built = ["dist/server/start-site.js", "dist/server/render.js"];

/**
 * Builds pages and server if they have never been built or a source is newer; lets another process finish its build. Not
 * with `SITE_BUILD=never`: in what deploy/layout.sh makes, the copied sources may look newer, and nothing there can build.
 */
export async function buildSiteWhenStale(say: (line: string) => void): Promise<void> {
  if (process.env.SITE_BUILD === "never" || !isStale()) return;
  const { withLock } = await import("./build-lock.ts");
  await withLock(`the build of ${process.cwd()}`, async () => {
    // Another process may have built them in the meantime.
    if (isStale()) await build(say);
  });
}

function isStale(): boolean {
  const builtAt = Math.min(...built.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  return listSources().some((file) => statSync(file).mtimeMs > builtAt);
}

/** As a separate process, because the build renders icons from SVG, which this process has permanently disabled. */
async function build(say: (line: string) => void): Promise<void> {
  say("Building the site …");
  const vite = fileURLToPath(import.meta.resolve("vite/package.json").replace("package.json", "bin/vite.js"));
  const child = spawn(process.execPath, [vite, "build", "--logLevel", "warn"], {
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production" },
  });
  // Otherwise it would go on beside the build of the next start.
  const endBoth = (signal: NodeJS.Signals) => {
    child.kill();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.once(signal, endBoth);
  const [code] = await once(child, "exit");
  for (const signal of signals) process.off(signal, endBoth);
  if (code !== 0) throw new Error("It could not be built. After an update, run `npm ci` first.");
}

function listSources(): string[] {
  const isSource = (name: string) => /(?<!\.test)\.(tsx?|css|svg|woff2|json)$/.test(name);
  return [...folders.flatMap(listFiles).filter(isSource), ...files];
}

/** Neither a glob nor `recursive`, which take three times as long at each start. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}
