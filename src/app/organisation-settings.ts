import type { FastifyBaseLogger } from "fastify";
import type { Database } from "#shared/database/connect.ts";
import { ORGANISATION_SETTING, Organisation, withChanges } from "#shared/organisation.ts";

/**
 * The organisation's details (LAY-10): the file's values, overridden by `site_settings`. `refresh` reads the override
 * again; an invalid one is logged and ignored, so that a slip never takes the site down.
 */
export function createOrganisation({
  database,
  base,
  log,
}: {
  database: Database;
  base: Organisation;
  log: FastifyBaseLogger;
}) {
  let current = base;
  return {
    current: () => current,
    async refresh(): Promise<void> {
      const row = await database
        .selectFrom("site_settings")
        .select("value")
        .where("key", "=", ORGANISATION_SETTING)
        .executeTakeFirst();
      const merged = Organisation.safeParse(withChanges(base, row?.value ?? {}));
      if (merged.success) current = merged.data;
      else log.error({ issues: merged.error.issues }, "the organisation's settings in the database are invalid");
    },
  };
}
