import { islandFiles } from "./island-files.ts";
import type { IslandName } from "./islands.ts";
import type { Manifest } from "./manifest.ts";
import type { LinkedFiles } from "./render.tsx";
import { readManifest, readScripts } from "./script-files.ts";

const STYLES = "src/app/site.css";
const SHELL = "src/app/shell/shell.ts";
const CAROUSELS = "src/app/shell/carousels.ts";
const GALLERY = "src/app/shell/gallery.ts";
const HISTORY_RANGE = "src/app/shell/history-range.ts";
const MEMBER = "src/app/shell/member.ts";
const LOGIN_START = "src/app/shell/login-start.ts";
const YOUR_TIME = "src/app/shell/your-time.ts";
const BROWSER = "src/app/rendering/browser.ts";

/** Reads the build's manifests once; the function it returns says which files a page with these islands links. */
export function readClientFiles(clientFolder: string): (islandNames: readonly string[]) => LinkedFiles {
  const manifest = readManifest(clientFolder);
  const { integrity, payment } = readScripts(clientFolder);
  const importMap = JSON.stringify({
    integrity: Object.fromEntries(payment.map(({ address, integrity }) => [address, integrity])),
  });
  const address = (file: string) => `/${file}`;
  const fileOf = (key: string) => address(manifest[key]!.file);
  return (islandNames) => {
    const stylesheets = [fileOf(STYLES)];
    const enhancements = {
      carousel: fileOf(CAROUSELS),
      gallery: fileOf(GALLERY),
      yourTime: fileOf(YOUR_TIME),
      historyRange: fileOf(HISTORY_RANGE),
      member: fileOf(MEMBER),
      loginStart: fileOf(LOGIN_START),
    };
    if (islandNames.length === 0)
      return { stylesheets, scripts: [fileOf(SHELL)], preloads: [], enhancements, integrity, importMap };
    const roots = [BROWSER, ...islandNames.map((name) => islandFiles[name as IslandName])];
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

/** A chunk and everything it imports at once. */
function chunksOf(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  if (seen.has(key)) return [];
  seen.add(key);
  for (const next of manifest[key]?.imports ?? []) chunksOf(manifest, next, seen);
  return [...seen];
}
