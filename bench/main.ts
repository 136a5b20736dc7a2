import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { measureDonations, openReference } from "./donations.ts";
import { measureLoads, startHello, startNginx } from "./home.ts";
import { median, type Running, residentMegabytes } from "./processes.ts";
import { startSite } from "./site.ts";
import { printTable, type Row } from "./table.ts";

const folder = mkdtempSync(join(tmpdir(), "bench-"));
const stops: (() => Promise<unknown>)[] = [];
const started = <Server extends Running | null>(server: Server): Server => {
  if (server !== null) stops.push(server.stop);
  return server;
};
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  say(`${cpus().length} × ${cpus()[0]?.model ?? "processor"}, Node ${process.version}`);
  say("Starting the site …");
  await (await startSite(folder)).stop();
  const rows = await measure();
  printTable(rows);
} finally {
  for (const stop of stops.reverse()) await stop().catch((error: Error) => say(error.message));
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

async function measure(): Promise<Row[]> {
  const hello = started(await startHello(folder));
  const idleMegabytes = residentMegabytes(hello.pid);
  const { site, startMs } = await startAgainAndAgain();
  const rows: Row[] = [
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
  say("Loading the home page …");
  rows.push(...(await measureHome(site, hello)));
  rows.push({ what: "memory after the page loads", ...memoryOf(site, hello) });
  say("Giving …");
  const one = await measureDonations(site, 1, 60);
  const eight = await measureDonations(site, 8, 30);
  rows.push({ what: "memory after the donations", ...memoryOf(site, hello) });
  const database = await startEmbeddedDatabase({ dataDir: folder });
  stops.push(database.stop);
  await site.stop();
  const reference = await openReference(database.url);
  for (const [clients, ours] of [
    [1, one],
    [8, eight],
  ] as const) {
    const rate = await reference.measure(clients);
    const what = `donation through HTTP, ${clients} client${clients > 1 ? "s" : ""}`;
    const to = `${reference.tool}, same rows`;
    rows.push({ what: `${what}, a second`, ours: ours.perSecond, reference: rate.perSecond, unit: "/s", to });
    rows.push({ what: `${what}, each`, ours: ours.milliseconds, reference: rate.milliseconds, unit: "ms", to });
    rows.push({ what: `${what}, CPU of the server`, ours: ours.cpuMilliseconds, unit: "ms" });
  }
  await reference.close();
  return rows;
}

function memoryOf(site: Running, hello: Running) {
  return {
    ours: residentMegabytes(site.pid),
    reference: residentMegabytes(hello.pid),
    unit: "MB",
    to: "hello world",
  } as const;
}

/** Three starts on the folder that the first one made; the last stays. */
async function startAgainAndAgain(): Promise<{ site: Running; startMs: number }> {
  const times: number[] = [];
  for (;;) {
    const site = await startSite(folder);
    times.push(site.startMs);
    if (times.length === 3) return { site: started(site), startMs: median(times) };
    await site.stop();
  }
}

async function measureHome(site: Running, hello: Running): Promise<Row[]> {
  const nginx = started(await startNginx(folder, site.url));
  const servers = new Map([
    ["site", site],
    ["hello world", hello],
  ]);
  if (nginx !== null) servers.set("nginx, same bytes", nginx);
  const loads = await measureLoads(servers);
  const ours = loads.get("site")!;
  loads.delete("site");
  const rows = [...loads].flatMap(([to, other]): Row[] => [
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
  if (nginx === null) say("nginx is not installed: its lines are left out.");
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

/** In a process of its own, beside the running site. */
async function measureUncachedHome(): Promise<Record<"load" | "render" | "compress", number>> {
  const database = await startEmbeddedDatabase({ dataDir: folder });
  const environment = { ...process.env, NODE_ENV: "production", DATABASE_URL: database.url, DATA_DIR: folder };
  const program = join(import.meta.dirname, "uncached-home.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env: environment });
  await database.stop();
  return JSON.parse(stdout);
}
