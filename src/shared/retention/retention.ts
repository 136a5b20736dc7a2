import type { FastifyBaseLogger } from "fastify";
import { type RawBuilder, sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";

/** What is erased in one transaction: at most so much, so that nobody waits long for the rows. */
const BATCH = 500;
/** A rule that never comes to an end is stopped; the next run goes on. */
const MOST_BATCHES = 2000;

/**
 * One row of the table of what is kept. The job carries it out, the privacy policy shows its sentences, and a test holds its
 * columns against the database.
 */
export type RetentionRule = {
  /** Names the row in the log. */
  readonly name: string;
  /** Where the data comes from, and what it is. */
  readonly where: string;
  readonly what: string;
  readonly why: string;
  /** How long, and from when. */
  readonly kept: string;
  /** What happens then. */
  readonly afterwards: string;
  /** Where it is in the database: `table.column`. */
  readonly columns: readonly string[];
  /** Erases what is due, at most `most` of it, and returns how much that was; absent where nothing is due by time. */
  readonly erase?: (transaction: Connection, due: Due) => Promise<number>;
};
export type Due = { readonly now: Date; readonly most: number };

/** Somebody with an account. `isConfirmed`: they have shown that its email reaches them. */
export type Person = { readonly userId: number; readonly email: string; readonly isConfirmed: boolean };

/** What one part of the site keeps. */
export type Holdings = {
  readonly rules: readonly RetentionRule[];
  /** Columns that say nothing of a person. */
  readonly notPersonal: readonly string[];
  /** What is held on a person, by the names that it has in the file that they can download. */
  readonly exportOf?: (connection: Connection, person: Person) => Promise<Record<string, unknown>>;
  /** Runs before an account is deleted, in the same transaction: erases what may go at once, and marks the rest. */
  readonly release?: (transaction: Connection, person: Person, now: Date) => Promise<void>;
};

/** Columns of a table, as rules and lists name them. */
export function columns<T extends keyof Tables>(table: T, ...names: (keyof Tables[T] & string)[]): string[] {
  return names.map((name) => `${table}.${name}`);
}

/**
 * Rows of a table with `user_id` and `email` that are a person's: sent while they were logged in or, once their email is
 * confirmed, under it as a guest.
 */
export function isOf({ userId, email, isConfirmed }: Person): RawBuilder<boolean> {
  return sql<boolean>`(user_id = ${userId} or (${isConfirmed} and user_id is null and lower(email) = lower(${email})))`;
}

/** What one statement erases: as many rows as it changes or deletes. */
export function eraseBy(statement: (due: Due) => RawBuilder<unknown>) {
  return async (transaction: Connection, due: Due): Promise<number> => {
    const { numAffectedRows } = await statement(due).execute(transaction);
    return Number(numAffectedRows ?? 0);
  };
}

/** Erases until nothing is left that is due. */
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
 * Erases whatever was kept long enough, each batch in a transaction of its own: a run that is cut off is continued by the
 * next one. Any number of processes may run it at once. The log says how much, and never what.
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
      log.warn({ err: error, rule: name }, "data that was kept long enough could not be erased; tried again later");
    }
  }
  if (Object.keys(erased).length > 0) log.info({ erased }, "data that was kept long enough is erased");
}
