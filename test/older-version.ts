import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import releases from "../releases.json" with { type: "json" };

const root = join(import.meta.dirname, "..");

/** Why the source of the last release cannot be had here; null if it can. A downloaded source has no history. */
export function whyNoRelease(): string | null {
  const { status } = spawnSync("git", ["cat-file", "-e", `${releases.last.commit}^{commit}`], { cwd: root });
  return status === 0 ? null : `The history has no commit ${releases.last.commit}, so the last release is not run.`;
}

/** Writes the source of the last release into a folder, with this one's modules, and builds its pages. */
export function checkOutRelease(folder: string): void {
  mkdirSync(folder);
  const files = execFileSync("git", ["archive", releases.last.commit], { cwd: root, maxBuffer: 1_000_000_000 });
  execFileSync("tar", ["--extract", "--directory", folder], { input: files });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const program = "const { buildSiteWhenStale } = await import('#app/build.ts'); await buildSiteWhenStale(() => {});";
  execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: folder });
}
