import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * For commands that work on what is there, before they read the settings: that would make a data folder and a secret key
 * where there are none.
 * @throws Error if there is no embedded database in DATA_DIR, and no DATABASE_URL
 */
export function requireEmbeddedDatabase({ DATABASE_URL, DATA_DIR }: NodeJS.ProcessEnv): void {
  if (DATABASE_URL) return;
  const dataDir = resolve(DATA_DIR || "data");
  if (existsSync(join(dataDir, "postgres", "data", "PG_VERSION"))) return;
  throw new Error(
    `There is no database in ${dataDir}. Set DATA_DIR to the site's data folder, or DATABASE_URL, or start the site once.`,
  );
}
