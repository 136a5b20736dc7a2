import { BROWSER, islandKey, type Manifest } from "./manifest.ts";
import type { LinkedFiles } from "./render.tsx";
import { readManifest, readScripts } from "./script-files.ts";

const STYLES = "src/app/site.css";
const SHELL = "src/app/shell/shell.ts";
/** `gallery.script.ts` is requested by pages as `gallery`. */
const SCRIPT = /([\w-]+)\.script\.ts$/;

/** Reads the build's manifests. The returned function lists the files that a page with these islands links. */
export function readClientFiles(clientFolder: string): (islandNames: readonly string[]) => LinkedFiles {
  const manifest = readManifest(clientFolder);
  const { integrity, payment } = readScripts(clientFolder);
  const importMap = JSON.stringify({
    integrity: Object.fromEntries(payment.map(({ address, integrity }) => [address, integrity])),
  });
  const address = (file: string) => `/${file}`;
  const fileOf = (key: string) => address(manifest[key]!.file);
  const enhancements = Object.fromEntries(
    Object.keys(manifest).flatMap((key) => {
      const name = SCRIPT.exec(key)?.[1];
      return name === undefined ? [] : [[name, fileOf(key)]];
    }),
  );
  return (islandNames) => {
    const stylesheets = [fileOf(STYLES)];
    if (islandNames.length === 0)
      return { stylesheets, scripts: [fileOf(SHELL)], preloads: [], enhancements, integrity, importMap };
    const roots = [BROWSER, ...islandNames.map((name) => islandKey(manifest, name))];
    const chunks = [...new Set(roots.flatMap((root) => chunksOf(manifest, root)))];
    const own = chunks.flatMap((key) => manifest[key]!.css ?? []).map(address);
    const scripts = [fileOf(SHELL), fileOf(BROWSER)];
    return {
      stylesheets: [...new Set([...stylesheets, ...own])],
      scripts,
      preloads: chunks.map(fileOf).filter((file) => !scripts.includes(file)),
      enhancements,
      integrity,
      importMap,
    };
  };
}

function chunksOf(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  if (seen.has(key)) return [];
  seen.add(key);
  for (const next of manifest[key]?.imports ?? []) chunksOf(manifest, next, seen);
  return [...seen];
}
