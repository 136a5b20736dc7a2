import { lookup } from "node:dns/promises";
import { existsSync, readFileSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { clockIn } from "#shared/language.ts";

/** What the doctor reads of the machine. */
export type Machine = {
  readonly nodeVersion: string;
  /** Shares between 0 and 1 of the disk that holds a folder; null for inodes if the file system has no limit. */
  readonly readDisk: (folder: string) => Promise<{ readonly free: number; readonly freeInodes: number | null }>;
  /** The share of memory that programs can still have; null if the system does not say. */
  readonly readMemory: () => number | null;
  /** How many files a process may have open; null if the system does not say. */
  readonly readFileLimit: () => number | null;
  /** The permissions of a file, such as 0o600; null if it does not exist. */
  readonly readMode: (file: string) => number | null;
  /** Which device holds a path; null if it does not exist. */
  readonly readDevice: (path: string) => number | null;
  /** The IP address that a name leads to. */
  readonly findAddress: (name: string) => Promise<string>;
  /** A moment in Sydney, with its offset. */
  readonly formatTime: (at: Date) => string;
};

const readText = (file: string) => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

export const thisMachine: Machine = {
  nodeVersion: process.versions.node,
  findAddress: async (name) => (await lookup(name)).address,
  async readDisk(folder) {
    const { bavail, blocks, ffree, files } = await statfs(folder);
    return { free: bavail / blocks, freeInodes: files > 0 ? ffree / files : null };
  },
  readMemory() {
    const text = readText("/proc/meminfo");
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]);
    const share = read("MemAvailable") / read("MemTotal");
    return Number.isFinite(share) ? share : null;
  },
  readFileLimit() {
    const limit = /^Max open files\s+(\d+)/m.exec(readText("/proc/self/limits"))?.[1];
    return limit === undefined ? null : Number(limit);
  },
  readMode: (file) => (existsSync(file) ? statSync(file).mode & 0o777 : null),
  readDevice: (path) => (existsSync(path) ? statSync(path).dev : null),
  formatTime: (at) => clockIn("Australia/Sydney", at),
};
