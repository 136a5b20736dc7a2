import type pg from "pg";
import { MIN_VERSION } from "#shared/database/explain-error.ts";

/** @throws Error with a sentence if the site cannot run on the database of that connection, whatever its content */
export async function requireFit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version') as version, current_setting('server_encoding') as encoding",
  );
  const { version, encoding } = rows[0]!;
  if (Number.parseInt(version, 10) < MIN_VERSION) {
    throw new Error(`PostgreSQL ${version} is too old. Upgrade it to ${MIN_VERSION} or newer.`);
  }
  if (encoding !== "UTF8") {
    throw new Error(
      `The database's encoding is ${encoding}. Create one with UTF8 (createdb --encoding UTF8 --template template0).`,
    );
  }
}
