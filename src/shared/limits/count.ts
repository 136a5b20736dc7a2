import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";

export type Window = {
  readonly most: number;
  readonly windowSeconds: number;
  readonly now: Date;
  /**
   * What passes begins the window anew, so that no stretch of that length, wherever it begins, has more than `most`.
   * Else the first one opens the window and what follows leaves it.
   */
  readonly isRenewed?: boolean;
};

/** Counts one act under a key in a single statement. Null when it may pass; otherwise how long until one may. */
export async function count(
  connection: Connection,
  key: string,
  { most, windowSeconds, now, isRenewed = false }: Window,
): Promise<{ retryAfterSeconds: number } | null> {
  const at = now.getTime();
  const { rows } = await sql<{ points: number; expire: number }>`
    insert into rate_limits as counted (key, points, expire) values (${key}, 1, ${at + windowSeconds * 1000})
    on conflict (key) do update set
      points = case when counted.expire <= ${at} then 1 else least(counted.points, ${most}) + 1 end,
      expire = case when counted.expire <= ${at} or (${isRenewed} and counted.points < ${most})
        then excluded.expire else counted.expire end
    returning points, expire`.execute(connection);
  const { points, expire } = rows[0]!;
  return points > most ? { retryAfterSeconds: Math.ceil((expire - at) / 1000) } : null;
}

/** How many acts stand under a key, and how long its window lasts; nothing is counted. */
export async function readCount(
  connection: Connection,
  key: string,
  now: Date,
): Promise<{ points: number; leftMs: number }> {
  const row = await connection
    .selectFrom("rate_limits")
    .select(["points", "expire"])
    .where("key", "=", key)
    .where("expire", ">", now.getTime())
    .executeTakeFirst();
  return row === undefined ? { points: 0, leftMs: 0 } : { points: row.points, leftMs: row.expire! - now.getTime() };
}

/** Removes what is over. */
export async function forgetOldCounts(connection: Connection, now: Date): Promise<void> {
  await connection.deleteFrom("rate_limits").where("expire", "<", now.getTime()).execute();
}

/**
 * Counts one act under a key and says how many there were, each within the window of the one before. For what a request
 * only claims: that many may make it dearer, but never refuse it.
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

/** Undoes one count under each key. */
export async function takeBack(connection: Connection, keys: readonly string[]): Promise<void> {
  await sql`update rate_limits set points = points - 1 where key = any(${[...keys]}) and points > 0`.execute(
    connection,
  );
}

export async function forgetCount(connection: Connection, key: string): Promise<void> {
  await connection.deleteFrom("rate_limits").where("key", "=", key).execute();
}
