import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findRunningSimulator } from "./running.ts";
import { fingerprint, readSettings } from "./settings.ts";

export type RunningSimulators = {
  /** `http://127.0.0.1:PORT`; PayWay's REST base is this plus `/payway/rest/v1`. */
  readonly url: string;
  /** Whether this process stops them, because it started them or took them over from a dead process. */
  readonly isOwner: boolean;
  /** Ends the simulators if this process owns them. */
  stop(): Promise<void>;
};

const STOPS_WITHIN_MS = 5000;

type StartOptions = {
  /** 0 for any free port. */
  readonly port: number;
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  /** Called when the process has been launched, before it answers. */
  readonly onLaunched?: () => void;
  /** Added to the simulators' environment, such as keys or `IDEMPOTENCY_MODE`. */
  readonly environment?: Readonly<Record<string, string>>;
};

/**
 * Starts the simulators as a separate process, which survives a SIGKILL of this one, and waits until they answer. Those of
 * a killed process are found on `port` and reused. Their output goes to `simulator.log` in `dataDir`.
 * @throws Error with a sentence for the operator if they do not start
 */
export async function startSimulators({
  port,
  dataDir,
  log = () => {},
  onLaunched = () => {},
  environment = {},
}: StartOptions): Promise<RunningSimulators> {
  const folder = path.resolve(dataDir);
  const childEnvironment = {
    ...process.env,
    ...environment,
    SIMULATOR_PORT: String(port),
    DATA_DIR: folder,
    SIMULATOR_OWNER_PID: String(process.pid),
  };
  const expected = fingerprint(readSettings(childEnvironment));

  const survivor = port === 0 ? null : await reuse(port, expected);
  if (survivor !== null) {
    log(`Simulators already run at ${survivor.url}`);
    return survivor;
  }
  mkdirSync(folder, { recursive: true });
  const logFile = path.join(folder, "simulator.log");
  const output = openSync(logFile, "a");
  // A file, because a pipe would break when this process is killed, and end the simulators too.
  const child = spawn(process.execPath, [fileURLToPath(new URL("main.ts", import.meta.url))], {
    detached: true,
    stdio: ["ignore", output, output, "ipc"],
    env: childEnvironment,
  });
  closeSync(output);
  onLaunched();
  const url = await waitForUrl(child);
  if (url === null) {
    // Another process may have started them at the same moment; ours has then exited quietly.
    const other = port === 0 ? null : await reuse(port, expected);
    if (other !== null) return other;
    throw new Error(`${lastLine(logFile)} See ${logFile}.`);
  }
  child.unref();
  log(`Simulators listen at ${url}`);
  return { url, isOwner: true, stop: () => stopChild(child) };
}

/** Our own process cannot be mistaken for another: it need not answer, which it may be too busy to do. */
async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.ref();
  child.kill("SIGTERM");
  await Promise.race([exited, pause(STOPS_WITHIN_MS, undefined, { ref: false })]);
  child.unref();
}

async function waitForUrl(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve, reject) => {
    child.on("message", (message) => {
      // Under `node --watch` the child also reports what it imports.
      if (typeof (message as { url?: unknown }).url === "string") resolve((message as { url: string }).url);
    });
    child.once("exit", () => resolve(null));
    child.once("error", reject);
  });
}

async function reuse(port: number, expected: string): Promise<RunningSimulators | null> {
  const running = await findRunningSimulator(port);
  if (running === null || running.fingerprint !== expected) return null;
  const url = `http://127.0.0.1:${port}`;
  if (running.ownerPid !== null && isAlive(running.ownerPid)) return { url, isOwner: false, stop: async () => {} };
  await fetch(`${url}/__sim/adopt`, { method: "POST", body: JSON.stringify({ ownerPid: process.pid }) });
  return { url, isOwner: true, stop: () => stopProcess(running.pid, url) };
}

/** Simulators that another process started. First checks who serves the port: they may be gone and their id reused. */
async function stopProcess(pid: number, url: string): Promise<void> {
  const port = Number(new URL(url).port);
  if ((await findRunningSimulator(port))?.pid !== pid) return;
  process.kill(pid, "SIGTERM");
  const deadline = Date.now() + STOPS_WITHIN_MS;
  while ((await findRunningSimulator(port))?.pid === pid && Date.now() < deadline) await pause(20);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function lastLine(file: string): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "The simulators did not start.";
}
