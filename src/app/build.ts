import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const sources = ["{src,dev}/**/*.{ts,tsx,css,svg,woff2}", "vite.config.ts", "package-lock.json"];
const built = "dist/server/render.js";

/**
 * Builds the pages if they have never been built or a source is newer. Runs as a separate process, because the build
 * renders icons from SVG, which this process has permanently disabled.
 */
export async function buildSiteWhenStale(say: (line: string) => void): Promise<void> {
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isStale = globSync(sources).some((file) => statSync(file).mtimeMs > builtAt);
  if (!isStale) return;
  say("Building the pages …");
  const vite = fileURLToPath(import.meta.resolve("vite/package.json").replace("package.json", "bin/vite.js"));
  const build = spawn(process.execPath, [vite, "build", "--logLevel", "warn"], {
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production" },
  });
  const [code] = await once(build, "exit");
  if (code !== 0) throw new Error("Could not build the pages.");
}
