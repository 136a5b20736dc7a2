import { randomInt } from "node:crypto";
import { runClusterChaos } from "#test/faults/cluster-chaos.ts";
import { whyNoCluster } from "#test/patroni.ts";
import { print } from "./table.ts";

/** From the loss of the primary to the next donation. */
const AGAIN_MS = 30_000;

const reason = whyNoCluster();
if (reason === undefined) await measure(process.argv.slice(2));
else print(reason);

async function measure([kills = "10", seed = String(randomInt(2 ** 31))]: string[]) {
  print(`seed ${seed}`);
  const report = await runClusterChaos({ kills: Number(kills), seed: Number(seed), log: print });
  const { breaches, answers, recoveries, ...counts } = report;
  for (const [name, value] of Object.entries(counts)) print(`${name.padEnd(20)} ${value}`);
  const statuses = Object.entries(answers).map(([status, count]) => `${status} × ${count}`);
  print(`${"answers".padEnd(20)} ${statuses.join(", ")}`);
  const slow = recoveries.filter(({ donationMs, orderMs }) => Math.max(donationMs, orderMs) > AGAIN_MS);
  for (const { loss } of slow) print(`BREACH after ${loss}: no donation or order for more than ${AGAIN_MS / 1000} s`);
  for (const [name, found] of Object.entries(breaches))
    print(`BREACH ${name}: ${found.length} ${found.slice(0, 5).join(" ")}`);
  if (slow.length > 0 || Object.keys(breaches).length > 0 || !Number.isFinite(report.settledMs)) {
    process.exitCode = 1;
    print(`Broken promises; again with: npm run bench:cluster -- ${kills} ${seed}`);
  } else print("0 acknowledged lost, 0 charged twice, no process restarted");
}
