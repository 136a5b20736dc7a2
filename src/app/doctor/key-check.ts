import { createHmac } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "#shared/database/connect.ts";
import { type Check, configOf, fail, note, ok, readSiteSetting } from "./check.ts";

/** The row of `site_settings` that tells secret keys apart. */
const KEY_SETTING = "secret-key-mark";

/** The same for the same key, and nothing that helps to find it. */
const markOf = (secretKey: string) => createHmac("sha256", secretKey).update("which key").digest("hex").slice(0, 16);

/** Notes which secret key a process has that starts, for the doctor to compare. Returns whether it was another before. */
export async function noteSecretKey(database: Database, secretKey: string): Promise<boolean> {
  const { rows } = await sql<{ isChanged: boolean }>`
    with before as (select value from site_settings where key = ${KEY_SETTING})
    insert into site_settings (key, value) values (${KEY_SETTING}, ${JSON.stringify(markOf(secretKey))}::jsonb)
    on conflict (key) do update set value = excluded.value
     where site_settings.value <> excluded.value
    returning exists (select from before) as "isChanged"`.execute(database);
  return rows[0]?.isChanged === true;
}

export const keyCheck: Check = {
  id: "settings.secret-key",
  about: "The doctor has the same secret key as the process of the site that started last",
  async run(context) {
    const { secretKey } = configOf(context);
    const noted = await readSiteSetting(context, KEY_SETTING);
    if (noted === undefined) return note("No process has noted its secret key yet.", "Start the site once.");
    if (noted === markOf(secretKey)) return ok("The secret key is the one that the site has.");
    return fail(
      "The process of the site that started last has another secret key.",
      "Give every process and command the same SECRET_KEY: otherwise people are logged out and links fail at random.",
    );
  },
};
