import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folders = ["src", "dev"];
const files = ["vite.config.ts", "package-lock.json"];
const built = "dist/server/render.js";

/**
 * Builds the pages if they have never been built or a source is newer. Runs as a separate process, because the build
 * renders icons from SVG, which this process has permanently disabled.
 */
export async function buildSiteWhenStale(say: (line: string) => void): Promise<void> {
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (!listSources().some((file) => statSync(file).mtimeMs > builtAt)) return;
  say("Building the pages …");
  const vite = fileURLToPath(import.meta.resolve("vite/package.json").replace("package.json", "bin/vite.js"));
  const build = spawn(process.execPath, [vite, "build", "--logLevel", "warn"], {
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production" },
  });
  const [code] = await once(build, "exit");
  if (code !== 0) throw new Error("Could not build the pages.");
}

/** Without a glob, which takes several times as long to load and to match, at each start. */
function listSources(): string[] {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(tsx?|css|svg|woff2)$/.test(name))
      .map((name) => join(folder, name)),
  );
  return [...inFolders, ...files];
}
