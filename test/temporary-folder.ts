import { accessSync, constants, statfsSync } from "node:fs";
import { freemem } from "node:os";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Lets tests keep their databases and folders in memory where there is plenty of it: creating a database's thousand
 * files costs a disk's file system ten times as much. Programs that the tests start follow.
 */
export function keepTemporaryFilesInMemory(): void {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) > ENOUGH_BYTES) process.env.TMPDIR = MEMORY;
  } catch {
    // There is no such folder: files go where they always do.
  }
}
