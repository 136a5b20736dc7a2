import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { makeManyDonations, makeUser } from "#database/factories.ts";
import { migrate } from "#database/migrate.ts";
import { listHistory, listSummaryDonations } from "#features/donations/server/history.ts";
import { renderSummary } from "#features/donations/server/render-pdfs.ts";
import { readConfig } from "#shared/config/config.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { compare, millisecondsOf } from "./compare.ts";
import { type BenchRow, printTable } from "./table.ts";

const LONG = 100_000;
const SHORT = 100;
const IN_PDF = 1000;
const everything = { range: { from: "", to: "" }, limit: 10 };

const folder = mkdtempSync(join(tmpdir(), "bench-history-"));
const server = await startEmbeddedDatabase({ dataDir: folder });
await migrate(server.url);
const pool = createPool(server.url, () => undefined);
const database = createDatabase(pool);

async function makeDonor(count: number): Promise<number> {
  const { id } = await makeUser(database);
  await makeManyDonations(database, { userId: id, count });
  return id;
}

async function measurePages(long: number, short: number): Promise<BenchRow[]> {
  const middle = (await listHistory(database, long, { ...everything, limit: LONG / 2 }))!.older!;
  const tenth = (await listHistory(database, short, everything))!.older!;
  const rows: BenchRow[] = [];
  for (const [what, place, to, near] of [
    [`first page of ${LONG}`, {}, `first page of ${SHORT}`, {}],
    ["page behind the 50,000th", { after: middle }, `second page of ${SHORT}`, { after: tenth }],
    ["page before the 50,000th", { before: middle }, `page before the 10th of ${SHORT}`, { before: tenth }],
  ] as const) {
    const [ours, reference] = await compare(
      () => listHistory(database, long, { ...everything, ...place }),
      () => listHistory(database, short, { ...everything, ...near }),
    );
    rows.push({ what, ours, reference, unit: "ms", to });
  }
  return rows;
}

async function measurePdf(which: string): Promise<BenchRow[]> {
  const userId = await makeDonor(IN_PDF);
  const range = { from: "2000-01-01", to: "2099-12-31" };
  const { organisation } = readConfig({ DATA_DIR: folder });
  const donor = { name: "Amina Raza", email: "amina@example.com" };
  const before = process.memoryUsage().rss;
  let [most, longestWait, last] = [before, 0, performance.now()];
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
    longestWait = Math.max(longestWait, performance.now() - last);
    last = performance.now();
  }, 1);
  const cpuBefore = process.cpuUsage();
  const ours = await millisecondsOf(async () => {
    const donations = await listSummaryDonations(database, { userId }, { range, limit: IN_PDF });
    await renderSummary({ organisation, donor, range, donations, madeAt: new Date() });
  });
  clearInterval(timer);
  const cpu = process.cpuUsage(cpuBefore);
  return [
    { what: `${which} summary of ${IN_PDF} donations, read and drawn`, ours, unit: "ms" },
    { what: "… CPU of it", ours: (cpu.user + cpu.system) / 1000, unit: "ms" },
    { what: "… longest time without a turn for others", ours: longestWait, unit: "ms" },
    { what: "… growth of the process at its largest", ours: (most - before) / 2 ** 20, unit: "MB" },
  ];
}

try {
  const [long, short] = [await makeDonor(LONG), await makeDonor(SHORT)];
  await pool.query("analyze");
  const rows = [...(await measurePages(long, short)), ...(await measurePdf("first")), ...(await measurePdf("second"))];
  printTable(rows);
} finally {
  await pool.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
