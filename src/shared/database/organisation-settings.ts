import type { FastifyBaseLogger } from "fastify";
import { Organisation } from "#shared/organisation.ts";
import type { Database } from "./connect.ts";

const settingsKey = "organisation";

/**
 * The organisation as everybody reads it (LAY-10): the file's values, overridden by `site_settings`. `refresh` reads the
 * override again; one that does not validate is logged and left out, so that a slip never takes the site down.
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
        .where("key", "=", settingsKey)
        .executeTakeFirst();
      const merged = Organisation.safeParse(merge(base, row?.value ?? {}));
      if (merged.success) current = merged.data;
      else log.error({ issues: merged.error.issues }, "the organisation's settings in the database are not valid");
    },
  };
}

/** Objects are merged name by name; anything else replaces what was there. */
function merge(base: unknown, override: unknown): unknown {
  if (!isRecord(base) || !isRecord(override)) return override;
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(override)) merged[name] = merge(base[name], value);
  return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
