import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { buildSiteWhenStale } from "#app/build.ts";
import { residentMegabytes } from "../../bench/processes.ts";
import { compareBooks, faultsOf } from "../books.ts";
import { fuzz } from "../fuzz/fuzz.ts";
import { openTarget } from "../fuzz/open-target.ts";
import { p99, startVisit } from "./honest-visitor.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);
const quietMs = 15_000;
const hangMs = 2000;
const connections = 8;

/**
 * Sends hostile requests: `COUNT SEED`, and the number of the first one to repeat a part. Returns false if SEC-12 or
 * REL-12 is broken. Needs a quiet machine, because it compares an honest visitor's times.
 */
export async function run([count = "400000", seed = "20261122", from = "0"]: readonly string[]): Promise<boolean> {
  await buildSiteWhenStale(print);
  const target = await openTarget();
  const { site, ground, port, isAlive, prepare, pool, simulator } = target;
  const broken: string[] = [];
  try {
    await startVisit(site.url).end();
    const quiet = startVisit(site.url);
    await sleep(quietMs);
    const quietMsP99 = p99(await quiet.end());
    const before = residentMegabytes(site.pid());
    print(
      `seed ${seed}, ${count} requests over ${connections} connections; quiet: p99 ${quietMsP99.toFixed(1)} ms, ${before.toFixed(0)} MB`,
    );

    const honest = startVisit(site.url);
    let most = before;
    const look = setInterval(() => {
      if (isAlive()) most = Math.max(most, residentMegabytes(site.pid()));
    }, 500);
    const began = Date.now();
    const report = await fuzz(ground, {
      port,
      seed: Number(seed),
      from: Number(from),
      count: Number(count),
      connections,
      silentMs: hangMs,
      isAlive,
      prepare,
    });
    clearInterval(look);
    const taken = await honest.end();
    print(
      `${report.sent} requests in ${Math.round((Date.now() - began) / 1000)} s: ${JSON.stringify(report.statuses)}`,
    );
    broken.push(...report.faults);
    print(
      `an honest visitor: p99 ${p99(taken).toFixed(1)} ms, ${(p99(taken) / quietMsP99).toFixed(1)} × quiet; longest ${taken.at(-1)?.toFixed(0)} ms`,
    );
    if (p99(taken) > 3 * quietMsP99) broken.push("an honest visitor waited more than three times as long");

    for (const second of [20, 40, 60]) {
      await sleep(20_000);
      print(`memory: at most ${most.toFixed(0)} MB, ${second} s later ${residentMegabytes(site.pid()).toFixed(0)} MB`);
    }
    const after = residentMegabytes(site.pid());
    if (after > 1.2 * before) broken.push(`memory stays at ${after.toFixed(0)} MB`);
    const errors = readFileSync(site.logFile, "utf8")
      .split("\n")
      .filter((line) => /"level":[56]0/.test(line));
    broken.push(...errors.map((line) => `logged: ${line.slice(0, 400)}`));
    const books = faultsOf(await compareBooks(pool, await simulator.listLedger()));
    print(`the books: ${JSON.stringify(books)}`);
  } finally {
    await target.close();
  }
  for (const line of broken) print(`FAULT ${line}`);
  print(
    broken.length === 0
      ? "0 faults"
      : `${broken.length} faults; again with: npm run test:long -- fuzz ${count} ${seed}`,
  );
  return broken.length === 0;
}
