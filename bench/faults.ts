import { randomInt } from "node:crypto";
import { runChaos } from "#test/faults/donations-chaos.ts";

const [seed = String(randomInt(2 ** 31)), donations = "10000", durations = "short"] = process.argv.slice(2);
const print = (line: string) => process.stdout.write(`${line}\n`);

const { breaches, deaths, answers, ...report } = await runChaos({
  seed: Number(seed),
  donations: Number(donations),
  clients: 8,
  payPalShare: 0.4,
  hasDefaultDurations: durations === "default",
  refundShare: 0.1,
  chaos: { killEveryMs: 3000, databaseRestarts: Math.max(2, Math.round(Number(donations) / 100)) },
  log: print,
});

for (const [name, value] of Object.entries({ ...report, ...deaths })) print(`${name.padEnd(20)} ${value}`);
print(
  `${"answers".padEnd(20)} ${Object.entries(answers)
    .map(([status, count]) => `${status} × ${count}`)
    .join(", ")}`,
);
const names = Object.keys(breaches);
for (const name of names) print(`BREACH ${name}: ${breaches[name]!.length} ${breaches[name]!.slice(0, 5).join(" ")}`);
if (report.settledMs > 60_000 || names.length > 0) process.exitCode = 1;
print(
  process.exitCode === 1
    ? `Broken promises; again with: npm run bench:faults -- ${seed}`
    : "0 lost, 0 charged twice, 0 charged without a donation",
);
