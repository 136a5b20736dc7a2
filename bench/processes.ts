import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A server that we start, on its own port. */
export type RunningProcess = {
  readonly url: string;
  readonly pid: number;
  readonly startMs: number;
  stop(): Promise<void>;
};

type Command = {
  readonly program: string;
  readonly args: readonly string[];
  readonly port: number;
  /** The address that answers 200 once it is ready. */
  readonly readyPath: string;
  readonly logFile: string;
  readonly environment?: Record<string, string>;
};

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Starts a program and times it to its first answer. @throws if it ends first. */
export async function run({ program, args, port, readyPath, logFile, environment }: Command): Promise<RunningProcess> {
  const log = openSync(logFile, "a");
  const began = performance.now();
  const child = spawn(program, args, { stdio: ["ignore", log, log], env: { ...process.env, ...environment } });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url + readyPath))) {
    if (child.exitCode !== null) throw new Error(`${program} ended. ${readFileSync(logFile, "utf8").slice(-600)}`);
    await sleep(5);
  }
  return { url, pid: child.pid!, startMs: performance.now() - began, stop: () => end(child) };
}

/** Not with `fetch`, which takes more of the processors from the program that starts. */
function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, (response) => resolve(response.resume().statusCode === 200)).once("error", () => resolve(false));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exited;
}

/** Seconds of processor time of a process and its threads. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Seconds of processor time of a process's first thread: in Node the one that answers. */
export function mainThreadSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Megabytes of memory of a process. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** Two adjacent free ports: a site uses the one above its own for its simulators. */
export async function findFreePorts(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** `share` of the values are below it. */
export function quantile(values: readonly number[], share: number): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}
