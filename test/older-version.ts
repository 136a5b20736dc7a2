import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import releases from "../releases.json" with { type: "json" };

const root = join(import.meta.dirname, "..");

/** Why the source of that version cannot be had here; null if it can. A downloaded source has no history. */
export function whyNoRelease(commit = releases.last.commit): string | null {
  const { status } = spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root });
  return status === 0 ? null : `The history has no commit ${commit}, so there is no older version to run.`;
}

/** Writes the source of a version into a new folder, or only what is below `path`. */
export function extractRelease(folder: string, commit: string, path = "."): void {
  mkdirSync(folder);
  const files = execFileSync("git", ["archive", commit, path], { cwd: root, maxBuffer: 1_000_000_000 });
  execFileSync("tar", ["--extract", "--directory", folder], { input: files });
}

/** The last release as it runs: with this one's modules, and its pages built. */
export function checkOutRelease(folder: string): void {
  extractRelease(folder, releases.last.commit);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const program = "const { buildSiteWhenStale } = await import('#app/build.ts'); await buildSiteWhenStale(() => {});";
  execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: folder });
}
