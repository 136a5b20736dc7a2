import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Account } from "./account.ts";

const prefix = "almoner-socket-";
const socketName = ".s.PGSQL.5432";
// The kernel allows 107 bytes for a socket's path, macOS 103: far less than a DATA_DIR may have.
const MAX_PATH_BYTES = 100;

export function hasSocket(directory: string): boolean {
  return existsSync(join(directory, socketName));
}

/**
 * A private, empty folder with a short path for the server's socket, `wanted` again if possible, so that users of a
 * crashed server find its successor at the same address. Removes folders whose cluster was deleted.
 */
export function makeSocketDirectory(data: string, wanted: string | null, account: Account): string {
  const parent =
    [tmpdir(), "/tmp"].find((path) => Buffer.byteLength(join(path, `${prefix}XXXXXX`, socketName)) <= MAX_PATH_BYTES) ??
    "/tmp";
  const owners = [account.uid, process.getuid!()];
  removeAbandoned(parent, data, wanted, owners);
  const directory = wanted && takeAgain(data, wanted, owners) ? wanted : mkdtempSync(join(parent, prefix));
  if (!linkedData(directory, owners)) symlinkSync(data, join(directory, "data"));
  if (account.ids.uid !== undefined) chownSync(directory, account.ids.uid, account.ids.gid!);
  return directory;
}

/** Removes a folder that `makeSocketDirectory` made; leaves any other alone. */
export function removeSocketDirectory(directory: string): void {
  if (basename(directory).startsWith(prefix)) rmSync(directory, { recursive: true, force: true });
}

function takeAgain(data: string, wanted: string, owners: number[]): boolean {
  if (!basename(wanted).startsWith(prefix)) return false;
  try {
    if (!existsSync(wanted)) mkdirSync(wanted, { mode: 0o700 });
    else if (linkedData(wanted, owners) !== data) return false;
    // Its lock file names a dead process, whose id may be in use again.
    for (const name of [socketName, `${socketName}.lock`]) rmSync(join(wanted, name), { force: true });
    return true;
  } catch {
    return false;
  }
}

/** The caller holds the lock of `data` and knows that no server runs on it, so a failed start's folder is unused. */
function removeAbandoned(parent: string, data: string, wanted: string | null, owners: number[]): void {
  for (const name of readdirSync(parent).filter((name) => name.startsWith(prefix))) {
    const directory = join(parent, name);
    const served = linkedData(directory, owners);
    if (served && directory !== wanted && (served === data || !existsSync(served))) removeSocketDirectory(directory);
  }
}

/** The cluster that a socket folder serves; null for a folder that is not ours, as anybody may make one in /tmp. */
function linkedData(directory: string, owners: number[]): string | null {
  try {
    const found = lstatSync(directory);
    if (!found.isDirectory() || !owners.includes(found.uid)) return null;
    return readlinkSync(join(directory, "data"));
  } catch {
    return null;
  }
}
