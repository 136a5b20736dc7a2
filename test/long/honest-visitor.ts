import { setTimeout as sleep } from "node:timers/promises";

const pages = ["/", "/donation", "/events", "/api/checkout", "/api/categories", "/login"];

/** Somebody who reads pages all the while, about 70 a second. `end` resolves to how long each took, in milliseconds, shortest first. */
export function startVisit(url: string) {
  const taken: number[] = [];
  let isOver = false;
  const visiting = (async () => {
    for (let visit = 0; !isOver; visit += 1) {
      const began = performance.now();
      const isAnswered = await fetch(url + pages[visit % pages.length], {
        headers: { "x-forwarded-for": "203.0.113.5" },
      })
        .then(async (response) => (await response.arrayBuffer()) && response.ok)
        .catch(() => false);
      taken.push(isAnswered ? performance.now() - began : Number.POSITIVE_INFINITY);
      await sleep(10);
    }
  })();
  return {
    async end(): Promise<number[]> {
      isOver = true;
      await visiting;
      return taken.sort((one, other) => one - other);
    },
  };
}

/** What 99 of 100 did not exceed. */
export function p99(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
