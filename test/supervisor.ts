import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A user's numbers; none to stay who we are. */
export type Account = { readonly uid?: number; readonly gid?: number };

export type Supervised = {
  readonly pid: () => number;
  /** Ends it with SIGKILL; it is started again after `downMs`. */
  kill(downMs: number): void;
  /** Ends it for good. */
  stop(): Promise<void>;
};

const RESTART_MS = 1000;

/** Starts a program and, like systemd, starts it again a second after it has ended. Its log is `folder/name.log`. */
export function supervise(
  [program, ...args]: readonly [string, ...string[]],
  { folder, name, account, environment = {} }: SupervisedOptions,
): Supervised {
  let child: ChildProcess;
  let isOver = false;
  let downMs = RESTART_MS;
  const waiting = new AbortController();
  const runs = (async () => {
    while (!isOver) {
      const log = openSync(join(folder, `${name}.log`), "a");
      const env = { ...process.env, HOME: folder, PATH: `${process.env.PATH}:/usr/sbin`, ...environment };
      child = spawn(program, args, { stdio: ["ignore", log, log], cwd: folder, env, ...account });
      closeSync(log);
      await once(child, "exit");
      await sleep(isOver ? 0 : downMs, undefined, { signal: waiting.signal }).catch(() => undefined);
      downMs = RESTART_MS;
    }
  })();
  return {
    pid: () => child.pid!,
    kill(milliseconds) {
      downMs = milliseconds;
      child.kill("SIGKILL");
    },
    async stop() {
      isOver = true;
      waiting.abort();
      child.kill("SIGKILL");
      await runs;
    },
  };
}

type SupervisedOptions = {
  readonly folder: string;
  readonly name: string;
  readonly account: Account;
  readonly environment?: Readonly<Record<string, string>>;
};

/** A process and all that it has started. */
export function listTree(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), readParent(name)] as const);
  const tree = [pid];
  for (const parent of tree) tree.push(...parents.filter(([, of]) => of === parent).map(([child]) => child));
  return tree;
}

function readParent(pid: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ")[1]);
  } catch {
    // It has ended since it was listed.
    return undefined;
  }
}

/** Sends a signal to each that still runs. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
