import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import processSettings from "#app/process-settings.json" with { type: "json" };
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { makeTicketedEvent } from "#test/ticket-buyer.ts";
import { measureCrowd } from "./crowd.ts";
import { type DonationRate, measureDonations, type Rate } from "./donations.ts";
import { measureLoads, readCompressed, startHello, startNginx, startSameBytes } from "./home.ts";
import { measureMadePages } from "./made-pages.ts";
import { measureOrders, type OrderRate } from "./orders.ts";
import { median, quantile, type RunningProcess, residentMegabytes } from "./processes.ts";
import { record } from "./record.ts";
import { copyDatabase, type Reference, referenceOf } from "./reference.ts";
import { startBenchSite, untilIdle } from "./site.ts";
import { type BenchRow, print, printRows } from "./table.ts";

const RECEIPTS = 500;
const folder = mkdtempSync(join(tmpdir(), "bench-"));
const stops: (() => Promise<unknown>)[] = [];
const started = <Server extends RunningProcess | null>(server: Server): Server => {
  if (server !== null) stops.push(server.stop);
  return server;
};

try {
  print(`${cpus().length} × ${cpus()[0]?.model ?? "processor"}, Node ${process.version}`);
  print("Starting the site …");
  await (await startBenchSite(folder)).stop();
  await copyDatabaseNow();
  const rows = await measure();
  printRows(rows);
  if (process.argv.includes("--record")) await record(rows);
} finally {
  for (const stop of stops.reverse()) await stop().catch((error: Error) => print(error.message));
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

async function measure(): Promise<BenchRow[]> {
  const hello = started(await startHello(folder));
  const idleMegabytes = residentMegabytes(hello.pid);
  const { site, startMs } = await startAgainAndAgain();
  const rows: BenchRow[] = [
    {
      what: "cold start to ready, data folder exists",
      ours: startMs,
      reference: hello.startMs,
      unit: "ms",
      to: "hello world",
    },
    {
      what: "memory after the start",
      ours: residentMegabytes(site.pid),
      reference: idleMegabytes,
      unit: "MB",
      to: "hello world",
    },
  ];
  print("Loading the home page …");
  rows.push(...(await measureHome(site, hello)));
  rows.push({ what: "memory after the page loads", ...memoryOf(site, hello) });
  print("Making donations …");
  // Warms up: a site that has run for a while has compiled its code, which takes some thousand donations.
  await measureDonations(site, 8, 150);
  const embedded = await startEmbeddedDatabase({ dataDir: folder });
  stops.push(embedded.stop);
  const reference = referenceOf(embedded.url, "donation.sql");
  const one = await measureInTurn(site, reference, 1);
  const eight = await measureInTurn(site, reference, 8);
  rows.push({ what: "memory after the donations", ...memoryOf(site, hello) });
  print("Drawing receipts …");
  rows.push(await measurePagesBesideReceipts(site, eight.ours.receiptPath));
  rows.push(...(await measureLaterLoads(site, hello, embedded.url)));
  return [...rows, ...donationRows(one, reference.tool), ...donationRows(eight, reference.tool)];
}

async function copyDatabaseNow() {
  const embedded = await startEmbeddedDatabase({ dataDir: folder });
  await copyDatabase(embedded.url);
  await embedded.stop();
}

function donationRows({ clients, ours, theirs }: Compared, tool: Reference["tool"]): BenchRow[] {
  const what = `donation through HTTP, ${clients} client${clients > 1 ? "s" : ""}`;
  const to = `${tool}, same rows`;
  const p50 = { reference: ours.milliseconds, unit: "ms", to: "its median" } as const;
  return [
    { what: `${what}, a second`, ours: ours.perSecond, reference: theirs.perSecond, unit: "/s", to },
    { what: `${what}, each`, ours: ours.milliseconds, reference: theirs.milliseconds, unit: "ms", to },
    { what: `${what}, CPU of the server`, ours: ours.cpuMilliseconds, unit: "ms" },
    { what: "… of it the thread that answers", ours: ours.threadMilliseconds, unit: "ms" },
    { what: `${what}, 95th percentile`, ours: ours.p95Milliseconds, ...p50 },
  ];
}

/** Ticket orders, a crowd, pages made for each request, and the memory a minute after all of it. */
async function measureLaterLoads(site: RunningProcess, hello: RunningProcess, url: string): Promise<BenchRow[]> {
  const pool = createPool(url, () => undefined);
  const database = createDatabase(pool);
  try {
    print("Buying tickets …");
    const { slug } = await makeTicketedEvent(database, { standard: { capacity: 1_000_000 } });
    const reference = referenceOf(url, "order.sql");
    const [orders, donations, rows]: [OrderRate[], DonationRate[], Rate[]] = [[], [], []];
    await measureOrders(site, slug, { clients: 8, each: 100 });
    for (let round = 0; round < 3; round += 1) {
      await untilIdle(site);
      rows.push(await reference.measure(8));
      orders.push(await measureOrders(site, slug, { clients: 8, each: 30 }));
      await untilIdle(site);
      donations.push(await measureDonations(site, 8, 30));
    }
    print("Making donations by 200 clients …");
    const crowd = await measureCrowd(site, pool);
    print("Making pages …");
    await untilIdle(site);
    const pages = await measureMadePages(site, { database, event: slug, orderPath: orders[0]!.pagePath });
    print("Waiting for a minute …");
    await sleep(60_000);
    return [
      {
        what: "ticket orders, 8 clients, a second",
        ours: middleOf(orders).perSecond,
        reference: middleOf(donations).perSecond,
        unit: "/s",
        to: "donations",
      },
      {
        what: "ticket orders, 8 clients, a second",
        ours: middleOf(orders).perSecond,
        reference: middleOf(rows).perSecond,
        unit: "/s",
        to: `${reference.tool}, same rows`,
      },
      ...crowd,
      ...pages,
      { what: "memory a minute after the load", ...memoryOf(site, hello) },
    ];
  } finally {
    await database.destroy();
  }
}

/** The 95th percentile of a page that is made for each request, quiet and while receipts are drawn. */
async function measurePagesBesideReceipts(site: RunningProcess, receiptPath: string): Promise<BenchRow> {
  const get = async (path: string) => {
    const began = performance.now();
    const answer = await fetch(site.url + path);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}.`);
    return performance.now() - began;
  };
  await untilIdle(site);
  const quiet: number[] = [];
  for (let time = 0; time < 300; time += 1) quiet.push(await get("/selectTickets"));
  let left = RECEIPTS;
  const draw = async () => {
    for (; left > 0; left -= 1) await get(receiptPath);
  };
  const drawing = Promise.all(Array.from({ length: 8 }, draw));
  const busy: number[] = [];
  while (left > 0) busy.push(await get("/selectTickets"));
  await drawing;
  const what = `page beside ${RECEIPTS} receipts being drawn, 95th percentile`;
  return { what, ours: quantile(busy, 0.95), reference: quantile(quiet, 0.95), unit: "ms", to: "the same page, quiet" };
}

function memoryOf(site: RunningProcess, hello: RunningProcess) {
  return {
    ours: residentMegabytes(site.pid),
    reference: residentMegabytes(hello.pid),
    unit: "MB",
    to: "hello world",
  } as const;
}

/** Three starts on the first one's folder; the last keeps running. */
async function startAgainAndAgain(): Promise<{ site: RunningProcess; startMs: number }> {
  const times: number[] = [];
  for (;;) {
    const site = await startBenchSite(folder, { LIMITS_TICKET_HOLDS: "1000000" });
    times.push(site.startMs);
    if (times.length === 3) return { site: started(site), startMs: median(times) };
    await site.stop();
  }
}

type Compared = { readonly clients: number; readonly ours: DonationRate; readonly theirs: Rate };

/** Of three runs each, in turn, the one whose rate is in the middle. Each pair begins once all emails are sent. */
async function measureInTurn(site: RunningProcess, reference: Reference, clients: number): Promise<Compared> {
  const [ours, theirs]: [DonationRate[], Rate[]] = [[], []];
  for (let run = 0; run < 3; run += 1) {
    await untilIdle(site);
    theirs.push(await reference.measure(clients));
    ours.push(await measureDonations(site, clients, 60));
  }
  return { clients, ours: middleOf(ours), theirs: middleOf(theirs) };
}

function middleOf<R extends Rate>(rates: readonly R[]): R {
  return rates.toSorted((one, other) => one.perSecond - other.perSecond)[1]!;
}

async function measureHome(site: RunningProcess, hello: RunningProcess): Promise<BenchRow[]> {
  // The first answer is compressed quickly, and differs from all others.
  await readCompressed(site.url);
  const nginx = started(await startNginx(folder, site.url));
  const servers = new Map([
    ["site", site],
    ["hello world", hello],
    ["node:http, same bytes", started(await startSameBytes(folder, site.url))],
  ]);
  if (nginx !== null) servers.set("nginx, same bytes", nginx);
  const loads = await measureLoads(servers);
  const ours = loads.get("site")!;
  loads.delete("site");
  const rows = [...loads].flatMap(([to, other]): BenchRow[] => [
    {
      what: "cached home page, CPU a request",
      ours: ours.cpuMicroseconds,
      reference: other.cpuMicroseconds,
      unit: "µs",
      to,
    },
    {
      what: "cached home page, requests a second",
      ours: ours.requestsPerSecond,
      reference: other.requestsPerSecond,
      unit: "/s",
      to,
    },
  ]);
  if (nginx === null) print("nginx is not installed, so its lines are missing.");
  const uncached = await measureUncachedHome();
  const all = uncached.load + uncached.render + uncached.compress;
  return [
    ...rows,
    {
      what: "uncached home page, CPU",
      ours: all,
      reference: ours.cpuMicroseconds / 1000,
      unit: "ms",
      to: "cached",
    },
    { what: "… of it reading the database", ours: uncached.load, unit: "ms" },
    { what: "… of it rendering", ours: uncached.render, unit: "ms" },
    { what: "… of it compressing", ours: uncached.compress, unit: "ms" },
  ];
}

/** In its own process with the settings of `npm start`, beside the running site. */
async function measureUncachedHome(): Promise<Record<"load" | "render" | "compress", number>> {
  const database = await startEmbeddedDatabase({ dataDir: folder });
  const own = { NODE_ENV: "production", DATABASE_URL: database.url, DATA_DIR: folder };
  const environment = { ...processSettings, ...process.env, ...own };
  const program = join(import.meta.dirname, "uncached-home.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env: environment });
  await database.stop();
  return JSON.parse(stdout);
}
