import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "@playwright/test";
import lighthouse, { desktopConfig } from "lighthouse";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { addAvif } from "#shared/images/add-avif.ts";
import { filesInDatabase } from "#shared/images/files/create-files.ts";
import { contentPages, formPages } from "#test/public-pages.ts";
import { findFreePorts } from "./processes.ts";
import { logIn, startBenchSite, type Visit } from "./site.ts";

const asked = process.argv.slice(2);
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const kinds = ["document", "stylesheet", "script", "font", "image"];

type Group = {
  readonly name: string;
  readonly pages: readonly string[];
  /** The lowest score of each category; those without one are not asked for. */
  readonly floors: Readonly<Partial<Record<(typeof categories)[number], number>>>;
  readonly maxScriptKb: number;
  readonly config: typeof desktopConfig | undefined;
};

const isOfStaff = (page: string) => page === "/admin" || page.startsWith("/admin/");
const lists = ["donations", "refunds", "refunds/made", "reconciliation", "failed-jobs", "reports", "staff", "audit"];
const all = [
  "/",
  ...Object.keys(contentPages),
  ...Object.keys(formPages),
  "/admin",
  ...lists.map((name) => `/admin/${name}`),
];
const pages = asked.length > 0 ? asked : all;
const groups: readonly Group[] = [
  {
    name: "page, on a phone",
    pages: pages.filter((page) => !isOfStaff(page)),
    floors: { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 },
    maxScriptKb: Number.POSITIVE_INFINITY,
    config: undefined,
  },
  {
    // Search engines are not allowed to see these.
    name: "screen of the back office, on a desktop",
    pages: pages.filter(isOfStaff),
    floors: { performance: 100, accessibility: 100, "best-practices": 100 },
    maxScriptKb: 8,
    config: desktopConfig,
  },
];
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const folder = mkdtempSync(join(tmpdir(), "bench-pages-"));
const print = (line: string) => process.stdout.write(`${line}\n`);
const stops: (() => unknown)[] = [
  () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
];
try {
  print("Starting the site …");
  const site = await startBenchSite(folder);
  stops.push(site.stop);
  print("Encoding its pictures as AVIF …");
  await addAvifNow(site.url);
  const port = await openBrowser();
  for (const group of groups.filter((each) => each.pages.length > 0)) {
    print(row([group.name, "requests", ...kinds.map((kind) => `${kind} kB`), "LCP s", "TBT ms", "CLS", ...categories]));
    const visit = group.pages.some(isOfStaff) ? await logIn(folder) : { url: site.url };
    for (const page of group.pages) {
      if (page === "/donation") await becomeGuest(port, site.url);
      print(row(await measure(visit, page, { group, port })));
    }
  }
} finally {
  for (const stop of stops.reverse()) await stop();
}

/** What a job does ten minutes after the start, so that pages are measured as visitors get them. */
async function addAvifNow(url: string) {
  const embedded = await startEmbeddedDatabase({ dataDir: folder });
  const pool = createPool(embedded.url, () => undefined);
  const now = () => new Date(Date.now() + 600_000);
  const log = { warn: (...said: unknown[]) => void print(String(said.at(-1))) };
  await addAvif({ database: createDatabase(pool), files: filesInDatabase, now, log });
  await pool.end();
  await embedded.stop();
  while (!(await (await fetch(`${url}/news`)).text()).includes(".avif")) await sleep(500);
}

async function openBrowser(): Promise<number> {
  const program = process.env.CHROMIUM ?? browsers.find((file) => existsSync(file));
  if (program === undefined) throw new Error("No Chromium was found. Install one, or name it in CHROMIUM.");
  const port = await findFreePorts();
  const profile = join(folder, "profile");
  const browser = spawn(program, [...flags, `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`], {
    stdio: "ignore",
  });
  const deadline = Date.now() + 30_000;
  while (!(await fetch(`http://127.0.0.1:${port}/json/version`).catch(() => null))) {
    if (Date.now() > deadline) {
      browser.kill();
      throw new Error(`${program} did not open its debugging port within 30 s.`);
    }
    await sleep(100);
  }
  stops.push(() => end(browser, port));
  return port;
}

/** Over its port, because distributions start it from a script, which a signal would end alone. */
async function end(browser: ChildProcess, port: number) {
  const exited = new Promise((resolve) => browser.once("exit", resolve));
  const session = await (await chromium.connectOverCDP(`http://127.0.0.1:${port}`)).newBrowserCDPSession();
  // It may be gone before it answers.
  await session.send("Browser.close").catch(() => undefined);
  await exited;
}

/** The donation page sends everybody else to the log-in first; what that page loaded is removed again. */
async function becomeGuest(port: number, url: string) {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const tab = await browser.contexts()[0]!.newPage();
  await tab.goto(`${url}/login/guest`);
  await (await tab.context().newCDPSession(tab)).send("Network.clearBrowserCache");
  await tab.close();
  await browser.close();
}

async function measure({ url, extraHeaders }: Visit, page: string, { group, port }: { group: Group; port: number }) {
  // Each page is loaded for the first time; only the guest's marker must survive Lighthouse's clean-up.
  const disableStorageReset = page === "/donation";
  const shared = { port, logLevel: "error", output: "json", disableStorageReset } as const;
  const options = { ...shared, ...(extraHeaders && { extraHeaders }) };
  const run = () => lighthouse(url + page, { ...options, onlyCategories: Object.keys(group.floors) }, group.config);
  let { lhr } = (await run())!;
  // Now and then the browser's trace lacks the start of the navigation, which says nothing about the page.
  if (lhr.runtimeError?.code === "NO_NAVSTART") ({ lhr } = (await run())!);
  if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message);
  const items = (lhr.audits["network-requests"]?.details as { items: Request[] } | undefined)?.items ?? [];
  const requests = items.filter(({ url: address }) => address.startsWith("http"));
  const kilobytes = (kind: string) => {
    const sizes = requests.filter(({ resourceType }) => resourceType?.toLowerCase() === kind);
    return (sizes.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024).toFixed(1);
  };
  const scores = categories.map((category) => {
    const floor = group.floors[category];
    if (floor === undefined) return "";
    const score = Math.round((lhr.categories[category]?.score ?? 0) * 100);
    if (score < floor) process.exitCode = 1;
    return score < floor ? `${score} < ${floor}` : String(score);
  });
  if (Number(kilobytes("script")) > group.maxScriptKb) {
    process.exitCode = 1;
    print(`${page} loads more than ${group.maxScriptKb} kB of scripts`);
  }
  const figure = (audit: string) => lhr.audits[audit]?.numericValue ?? Number.NaN;
  const paint = (figure("largest-contentful-paint") / 1000).toFixed(2);
  const blocking = figure("total-blocking-time").toFixed(0);
  const shift = figure("cumulative-layout-shift").toFixed(3);
  return [page, String(requests.length), ...kinds.map(kilobytes), paint, blocking, shift, ...scores];
}

type Request = { readonly url: string; readonly resourceType?: string; readonly transferSize: number };

function row(cells: readonly string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(52) : cell.padStart(13))).join(" ");
}
