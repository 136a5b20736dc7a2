import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Manifest } from "../rendering/manifest.ts";
import { readScripts } from "../rendering/script-files.ts";
import type { AdminFiles } from "./render-admin.tsx";

/** Finds the back office's built files. @throws Error without a build. */
export function readAdminFiles(clientFolder: string): AdminFiles {
  const manifest = JSON.parse(readFileSync(join(clientFolder, ".vite/admin-manifest.json"), "utf8")) as Manifest;
  const { integrity } = readScripts(clientFolder);
  const entries = Object.entries(manifest);
  const styles = entries.find(([key]) => key.endsWith(".css"))![1];
  const scripts = entries.filter(([key]) => key.endsWith(".admin.ts"));
  return {
    stylesheet: `/${styles.file}`,
    scripts: scripts.map(([key, { file }]) => ({
      name: basename(key, ".admin.ts"),
      address: `/${file}`,
      integrity: integrity[`/${file}`]!,
    })),
  };
}
