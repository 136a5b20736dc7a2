import { median } from "./processes.ts";

const warmUps = 20;

export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** The medians of this many rounds in milliseconds, both in turn, so that a slow moment affects both. */
export async function compare(
  ours: () => Promise<unknown>,
  reference: () => Promise<unknown>,
  rounds = 200,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds + warmUps; round += 1) {
    const pair = [await millisecondsOf(ours), await millisecondsOf(reference)] as const;
    if (round >= warmUps) pair.forEach((time, index) => void times[index]!.push(time));
  }
  return [median(times[0]), median(times[1])];
}
