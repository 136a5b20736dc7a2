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

const MINIMUM_LENGTH = 32;

/**
 * The site's secret, created on the first call and kept in the data folder, so that links and sessions survive a
 * restart.
 * @throws Error for the operator if the file is damaged or readable by other accounts.
 */
export function keepSecretKey(dataDir: string): string {
  const file = join(dataDir, "secret-key");
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(file)) createSecretKey(file);
  const secretKey = readFileSync(file, "utf8").trim();
  if (secretKey.length < MINIMUM_LENGTH) {
    throw new Error(
      `${file} is damaged: it holds ${secretKey.length} characters and needs at least ${MINIMUM_LENGTH}. Restore it from your backup. ` +
        "Without a backup, delete it: the site makes a new one, and links in emails sent so far stop working.",
    );
  }
  const mode = statSync(file).mode & 0o777;
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw new Error(`${file} can be read by other accounts (mode ${mode.toString(8)}). Run: chmod 600 ${file}`);
  }
  return secretKey;
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
      throw new Error(`The secret key could not be written to ${file}: ${(cause as Error).message}.`, { cause });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}
