import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readClientFiles } from "#app/rendering/client-files.ts";
import { finishBytes } from "#app/rendering/page-bytes.ts";
import { findHome } from "#features/content/server/home.ts";
import { deliveredFrame } from "#shared/brand/delivered-frame.ts";
import { readConfig } from "#shared/config/config.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import type { PageReads } from "#shared/pages/page.ts";
import { mediansInTurn } from "./compare.ts";

/**
 * The cost of the first visit after a change of content: `node bench/uncached-home.ts`, with DATABASE_URL.
 * Prints the CPU milliseconds of a page's parts as JSON, medians, over all threads, since compression has its own.
 */
const pages = 60;
const rounds = 5;
const warmUps = 3;
const config = readConfig(process.env);
const pool = createPool(config.databaseUrl!, () => undefined);
const database = createDatabase(pool);
const built = (await import(
  pathToFileURL(join("dist", "server", "render.js")).href
)) as typeof import("#app/rendering/render.tsx");
const home = built.listPages().find(({ path }) => path === "/")!;
const findFiles = readClientFiles(join("dist", "client"));
const site = {
  organisation: config.organisation,
  banner: null,
  menus: {},
  publicUrl: config.publicUrl,
  year: 2026,
  brand: deliveredFrame,
  findFiles,
};

const reads = { findHome: () => findHome(database) } as PageReads;
const load = () => home.load(reads, { params: {} }, config.organisation);
const render = (data: unknown) => built.renderPage(home, "/", data, site);

async function millisecondsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < pages; index += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / pages;
}

const data = await load();
const html = render(data);
const medians = await mediansInTurn(
  {
    load: () => millisecondsOf(load),
    render: () => millisecondsOf(() => render(data)),
    compress: () => millisecondsOf(() => finishBytes(html).inEncoding("br")),
  },
  { rounds, warmUps },
);
console.log(JSON.stringify(medians));
await database.destroy();
