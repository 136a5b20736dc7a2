import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { seededRandom } from "#shared/seeded-random.ts";
import { makeTicketedEvent } from "#test/ticket-buyer.ts";
import { paywayUrlOf, startBenchSite } from "../../bench/site.ts";
import { judgeSoak, type SoakSample } from "./soak-judge.ts";
import { createVisitors, type Visitors } from "./soak-visitors.ts";

const WORKERS = 16;
const MEASURE_MS = 20_000;
const SAMPLE_MS = 5000;

const print = (line: string) => process.stdout.write(`${line}\n`);

/**
 * `soak [minutes] [seed]`: visitors read, donate, log in and hold seats at half the capacity just measured. Prints a line
 * a minute, and returns whether the site stayed stable.
 */
export async function run([minutes = "60", seed = "20261122"]: readonly string[]): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const site = await startBenchSite(folder, { LIMITS_BREAKER_PAYMENTS: "1000000" });
    stops.push(site.stop);
    const embedded = await startEmbeddedDatabase({ dataDir: folder });
    stops.push(embedded.stop);
    const database = createDatabase(createPool(embedded.url, () => undefined));
    stops.push(() => database.destroy());
    const event = await makeTicketedEvent(database, { standard: { capacity: 1_000_000 } });
    const random = seededRandom(Number(seed));
    const visitors = await createVisitors({
      url: site.url,
      paywayUrl: paywayUrlOf(site),
      event: event.slug,
      random,
      database,
    });
    const capacity = await measure(visitors);
    print(`seed ${seed}: ${capacity.toFixed(0)} acts a second at most; ${minutes} min at half of that`);
    const samples = await hold(visitors, { url: site.url, perSecond: capacity / 2, minutes: Number(minutes), random });
    const { megabytesInTenMinutes, moreFiles, faults } = judgeSoak(samples, visitors.unexpected.length);
    print(
      `memory ${megabytesInTenMinutes.toFixed(2)} MB in 10 min, open files ${moreFiles > 0 ? "+" : ""}${moreFiles}`,
    );
    for (const fault of faults) print(`FAULT: ${fault}`);
    for (const line of visitors.unexpected.slice(0, 10)) print(line);
    if (faults.length === 0) print("The site stayed stable.");
    return faults.length === 0;
  } finally {
    for (const stop of stops.reverse()) await stop().catch((error: Error) => print(error.message));
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** How many actions a second the site serves to visitors who act one after another. */
async function measure(visitors: Visitors): Promise<number> {
  const began = performance.now();
  let acts = 0;
  const work = async () => {
    for (; performance.now() - began < MEASURE_MS; acts += 1) await visitors.act();
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return (acts * 1000) / (performance.now() - began);
}

type Load = {
  readonly url: string;
  readonly perSecond: number;
  readonly minutes: number;
  readonly random: () => number;
};

async function hold(visitors: Visitors, { url, perSecond, minutes, random }: Load): Promise<SoakSample[]> {
  const samples: SoakSample[] = [];
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 60_000;
  let isOver = false;
  let acts = 0;
  const load = async () => {
    let due = performance.now();
    for (; !isOver; acts += 1) {
      due = Math.max(due + ((WORKERS * 1000) / perSecond) * 2 * random(), performance.now());
      await sleep(Math.max(0, due - performance.now()));
      await visitors.act();
    }
  };
  const loads = Promise.all(Array.from({ length: WORKERS }, load));
  for (let minute = 1; elapsed() < minutes; ) {
    await sleep(SAMPLE_MS);
    samples.push({ minutes: elapsed(), ...(await readMetrics(url)) });
    if (elapsed() < minute) continue;
    const { megabytes, files, eventLoopMs, failures } = samples.at(-1)!;
    print(
      `${minute} min: ${acts} acts, ${megabytes.toFixed(0)} MB, ${files} files, event loop ${eventLoopMs.toFixed(0)} ms, ${failures} × 5xx`,
    );
    minute += 1;
  }
  isOver = true;
  await loads;
  return samples;
}

async function readMetrics(url: string): Promise<Omit<SoakSample, "minutes">> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1]);
  return {
    megabytes: read("process_resident_memory_bytes") / 2 ** 20,
    files: read("process_open_fds"),
    eventLoopMs: read("nodejs_eventloop_lag_p99_seconds") * 1000,
    failures: read("http_errors_total"),
  };
}
