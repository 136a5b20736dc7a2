import type { FastifyBaseLogger } from "fastify";
import { type RawBuilder, sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";

/** Rows erased in one transaction, so that locks are brief. */
const BATCH = 500;
/** Stops a rule that does not finish; the next run continues. */
const MOST_BATCHES = 2000;

/** A rule of retention. The job applies it, the privacy policy shows it, and a test compares its columns. */
export type RetentionRule = {
  /** Its name in the log. */
  readonly name: string;
  readonly where: string;
  readonly what: string;
  readonly why: string;
  readonly kept: string;
  readonly afterwards: string;
  /** In the database, as `table.column`. */
  readonly columns: readonly string[];
  /** Erases at most `most` of what is due and returns how many; undefined if nothing expires by time. */
  readonly erase?: (transaction: Connection, due: Due) => Promise<number>;
};
export type Due = { readonly now: Date; readonly most: number };

/** A person with an account. `isConfirmed`: emails to the address reach them. */
export type Person = { readonly userId: number; readonly email: string; readonly isConfirmed: boolean };

/** The data that one part of the site holds. */
export type Holdings = {
  readonly rules: readonly RetentionRule[];
  readonly notPersonal: readonly string[];
  /** Personal columns that the download leaves out, each with its reason beside it. */
  readonly notExported?: readonly string[];
  /** A person's data for their download, by its names there. */
  readonly exportOf?: (connection: Connection, person: Person) => Promise<Record<string, unknown>>;
  /** Runs before an account is deleted, in the same transaction: erases what may go immediately, and marks the rest. */
  readonly release?: (transaction: Connection, person: Person, now: Date) => Promise<void>;
};

/** Names columns as `table.column`. */
export function columns<T extends keyof Tables>(table: T, ...names: (keyof Tables[T] & string)[]): string[] {
  return names.map((name) => `${table}.${name}`);
}

/** Selects a person's rows: sent while logged in or, once the email is confirmed, as a guest with that email. */
export function isOf({ userId, email, isConfirmed }: Person): RawBuilder<boolean> {
  return sql<boolean>`(user_id = ${userId} or (${isConfirmed} and user_id is null and lower(email) = lower(${email})))`;
}

/** Erases with one statement and returns how many rows. */
export function eraseBy(statement: (due: Due) => RawBuilder<unknown>) {
  return async (transaction: Connection, due: Due): Promise<number> => {
    const { numAffectedRows } = await statement(due).execute(transaction);
    return Number(numAffectedRows ?? 0);
  };
}

/** Erases until nothing more is due. Returns how many. */
export async function eraseAll(erase: (most: number) => Promise<number>): Promise<number> {
  let erased = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const count = await erase(BATCH);
    if (count === 0) break;
    erased += count;
  }
  return erased;
}

/**
 * Erases all expired data, each batch in its own transaction, so that the next run continues an interrupted one. Safe
 * to run in several processes. The log says how many rows, never which.
 */
export async function applyRetention(
  { database, log, now }: { database: Database; log: FastifyBaseLogger; now: () => Date },
  rules: readonly RetentionRule[],
): Promise<void> {
  const erased: Record<string, number> = {};
  for (const { name, erase } of rules) {
    if (erase === undefined) continue;
    const batch = (most: number) =>
      database.transaction().execute((transaction) => erase(transaction, { now: now(), most }));
    try {
      const count = await eraseAll(batch);
      if (count > 0) erased[name] = count;
    } catch (error) {
      log.warn({ err: error, rule: name }, "expired data could not be erased; will be retried");
    }
  }
  if (Object.keys(erased).length > 0) log.info({ erased }, "expired data was erased");
}
