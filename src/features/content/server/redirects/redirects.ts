import { sql } from "kysely";
import type { Connection } from "#shared/database/connect.ts";
import { pathOf } from "../known-paths.ts";
import { addressWithQuery, toRedirectPath } from "./redirect-path.ts";
import "../tables.ts";

export type Redirect = {
  readonly path: string;
  readonly target: string;
  /** The page had this address before. */
  readonly isMove: boolean;
  readonly madeAt: Date;
  readonly madeBy: string;
};

/** Where a path that nothing answers leads; null if nowhere. */
export async function findRedirect(connection: Connection, path: string): Promise<string | null> {
  const known = toRedirectPath(path);
  if (known === null) return null;
  const query = connection.selectFrom("redirects").select("target").where("path", "=", known);
  return (await query.executeTakeFirst())?.target ?? null;
}

/** Where an address with its query leads. */
export async function followRedirect(connection: Connection, pathAndQuery: string): Promise<string | null> {
  const [path = ""] = pathAndQuery.split("?", 1);
  const target = await findRedirect(connection, path);
  return target === null ? null : addressWithQuery(target, pathAndQuery.slice(path.length));
}

/** The newest first; one more than `limit` if there are more. */
export async function listRedirects(
  connection: Connection,
  { limit, offset }: { limit: number; offset: number },
): Promise<Redirect[]> {
  return connection
    .selectFrom("redirects")
    .innerJoin("staff", "staff.id", "redirects.made_by")
    .select(["path", "target", "is_move as isMove", "made_at as madeAt", "staff.name as madeBy"])
    .orderBy("made_at", "desc")
    .orderBy("path")
    .limit(limit + 1)
    .offset(offset)
    .execute();
}

type NewRedirect = {
  readonly path: string;
  readonly target: string;
  readonly isMove: boolean;
  readonly by: number;
  readonly at: Date;
};

/** Keeps others from changing redirects until the transaction ends. */
export async function lockRedirects(transaction: Connection): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('redirects'))`.execute(transaction);
}

/**
 * Lets a path lead to a target that something answers. What led to the path leads to the target now, and the target
 * leads nowhere else: one hop is always enough, and nothing goes round in circles. Redirects must be locked.
 */
export async function addRedirect(transaction: Connection, redirect: NewRedirect): Promise<void> {
  const { path, target, isMove, by, at } = redirect;
  await transaction
    .deleteFrom("redirects")
    .where("path", "=", toRedirectPath(pathOf(target)) ?? "")
    .execute();
  await transaction
    .updateTable("redirects")
    .set({ target })
    .where(sql<string>`lower(regexp_replace(target, '[?#].*$', ''))`, "=", path)
    .execute();
  const made = { target, is_move: isMove, made_at: at, made_by: by };
  await transaction
    .insertInto("redirects")
    .values({ path, ...made })
    .onConflict((conflict) => conflict.column("path").doUpdateSet(made))
    .execute();
}

type Move = { readonly from: string; readonly to: string; readonly by: number; readonly at: Date };

/** Lets the address that a page had lead to the one it has now. */
export async function keepOldAddress(transaction: Connection, { from, to, by, at }: Move): Promise<void> {
  await lockRedirects(transaction);
  await addRedirect(transaction, { path: from, target: to, isMove: true, by, at });
}

/** Returns where it led; null if there was none. */
export async function deleteRedirect(transaction: Connection, path: string): Promise<string | null> {
  await lockRedirects(transaction);
  const query = transaction.deleteFrom("redirects").where("path", "=", path).returning("target");
  return (await query.executeTakeFirst())?.target ?? null;
}
