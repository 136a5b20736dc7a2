import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import "./tables.ts";

/** What holds for a setting, and who made it so: nobody that we know if it was SQL, or if nothing was ever changed. */
export type SettingVersion = {
  /** 0 if nothing was ever changed. */
  readonly number: number;
  readonly value: unknown;
  readonly savedAt: Date | null;
  readonly savedBy: { readonly id: number; readonly name: string } | null;
};

/** Listed at once. */
const MAX_VERSIONS = 20;

type Row = {
  readonly number: number | null;
  readonly value: unknown;
  readonly saved_at: Date | null;
  readonly staff_id: number | null;
  readonly name: string;
  readonly changed_at: Date | null;
  readonly is_latest: boolean;
};

/** What holds now. What SQL has changed since the last version counts as the next one. */
export async function readSetting(connection: Connection, key: string): Promise<SettingVersion> {
  const { rows } = await sql<Row>`
    select latest.number, coalesce(live.value, '{}') as value, latest.saved_at, staff.id as staff_id,
      coalesce(staff.name, '') as name, live.updated_at as changed_at,
      coalesce(live.value, '{}') = coalesce(latest.value, '{}') as is_latest
      from (values (${key})) as wanted (key)
      left join site_settings live using (key)
      left join lateral (select * from setting_versions version where version.key = wanted.key
        order by number desc limit 1) latest on true
      left join staff on staff.id = latest.saved_by`.execute(connection);
  const { number, value, saved_at: savedAt, staff_id: staffId, name, changed_at, is_latest } = rows[0]!;
  if (!is_latest) return { number: (number ?? 0) + 1, value, savedAt: changed_at, savedBy: null };
  return { number: number ?? 0, value, savedAt, savedBy: staffId === null ? null : { id: staffId, name } };
}

function findVersion(connection: Connection, key: string, number: number) {
  return connection
    .selectFrom("setting_versions")
    .select("value")
    .where("key", "=", key)
    .where("number", "=", number)
    .executeTakeFirst();
}

/** Reads it and keeps others from changing it until the transaction ends. What SQL has changed becomes a version. */
export async function lockSetting(transaction: Connection, key: string, at: Date): Promise<SettingVersion> {
  await sql`select pg_advisory_xact_lock(hashtext(${`setting ${key}`}))`.execute(transaction);
  const current = await readSetting(transaction, key);
  const isKept = current.number === 0 || (await findVersion(transaction, key, current.number)) !== undefined;
  if (!isKept) await addVersion(transaction, key, { ...current, by: null, at: current.savedAt ?? at });
  return current;
}

export type ListedVersion = SettingVersion & { readonly savedAt: Date };

/** The last versions, newest first. */
export async function listSettingVersions(connection: Connection, key: string): Promise<ListedVersion[]> {
  const rows = await connection
    .selectFrom("setting_versions")
    .leftJoin("staff", "staff.id", "setting_versions.saved_by")
    .select(["number", "value", "saved_at as savedAt", "saved_by as id", "staff.name"])
    .where("key", "=", key)
    .orderBy("number", "desc")
    .limit(MAX_VERSIONS)
    .execute();
  return rows.map(({ number, value, savedAt, id, name }) => ({
    number,
    value,
    savedAt,
    savedBy: id === null ? null : { id, name: name ?? "" },
  }));
}

/** The value of an earlier version; null if there is none with this number. */
export async function findSettingValue(connection: Connection, key: string, number: number): Promise<unknown> {
  return number === 0 ? {} : ((await findVersion(connection, key, number))?.value ?? null);
}

type Change = { readonly value: unknown; readonly by: number; readonly at: Date };

/** Makes a value hold, as the version after the one that was locked; every process is told. Returns its number. */
export async function writeSetting(
  transaction: Connection,
  key: string,
  { value, by, at, over }: Change & { readonly over: number },
): Promise<number> {
  await addVersion(transaction, key, { number: over + 1, value, by, at });
  await transaction
    .insertInto("site_settings")
    .values({ key, value: JSON.stringify(value), updated_at: at })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet((row) => ({ value: row.ref("excluded.value"), updated_at: row.ref("excluded.updated_at") })),
    )
    .execute();
  return over + 1;
}

function addVersion(
  transaction: Connection,
  key: string,
  { number, value, by, at }: Omit<Change, "by"> & { readonly number: number; readonly by: number | null },
) {
  return transaction
    .insertInto("setting_versions")
    .values({ key, number, value: JSON.stringify(value), saved_at: at, saved_by: by })
    .execute();
}
