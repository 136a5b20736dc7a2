import type { FastifyBaseLogger } from "fastify";
import type { Database } from "#shared/database/connect.ts";
import { Organisation } from "#shared/organisation.ts";

const settingsKey = "organisation";

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
        .where("key", "=", settingsKey)
        .executeTakeFirst();
      const merged = Organisation.safeParse(merge(base, row?.value ?? {}));
      if (merged.success) current = merged.data;
      else log.error({ issues: merged.error.issues }, "the organisation's settings in the database are invalid");
    },
  };
}

/** Merges objects key by key; any other value replaces the base. */
function merge(base: unknown, override: unknown): unknown {
  if (!isRecord(base) || !isRecord(override)) return override;
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(override)) merged[name] = merge(base[name], value);
  return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
