import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findPostmaster, isProcessRunning } from "#database/embedded/postmaster.ts";
import { removeSocketDirectory } from "#database/embedded/socket-directory.ts";
import { startEmbeddedDatabase } from "#database/embedded.ts";

const program = join(import.meta.dirname, "embedded-process.ts");
const temporary: string[] = [];
const processes: ChildProcess[] = [];
let template: string | undefined;

export type SystemUser = {
  readonly process: ChildProcess;
  readonly url: string;
  readonly isOwner: boolean;
  readonly recovered: string | null;
  readonly milliseconds: number;
};

/** A folder that `cleanUp` removes. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "embedded-test-"));
  temporary.push(folder);
  return folder;
}

/** A DATA_DIR with a copy of a database that was shut down, which is quicker than creating one. */
export async function makeDataDir(under = makeFolder()): Promise<string> {
  if (!template) {
    template = mkdtempSync(join(tmpdir(), "embedded-test-"));
    await (await startEmbeddedDatabase({ dataDir: template })).stop();
  }
  const dataDir = join(under, "data");
  mkdirSync(join(dataDir, "postgres"), { recursive: true });
  cpSync(join(template, "postgres", "data"), join(dataDir, "postgres", "data"), { recursive: true });
  chmodSync(join(dataDir, "postgres", "data"), 0o700);
  return dataDir;
}

/** Starts another process that uses the database, in its own process group, and waits for its report. */
export async function startUser(dataDir: string, file?: string, options: SpawnOptions = {}): Promise<SystemUser> {
  const child = spawnUser(dataDir, file, options);
  const said = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout!.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text);
    });
    child.once("exit", () => (text ? resolve(text) : reject(new Error("The process ended without a report."))));
  });
  const user = JSON.parse(said);
  if (user.error) throw new Error(user.error);
  return { ...user, process: child };
}

/** A process of its own group that uses the database, without waiting for its report; `cleanUp` ends it. */
export function spawnUser(dataDir: string, file?: string, options: SpawnOptions = {}): ChildProcess {
  const child = spawn(process.execPath, [program, dataDir, ...(file ? [file] : [])], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
    ...options,
  });
  processes.push(child);
  return child;
}

/** Ends a process and its group, as Ctrl-C or an impatient supervisor would, and waits until it has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  process.kill(-child.pid!, signal);
  await exited;
}

export function postmasterOf(dataDir: string) {
  return findPostmaster(join(dataDir, "postgres", "data"));
}

/** The numbers on the complete lines of a file; a process that was killed may leave half a line. */
export function readNumbers(file: string): number[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter(Boolean)
    .map(Number);
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** @throws after 30 s in which the claim did not come true. */
export async function until(claim: string, isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error(`Waited 30 s in vain until ${claim}.`);
    await sleep(5);
  }
}

/** Removes all processes and folders, whether or not the test passed. */
export async function cleanUp(): Promise<void> {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
  for (const folder of temporary.splice(0)) {
    for (const data of [join(folder, "data"), folder]) await killServer(data);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** The next file of the same worker makes its own. */
export function removeTemplate(): void {
  if (template) rmSync(template, { recursive: true, force: true });
  template = undefined;
}

async function killServer(dataDir: string) {
  const postmaster = postmasterOf(dataDir);
  if (!postmaster) return;
  if (postmaster.isRunning) {
    process.kill(postmaster.pid, "SIGQUIT");
    await until("the server has ended", () => !isProcessRunning(postmaster.pid));
  }
  removeSocketDirectory(postmaster.socketDirectory);
}
