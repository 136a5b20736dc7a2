import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const sqliteBusy = 5;

/**
 * Runs `work` while no other process or caller holds the lock of that file.
 * The kernel frees the lock when its holder dies, even by kill -9: in Node only SQLite offers such a lock.
 * @param patienceMs how long to wait for the others
 * @throws Error if the others are not done by then
 */
export async function withFileLock<Result>(
  file: string,
  patienceMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = open(file);
  try {
    const deadline = Date.now() + patienceMs;
    while (!tryToEnter(lock)) {
      if (Date.now() > deadline) throw new Error(`Another process has held ${file} for ${patienceMs / 1000} s.`);
      await sleep(20);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function open(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (cause) {
    throw new Error(`${file} cannot be opened for writing. Give it to the user who runs this`, { cause });
  }
}

function tryToEnter(lock: DatabaseSync): boolean {
  try {
    // With a journal on disk every kill would leave one beside the file.
    lock.exec("pragma journal_mode = memory; begin exclusive");
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === sqliteBusy) return false;
    throw error;
  }
}
