import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { contentPages, formPages } from "#test/public-pages.ts";
import { findFreePorts } from "./processes.ts";
import { startBenchSite } from "./site.ts";

const asked = process.argv.slice(2);
const pages = asked.length > 0 ? asked : ["/", ...Object.keys(contentPages), ...Object.keys(formPages)];
const categories = ["performance", "accessibility", "best-practices", "seo"];
const kinds = ["document", "stylesheet", "script", "font", "image"];
const floors: Readonly<Record<string, number>> = {
  performance: 98,
  accessibility: 100,
  "best-practices": 100,
  seo: 100,
};
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
  const port = await openBrowser();
  print(row(["page", "requests", ...kinds.map((kind) => `${kind} kB`), "LCP s", "TBT ms", "CLS", ...categories]));
  for (const page of pages) {
    if (page === "/donation") await becomeGuest(port, site.url);
    print(row(await measure(site.url, page, port)));
  }
} finally {
  for (const stop of stops.reverse()) await stop();
}

async function openBrowser(): Promise<number> {
  const program = process.env.CHROMIUM ?? browsers.find((file) => existsSync(file));
  if (program === undefined) throw new Error("No Chromium was found. Install one, or name it in CHROMIUM.");
  const port = await findFreePorts();
  const profile = join(folder, "profile");
  const browser = spawn(program, [...flags, `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`], {
    stdio: "ignore",
  });
  stops.push(() => end(browser));
  const deadline = Date.now() + 30_000;
  while (!(await fetch(`http://127.0.0.1:${port}/json/version`).catch(() => null))) {
    if (Date.now() > deadline) throw new Error(`${program} did not open its debugging port within 30 s.`);
    await sleep(100);
  }
  return port;
}

async function end(browser: ChildProcess) {
  const exited = new Promise((resolve) => browser.once("exit", resolve));
  browser.kill("SIGTERM");
  await exited;
}

/** The donation page sends everybody else to the log-in first; what that page loaded is dropped again. */
async function becomeGuest(port: number, url: string) {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const tab = await browser.contexts()[0]!.newPage();
  await tab.goto(`${url}/login/guest`);
  await (await tab.context().newCDPSession(tab)).send("Network.clearBrowserCache");
  await tab.close();
  await browser.close();
}

async function measure(url: string, page: string, port: number): Promise<string[]> {
  // Each page is loaded for the first time; only the guest's marker must survive Lighthouse's clean-up.
  const disableStorageReset = page === "/donation";
  const options = { port, logLevel: "error", output: "json", disableStorageReset } as const;
  const run = () => lighthouse(url + page, { ...options, onlyCategories: [...categories] });
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
    const score = Math.round((lhr.categories[category]?.score ?? 0) * 100);
    if (score < floors[category]!) process.exitCode = 1;
    return score < floors[category]! ? `${score} < ${floors[category]}` : String(score);
  });
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
