import { randomInt } from "node:crypto";
import { play } from "#test/states/run.ts";

const [seed = String(randomInt(2 ** 31)), steps = "1000000"] = process.argv.slice(2);
const print = (line: string) => process.stdout.write(`${line}\n`);

const startedAt = performance.now();
const { states, breach, ...counts } = play({ seed: Number(seed), steps: Number(steps) });
const seconds = (performance.now() - startedAt) / 1000;

for (const [name, value] of Object.entries({ ...counts, ...states })) print(`${name.padEnd(20)} ${value}`);
print(`${"seconds".padEnd(20)} ${seconds.toFixed(1)}`);
if (breach !== null) process.exitCode = 1;
print(
  breach === null
    ? "Every invariant held after every step."
    : `BREACH ${breach}; again with: npm run bench:states -- ${seed}`,
);
