import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// A server creates the file and writes it in two steps, with microseconds between them.
const unfinishedMs = 1000;

/** The contents of `postmaster.pid`. `status` is `starting`, `ready`, `stopping` or empty. */
export type Postmaster = {
  readonly pid: number;
  readonly socketDirectory: string;
  readonly status: string;
  /** False if the process is dead or a zombie, or its id now belongs to another program. */
  readonly isRunning: boolean;
};

/** The server that holds the data folder, or that died holding it; null after a clean shutdown. */
export function findPostmaster(data: string): Postmaster | null {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return null;
  const lines = readLines(file);
  const pid = Math.abs(Number.parseInt(lines[0] ?? "", 10)) || 0;
  return { pid, socketDirectory: lines[4] ?? "", status: lines[7]?.trim() ?? "", isRunning: isServerOf(pid, data) };
}

/**
 * Makes a dead server's `postmaster.pid` acceptable to its successor if its process id now belongs to a zombie or another
 * program, or if it was killed before it wrote the id. The file stays: PostgreSQL trusts its parent's id, and still checks
 * by the file's shared-memory line whether any process of the old server lives.
 */
export function claimStalePidFile(data: string): void {
  const postmaster = findPostmaster(data);
  if (!postmaster || postmaster.isRunning) return;
  const file = join(data, "postmaster.pid");
  const isUnfinished = postmaster.pid === 0 && Date.now() - statSync(file).mtimeMs > unfinishedMs;
  if (!isUnfinished && !answersSignals(postmaster.pid)) return;
  writeFileSync(file, [process.pid, ...readLines(file).slice(1)].join("\n"));
}

/** True while the process runs; a zombie has ended, though it still answers signals. */
export function isProcessRunning(pid: number): boolean {
  return answersSignals(pid) && describeProcess(pid) !== null;
}

function isServerOf(pid: number, data: string): boolean {
  if (!answersSignals(pid)) return false;
  const found = describeProcess(pid);
  if (!found) return false;
  // The command has the folder's name at the start; the working folder follows if it is moved.
  return (
    found.command.includes(`postgres -D ${data} `) || (found.folder === data && found.command.includes("postgres -D "))
  );
}

function answersSignals(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Null for a zombie or a process that has ended. */
function describeProcess(pid: number): { command: string; folder: string | null } | null {
  try {
    if (process.platform !== "linux") {
      const line = execFileSync("ps", ["-ww", "-p", String(pid), "-o", "stat=,command="], { encoding: "utf8" }).trim();
      return line.startsWith("Z") ? null : { command: `${line} `, folder: null };
    }
    if (/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return null;
    return { command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "), folder: workingFolder(pid) };
  } catch {
    return null;
  }
}

function workingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null; // A process in another user namespace may hide it.
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return []; // The server has just removed it.
  }
}
