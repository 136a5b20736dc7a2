import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tidyMemory } from "#app/tidy-memory.ts";

export type ChildSite = {
  /** `http://127.0.0.1:PORT`, the same for each of its lives. */
  readonly url: string;
  /** Everything that it logged, in all its lives. */
  readonly logFile: string;
  readonly pid: () => number;
  /** Every route that it has registered, as 'GET /path', once it has started. */
  readonly routes: () => readonly string[];
  /** Starts the server, with `environment` over its own, and waits until it is ready. @throws when it ended first. */
  start(environment?: Record<string, string>): Promise<void>;
  /** SIGKILL; returns when the process is gone. */
  kill(): Promise<void>;
  restart(environment?: Record<string, string>): Promise<void>;
  /** True when the process ended by itself within `milliseconds`. */
  hasDied(milliseconds: number): Promise<boolean>;
  /** What ended its last life, when a signal did. */
  readonly signal: () => NodeJS.Signals | null;
  /** How it ended by itself after it had been ready: exits that nobody asked for. */
  readonly failures: readonly string[];
  /** Ends it in order, as a supervisor would. */
  stop(): Promise<void>;
};

type ChildSiteOptions = {
  readonly databaseUrl: string;
  /** The simulators' REST base. */
  readonly paywayUrl: string;
  /** For its log and its secrets. */
  readonly dataDir: string;
  readonly name?: string;
  readonly environment?: Record<string, string>;
  /** Opens the pages too; they must have been built (`buildSiteWhenStale`). */
  readonly hasPages?: boolean;
};

const program = join(import.meta.dirname, "child-server.ts");
const readyMs = 30_000;
/** Servers are killed and started dozens of times: what the first of them compiled the others read. */
const compileCache = join(import.meta.dirname, "../node_modules/.cache/child-site");

/** The durations that tests of a whole process run with. A lease is two tries of 3 s and 3 s more. */
export const shortDurations = {
  PROVIDER_TIMEOUT_MS: "1500",
  BRAINTREE_TIMEOUT_MS: "1500",
  CUSTOMER_WAIT_MS: "2500",
  UNKNOWN_GIVE_UP_S: "20",
  SETTLE_TICK_MS: "500",
} as const;

/** The same as a running site has them. */
export const defaultDurations = Object.fromEntries(Object.keys(shortDurations).map((name) => [name, ""]));

/** Prepares the server as a process of its own on a free port; `start` starts it. */
export async function createChildSite(options: ChildSiteOptions): Promise<ChildSite> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(options.dataDir, `${options.name ?? "server"}.log`);
  const settings = {
    ...process.env,
    ...tidyMemory,
    NODE_COMPILE_CACHE: compileCache,
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port),
    DATA_DIR: options.dataDir,
    DATABASE_URL: options.databaseUrl,
    PAYWAY_URL: options.paywayUrl,
    CAPTCHA_COST: "1",
    TRUST_PROXY: "127.0.0.1",
    BRAINTREE_URL: new URL(options.paywayUrl).origin,
    // Faults are many here, and each payment is to live with its own.
    CIRCUIT_FAILURES: "100000",
    ...shortDurations,
    ...options.environment,
  };
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  let routes: readonly string[] = [];
  const failures: string[] = [];
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  const site: ChildSite = {
    url,
    logFile,
    pid: () => child!.pid!,
    routes: () => routes,
    failures,
    signal: () => child?.signalCode ?? null,
    async start(environment = {}) {
      const log = openSync(logFile, "a");
      const spawned = spawn(process.execPath, options.hasPages ? [program, "--pages"] : [program], {
        env: { ...settings, ...environment },
        // A file, which does not break as a pipe would; the channel ends the child should this process die first.
        stdio: ["ignore", log, log, "ipc"],
      });
      closeSync(log);
      child = spawned;
      spawned.once("message", (message) => {
        routes = (message as { routes: string[] }).routes;
      });
      ended = new Promise((resolve) => spawned.once("exit", () => resolve()));
      const deadline = Date.now() + readyMs;
      while (!(await isReady(url))) {
        if (!isRunning()) throw new Error(`The server ended before it was ready. ${lastLines(logFile)}`);
        if (Date.now() > deadline) throw new Error(`The server was not ready within 30 s. ${lastLines(logFile)}`);
        await sleep(20);
      }
      spawned.once("exit", (code) => {
        if (code !== null && code !== 0) failures.push(lastLines(logFile));
      });
    },
    async kill() {
      if (isRunning()) child!.kill("SIGKILL");
      await ended;
    },
    async restart(environment) {
      await site.kill();
      await site.start(environment);
    },
    async hasDied(milliseconds) {
      await Promise.race([ended, sleep(milliseconds, undefined, { ref: false })]);
      return !isRunning();
    },
    async stop() {
      if (isRunning()) child!.kill("SIGTERM");
      if (!(await site.hasDied(15_000))) await site.kill();
    },
  };
  return site;
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) })
    .then(async (response) => {
      await response.arrayBuffer();
      return response.ok;
    })
    .catch(() => false);
}

/** Below the range that outgoing connections take theirs from, so that nobody has it while the server is down. */
async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

function lastLines(file: string): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-6).join("\n");
}
