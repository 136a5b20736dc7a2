import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const MIN_LENGTH = 32;
const GIVE_FOLDER = "Give it to the account that runs this, or set DATA_DIR to another folder.";

/**
 * The site's secret, created on the first call and kept in the data folder, so that links and sessions survive a
 * restart.
 * @throws Error for the operator if the file is damaged or readable by other accounts.
 */
export function keepSecretKey(dataDir: string): string {
  const file = join(dataDir, "secret-key");
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`The data folder ${dataDir} cannot be made (${code}). ${GIVE_FOLDER}`, { cause });
  }
  if (!existsSync(file)) createSecretKey(file);
  const secretKey = readSecretKey(file);
  if (secretKey.length < MIN_LENGTH) {
    throw new Error(
      `${file} is damaged: it holds ${secretKey.length} characters and needs at least ${MIN_LENGTH}. Restore it from your backup. ` +
        "Without a backup, delete it: the site makes a new one, and links in emails sent so far stop working.",
    );
  }
  const mode = statSync(file).mode & 0o777;
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw new Error(`${file} can be read by other accounts (mode ${mode.toString(8)}). Run: chmod 600 ${file}`);
  }
  return secretKey;
}

function readSecretKey(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`${file} cannot be read (${code}). Run this as the account that runs the site.`, { cause });
  }
}

/** Writes the whole key or no file. A link, unlike a rename, never replaces a key from another process. */
function createSecretKey(file: string): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(descriptor, randomBytes(32).toString("base64url"));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    linkSync(draft, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") {
      const { code, message } = cause as NodeJS.ErrnoException;
      const isRefused = code === "EACCES" || code === "EPERM" || code === "EROFS";
      const reason = isRefused ? `${code}. ${GIVE_FOLDER}` : `${message}.`;
      throw new Error(`The secret key could not be written to ${file}: ${reason}`, { cause });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}
