import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";

type Window = {
  readonly max: number;
  readonly windowSeconds: number;
  readonly now: Date;
  /** If true, each permitted act restarts the window, so that no such period has more than `max` acts. */
  readonly isRenewed?: boolean;
};

/** Counts an act under a key in one statement. Null if permitted; otherwise when to try again. */
export async function count(
  connection: Connection,
  key: string,
  { max, windowSeconds, now, isRenewed = false }: Window,
): Promise<{ retryAfterSeconds: number } | null> {
  const at = now.getTime();
  const { rows } = await sql<{ points: number; expire: number }>`
    insert into rate_limits as counted (key, points, expire) values (${key}, 1, ${at + windowSeconds * 1000})
    on conflict (key) do update set
      points = case when counted.expire <= ${at} then 1 else least(counted.points, ${max}) + 1 end,
      expire = case when counted.expire <= ${at} or (${isRenewed} and counted.points < ${max})
        then excluded.expire else counted.expire end
    returning points, expire`.execute(connection);
  const { points, expire } = rows[0]!;
  return points > max ? { retryAfterSeconds: Math.ceil((expire - at) / 1000) } : null;
}

/** Reads counts, and the rest of their windows, without counting; keys without a count are left out. */
export async function readCounts(
  connection: Connection,
  keys: readonly string[],
  now: Date,
): Promise<{ key: string; points: number; leftMs: number }[]> {
  const rows = await connection
    .selectFrom("rate_limits")
    .select(["key", "points", "expire"])
    .where("key", "=", sql<string>`any(${[...keys]})`)
    .where("expire", ">", now.getTime())
    .execute();
  return rows.map(({ key, points, expire }) => ({ key, points, leftMs: expire! - now.getTime() }));
}

/** Removes expired counts, at most `limit`. Returns how many. */
export async function forgetOldCounts(connection: Connection, now: Date, limit = 500): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_limits where key in (
      select key from rate_limits where expire < ${now.getTime()} order by expire limit ${limit} for update skip locked)`.execute(
    connection,
  );
  return Number(numAffectedRows);
}

/**
 * Counts an act and returns the count; each act extends the window. For unproven claims, such as an email address: they
 * may make a captcha harder, but never cause a refusal.
 */
export async function tally(
  connection: Connection,
  key: string,
  { windowSeconds, now }: Pick<Window, "windowSeconds" | "now">,
): Promise<number> {
  const at = now.getTime();
  const { rows } = await sql<{ points: number }>`
    insert into rate_limits as counted (key, points, expire) values (${key}, 1, ${at + windowSeconds * 1000})
    on conflict (key) do update set
      points = case when counted.expire <= ${at} then 1 else counted.points + 1 end, expire = excluded.expire
    returning points`.execute(connection);
  return rows[0]!.points;
}

/** Uncounts one act for each key. */
export async function takeBack(connection: Connection, keys: readonly string[]): Promise<void> {
  await sql`update rate_limits set points = points - 1 where key = any(${[...keys]}) and points > 0`.execute(
    connection,
  );
}

/** Resets the key's count. */
export async function forgetCount(connection: Connection, key: string): Promise<void> {
  await connection.deleteFrom("rate_limits").where("key", "=", key).execute();
}
