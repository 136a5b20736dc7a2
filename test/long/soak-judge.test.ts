import { expect, test } from "vitest";
import { seededRandom } from "#shared/seeded-random.ts";
import { judgeSoak, type SoakSample } from "./soak-judge.ts";

/** An hour with a sample every five seconds; garbage collection moves memory up and down by 40 MB. */
function makeHour(seed: number, changes: (minutes: number) => Partial<SoakSample> = () => ({})): SoakSample[] {
  const random = seededRandom(seed);
  return Array.from({ length: 720 }, (_, index) => {
    const minutes = index / 12;
    const own = changes(minutes);
    const megabytes = (own.megabytes ?? 180) + (minutes < 8 ? 5 * minutes : 40) + 40 * random();
    return {
      minutes,
      files: 60 + Math.floor(20 * random()),
      eventLoopMs: 11 + 20 * random(),
      failures: 0,
      ...own,
      megabytes,
    };
  });
}

const seeds = Array.from({ length: 50 }, (_, seed) => seed + 1);

test("REL-11: an hour of noise and a warm-up are not a leak", () => {
  for (const seed of seeds) expect(judgeSoak(makeHour(seed), 0).faults, `seed ${seed}`).toEqual([]);
});

test("REL-11: leaks of 5 MB and 2 MB in ten minutes are found in the same noise", () => {
  for (const seed of seeds) {
    for (const leak of [5, 2]) {
      const { faults } = judgeSoak(
        makeHour(seed, (minutes) => ({ megabytes: 180 + (leak * minutes) / 10 })),
        0,
      );
      expect(faults, `seed ${seed}`).toEqual([expect.stringMatching(/^memory grows by \d\.\d MB in 10 min$/)]);
    }
  }
});

test("REL-11: files left open, a slow event loop, failures and unexpected answers are found", () => {
  const find = (changes: (minutes: number) => Partial<SoakSample>, unexpected = 0) =>
    judgeSoak(makeHour(1, changes), unexpected).faults;
  expect(find((minutes) => ({ files: 60 + Math.floor(minutes) }))[0]).toMatch(/^4\d more files are open$/);
  expect(find((minutes) => ({ eventLoopMs: minutes % 5 < 1 ? 80 : 12 }))[0]).toMatch(/^the event loop was slow/);
  expect(find((minutes) => (minutes > 59.5 ? { eventLoopMs: 300 } : {}))).toEqual([]);
  expect(find(() => ({ failures: 1 }))).toEqual(["1 answers of 5xx"]);
  expect(find(() => ({}), 2)).toEqual(["2 answers that were not expected, or none at all"]);
});

test("REL-11: a run without samples is no proof", () => {
  expect(judgeSoak([], 0).faults).toContain("too short to judge");
});
