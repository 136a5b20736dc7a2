import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { addPages } from "#app/main.ts";
import { BROWSER } from "#app/rendering/manifest.ts";
import * as render from "#app/rendering/render.tsx";
import { buildServer } from "#app/server.ts";
import type { Services } from "#app/services.ts";
import { listMigrations } from "#database/migrate.ts";
import { collectRoutes } from "../collect-routes.ts";
import { createVisitor, openTestSite } from "../site.ts";

export type WholeSite = Awaited<ReturnType<typeof openWholeSite>>;

/**
 * The test site with its pages, rendered from source instead of a build; every log line, down to trace; and every route,
 * as 'GET /path'.
 */
export async function openWholeSite(environment: Record<string, string> = {}) {
  const site = await openTestSite({ LOG_LEVEL: "trace", ...environment });
  const lines: string[] = [];
  Object.assign(site.services.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
  const folder = writeBuild();
  const { services } = site;
  const build = (from: Services) => buildWithPages(from, folder);
  const { made: app, routes } = await collectRoutes(() => build(services));
  return {
    ...site,
    app,
    routes,
    lines,
    build,
    visitor: (address?: string) => createVisitor(app, address),
    async close() {
      await app.close();
      await site.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const buildWithPages = (services: Services, buildFolder: string) =>
  buildServer(services, {
    latestMigration: listMigrations().at(-1)!,
    addPages: (server) => addPages(server, services, { onContentChanged: () => undefined, buildFolder }),
  });

/** A server with the pages of a site that a test has opened without. It keeps pages as it first made them. */
export async function openPages(services: Services) {
  const folder = writeBuild();
  const app = await buildWithPages(services, folder);
  return {
    app,
    async close() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A folder like the build's, with pages rendered from source and names instead of files. */
function writeBuild(): string {
  const folder = mkdtempSync(join(tmpdir(), "almoner-whole-"));
  for (const name of ["server", "client/.vite", "client/assets", "client/identity", "client/icons"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  Object.assign(globalThis, { almonerPages: render });
  const names = ["listPages", "renderPage", "renderNotFound", "renderRefusal", "renderFailure", "renderEndedLink"];
  writeFileSync(join(folder, "server/render.js"), `export const { ${names.join(", ")} } = globalThis.almonerPages;\n`);
  writeFileSync(join(folder, "client/icons/favicon.ico"), "icon");
  const sources = globSync("src/{app,features,payments/checkout/ui,shared/ui,shared/*/ui}/**/*.{ts,tsx,css}");
  const entries = Object.fromEntries(sources.map((file) => [file, { file: `assets/${file.replaceAll("/", "-")}` }]));
  const browser = { ...entries[BROWSER], dynamicImports: sources.filter((file) => file.endsWith(".tsx")) };
  writeFileSync(join(folder, "client/.vite/manifest.json"), JSON.stringify({ ...entries, [BROWSER]: browser }));
  writeFileSync(join(folder, "client/.vite/shell-manifest.json"), "{}");
  const integrity = Object.fromEntries(Object.values(entries).map(({ file }) => [`/${file}`, "sha384-none"]));
  writeFileSync(join(folder, "client/.vite/scripts.json"), JSON.stringify({ integrity, payment: [] }));
  return folder;
}
