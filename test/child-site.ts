import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import processSettings from "#app/process-settings.json" with { type: "json" };

export type ChildSite = {
  /** `http://127.0.0.1:PORT`, the same after each restart. */
  readonly url: string;
  /** Everything it has logged, across restarts. */
  readonly logFile: string;
  readonly pid: () => number;
  /** Every registered route, as 'GET /path', once it has started. */
  readonly routes: () => readonly string[];
  /** Starts the server, overriding settings with `environment`, and waits until it is ready. @throws if it ends first. */
  start(environment?: Record<string, string>): Promise<void>;
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  restart(environment?: Record<string, string>): Promise<void>;
  /** Whether the process exits without being killed within `milliseconds`, a minute unless told otherwise. */
  hasDied(milliseconds?: number): Promise<boolean>;
  /** The signal that ended its last process, if any. */
  readonly signal: () => NodeJS.Signals | null;
  /** Unrequested exits after it had been ready. */
  readonly failures: readonly string[];
  /** Ends it gracefully, as a supervisor would. */
  stop(): Promise<void>;
};

type ChildSiteOptions = {
  readonly databaseUrl: string;
  /** The simulators' REST base. */
  readonly paywayUrl: string;
  /** The folder for its log and secrets. */
  readonly dataDir: string;
  readonly name?: string;
  readonly environment?: Record<string, string>;
  /** Serves pages too, which must have been built (`buildSiteWhenStale`). */
  readonly hasPages?: boolean;
  /** The folder of the source to run, if not this one. */
  readonly folder?: string;
};

/** These only end what hangs. */
const readyMs = 120_000;
const stoppedMs = 60_000;
/** Timeouts for tests of a whole process. A lease is two tries of 3 s, and 3 s more. */
export const shortDurations = {
  PROVIDER_TIMEOUT_MS: "1500",
  BRAINTREE_TIMEOUT_MS: "1500",
  CUSTOMER_WAIT_MS: "2500",
  UNKNOWN_GIVE_UP_S: "20",
  SETTLE_TICK_MS: "500",
} as const;

/** The timeouts of a real site. */
export const defaultDurations = Object.fromEntries(Object.keys(shortDurations).map((name) => [name, ""]));

/** Prepares the server as a separate process on a free port; `start` starts it. */
export async function createChildSite(options: ChildSiteOptions): Promise<ChildSite> {
  const folder = options.folder ?? join(import.meta.dirname, "..");
  const program = join(folder, "test/child-server.ts");
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(options.dataDir, `${options.name ?? "server"}.log`);
  const settings = {
    ...process.env,
    ...processSettings,
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port),
    DATA_DIR: options.dataDir,
    DATABASE_URL: options.databaseUrl,
    PAYWAY_URL: options.paywayUrl,
    CAPTCHA_COST: "1",
    TRUST_PROXY: "127.0.0.1",
    BRAINTREE_URL: new URL(options.paywayUrl).origin,
    // Faults are frequent here and must not affect other payments.
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
        cwd: folder,
        env: { ...settings, ...environment },
        // A file does not break as a pipe would; the channel ends the child if this process dies first.
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
        if (Date.now() > deadline)
          throw new Error(`The server was not ready within two minutes. ${lastLines(logFile)}`);
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
    async hasDied(milliseconds = stoppedMs) {
      await Promise.race([ended, sleep(milliseconds, undefined, { ref: false })]);
      return !isRunning();
    },
    async stop() {
      if (isRunning()) child!.kill("SIGTERM");
      if (!(await site.hasDied(stoppedMs))) await site.kill();
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

/** A port below the range of outgoing connections, so that nobody takes it while the server is down. */
export async function findFreePort(): Promise<number> {
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
