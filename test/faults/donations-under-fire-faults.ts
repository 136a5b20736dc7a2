import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findPostmaster } from "#database/embedded/postmaster.ts";
import { crashPoints, refundCrashPoints } from "#payments/crash-points.ts";
import type { SimulatorControl } from "#simulators/control.ts";
import type { ChildSite } from "#test/child-site.ts";

/** Where the server is killed. A refund is asked for by staff's own process, so it never dies of `refund_requested`. */
const serverCrashPoints = [
  ...crashPoints,
  ...refundCrashPoints.filter((point) => point !== "refund_requested"),
] as const;
type ServerCrashPoint = (typeof serverCrashPoints)[number];

/** How often the server died, by crash point or at a random moment. */
export type Deaths = Readonly<Record<ServerCrashPoint | "random", number>>;

/** Shares of all charge calls, 20 % together: late, never, garbled, refused, broken before and after the charge. */
const faults = [
  { do: "slow", ms: 700, share: 0.02 },
  { do: "slow", ms: 2500, share: 0.02 },
  { do: "hang_before", share: 0.02 },
  { do: "hang_after", share: 0.02 },
  { do: "malformed_after", share: 0.01 },
  { do: "truncated_after", share: 0.01 },
  { do: "html_200_after", share: 0.01 },
  { do: "empty_201_after", share: 0.01 },
  { do: "error_500_before", share: 0.02 },
  { do: "error_500_after", share: 0.01 },
  { do: "error_503", share: 0.01 },
  { do: "error_429", share: 0.01 },
  { do: "decline", share: 0.03 },
] as const;

/** Shares of all refunds and voids. */
const refundFaults = [
  { do: "hang_before", share: 0.03 },
  { do: "hang_after", share: 0.04 },
  { do: "reset_after", share: 0.03 },
  { do: "error_500_after", share: 0.03 },
  { do: "error_503", share: 0.03 },
  { do: "malformed_after", share: 0.02 },
] as const;

export async function installFaults(simulator: SimulatorControl, random: () => number): Promise<void> {
  const install = async (op: string, { share, ...fault }: (typeof faults | typeof refundFaults)[number]) => {
    const seed = Math.floor(random() * 2 ** 31);
    await simulator.installFault({ ...fault, match: { op, share }, seed });
  };
  for (const fault of faults) await install("charge", fault);
  for (const fault of refundFaults) for (const op of ["refund", "void"]) await install(op, fault);
}

/** How hard it burns. */
export type Fire = {
  /** The server dies about so often. */
  readonly killEveryMs: number;
  readonly databaseRestarts: number;
  /** A round is each crash point and three random moments. Without a number they go on until the last donation is sent. */
  readonly rounds?: number;
};

type RageOptions = Fire & { readonly site: ChildSite; readonly dataDir: string; readonly random: () => number };

export type Rage = ReturnType<typeof rage>;

/** Kills the server, at each crash point and at random moments in between, and the database, until it is stopped. */
export function rage({
  site,
  dataDir,
  random,
  killEveryMs,
  databaseRestarts,
  rounds = Number.POSITIVE_INFINITY,
}: RageOptions) {
  const deaths = noDeaths();
  const answers: Record<string, number> = {};
  let isStopping = false;
  let restarted = 0;

  /** One life of the server, to its end at the crash point; false when it did not get there in time. */
  async function liveUntil(point: ServerCrashPoint): Promise<boolean> {
    const nth = point.startsWith("refund") ? 1 : 1 + Math.floor(random() * 4);
    const isUp = await startAgain(site, { CRASH_POINT: `${point}:${nth}` });
    const hasDied = !isUp || (await site.hasDied(killEveryMs + 4000));
    await site.kill();
    return hasDied;
  }

  async function run() {
    for (let round = 0; round < rounds; round += 1) {
      const ways = shuffled([...serverCrashPoints, "random", "random", "random"] as const, random);
      for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
        if (isStopping) return;
        if (way === "random") {
          await startAgain(site, {});
          await sleep(killEveryMs * (0.5 + random()));
          await site.kill();
          deaths.random += 1;
        } else if (await liveUntil(way)) {
          deaths[way] += 1;
        } else {
          ways.push(way);
        }
      }
    }
    await startAgain(site, {});
    while (!isStopping) if (await site.hasDied(100)) await startAgain(site, {});
  }

  const running = site.kill().then(run);
  running.catch(() => undefined);
  return {
    answers: answers as Readonly<Record<string, number>>,
    countAnswer: (status: number) => {
      answers[status] = (answers[status] ?? 0) + 1;
    },
    /** Whether each crash point has been met at least once. */
    hasDoneAll: () => serverCrashPoints.every((point) => deaths[point] > 0) && restarted >= databaseRestarts,
    /** `share` of the donations are sent: the database is restarted at even distances. */
    tellProgress: (share: number) => {
      if (restarted >= databaseRestarts || share < (restarted + 1) / (databaseRestarts + 1)) return;
      restarted += 1;
      stopDatabaseImmediately(dataDir);
    },
    describe: () =>
      `${Object.entries(deaths)
        .map(([way, count]) => `${way} ${count}`)
        .join(", ")}, database ${restarted}`,
    stop: async () => {
      isStopping = true;
      await running;
      return { deaths: deaths as Deaths, databaseRestarts: restarted };
    },
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** The same levers where nothing burns. */
export function peace(): Rage {
  return {
    answers: {},
    countAnswer: () => {},
    hasDoneAll: () => true,
    tellProgress: () => {},
    describe: () => "no fire",
    stop: async () => ({ deaths: noDeaths(), databaseRestarts: 0 }),
  };
}

function noDeaths() {
  return Object.fromEntries([...serverCrashPoints, "random"].map((way) => [way, 0])) as Record<keyof Deaths, number>;
}

/** Starts the server as a supervisor would, again while the database is away; false when it was killed on its way. */
async function startAgain(site: ChildSite, environment: Record<string, string>): Promise<boolean> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      await site.restart(environment);
      return true;
    } catch (error) {
      if (site.signal() === "SIGKILL") return false;
      if (Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** What `pg_ctl stop -m immediate` does; the launcher of this process starts the server again. */
function stopDatabaseImmediately(dataDir: string) {
  const postmaster = findPostmaster(join(dataDir, "postgres", "data"));
  if (postmaster?.isRunning) process.kill(postmaster.pid, "SIGQUIT");
}
