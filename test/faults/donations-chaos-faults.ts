import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findPostmaster } from "#database/embedded/postmaster.ts";
import { crashPoints, refundCrashPoints } from "#payments/crash-points.ts";
import type { SimulatorControl } from "#simulators/control.ts";
import type { ChildSite } from "../child-site.ts";

/** Where the server is killed. Staff request refunds in another process, so it never reaches `refund_requested`. */
const serverCrashPoints = [
  ...crashPoints,
  ...refundCrashPoints.filter((point) => point !== "refund_requested"),
] as const;
type ServerCrashPoint = (typeof serverCrashPoints)[number];

/** How often the server died, by crash point or at a random moment. */
export type Deaths = Readonly<Record<ServerCrashPoint | "random", number>>;

/** Shares of all charge calls, 20 % in total: late, lost, garbled, refused, broken before and after the charge. */
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

/** Installs the faults of charges, refunds and voids, with seeds drawn from `random`. */
export async function installFaults(simulator: SimulatorControl, random: () => number): Promise<void> {
  const install = async (op: string, { share, ...fault }: (typeof faults | typeof refundFaults)[number]) => {
    const seed = Math.floor(random() * 2 ** 31);
    await simulator.installFault({ ...fault, match: { op, share }, seed });
  };
  for (const fault of faults) await install("charge", fault);
  for (const fault of refundFaults) for (const op of ["refund", "void"]) await install(op, fault);
}

/** How much fails. */
export type ChaosSettings = {
  /** Milliseconds between kills of the server, on average. */
  readonly killEveryMs: number;
  readonly databaseRestarts: number;
  /** The crash points to kill it at; all of them unless given. */
  readonly points?: readonly ServerCrashPoint[];
  /** A round kills at each point and at three random moments. Without a number, rounds go on until all donations are sent. */
  readonly rounds?: number;
};

type InjectionOptions = ChaosSettings & {
  readonly site: ChildSite;
  readonly dataDir: string;
  readonly random: () => number;
};

export type FaultInjection = ReturnType<typeof injectFaults>;

/** Kills the server, at each crash point and at random moments, and restarts the database, until it is stopped. */
export function injectFaults({
  site,
  dataDir,
  random,
  killEveryMs,
  databaseRestarts,
  points = serverCrashPoints,
  rounds = Number.POSITIVE_INFINITY,
}: InjectionOptions) {
  const deaths = noDeaths();
  const answers: Record<string, number> = {};
  let isStopping = false;
  let restarted = 0;

  /** Runs the server up to the crash point; false if it did not get there in time. */
  async function liveUntil(point: ServerCrashPoint): Promise<boolean> {
    const nth = point.startsWith("refund") ? 1 : 1 + Math.floor(random() * 4);
    const isUp = await startAgain(site, { CRASH_POINT: `${point}:${nth}` });
    const hasDied = !isUp || (await site.hasDied(killEveryMs + 4000));
    await site.kill();
    return hasDied;
  }

  async function run() {
    for (let round = 0; round < rounds; round += 1) {
      const ways = shuffled([...points, "random", "random", "random"] as const, random);
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
    /** Whether each point has been met at least once. */
    hasDoneAll: () => points.every((point) => deaths[point] > 0) && restarted >= databaseRestarts,
    /** Restarts the database at even intervals; `share` of the donations are sent. */
    noteProgress: (share: number) => {
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

/** The same controls, without any faults. */
export function injectNothing(): FaultInjection {
  return {
    answers: {},
    countAnswer: () => {},
    hasDoneAll: () => true,
    noteProgress: () => {},
    describe: () => "no faults",
    stop: async () => ({ deaths: noDeaths(), databaseRestarts: 0 }),
  };
}

function noDeaths() {
  return Object.fromEntries([...serverCrashPoints, "random"].map((way) => [way, 0])) as Record<keyof Deaths, number>;
}

/** Starts the server as a supervisor would, retrying while the database is down; false if it was killed while starting. */
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

/** Does what `pg_ctl stop -m immediate` does; this process's launcher restarts the server. */
function stopDatabaseImmediately(dataDir: string) {
  const postmaster = findPostmaster(join(dataDir, "postgres", "data"));
  if (postmaster?.isRunning) process.kill(postmaster.pid, "SIGQUIT");
}
