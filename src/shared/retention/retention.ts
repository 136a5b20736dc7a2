import type { FastifyBaseLogger } from "fastify";
import { type RawBuilder, sql } from "kysely";
import type { Connection, Database } from "#shared/database/connect.ts";
import type { Tables } from "#shared/database/tables.ts";

/** Rows erased in one transaction, so that locks are brief. */
const BATCH = 500;
/** Stops a rule that does not finish; the next run continues. */
const MAX_BATCHES = 2000;

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
  /** Erases at most `limit` of what is due and returns how many; undefined if nothing expires by time. */
  readonly erase?: (transaction: Connection, due: Due) => Promise<number>;
};
export type Due = { readonly now: Date; readonly limit: number };

/** Whose data is meant. */
export type Person = {
  /** The person's account; null without one. */
  readonly userId: number | null;
  readonly email: string;
  /** Emails to the address reach them. */
  readonly isConfirmed: boolean;
  /**
   * `member`: what belongs to the account. `staff`, who have checked who the person is: everything under the address
   * too, whoever was logged in when it was sent.
   */
  readonly askedBy: "member" | "staff";
};

/** Something of a person's that staff can act on: its kind and id as the audit trail names them. */
export type PersonSubject = {
  readonly subject: string;
  readonly subjectId: string;
  /** The document whose emailed links stop working when staff erase the person. */
  readonly document?: { readonly kind: "receipt" | "ticket_order" | "application"; readonly id: string };
};

/** What erasing a person changes in one part of the site, in plain sentences for the staff who are about to do it. */
export type ErasurePlan = {
  /** 'Donations' */
  readonly title: string;
  readonly erases: readonly string[];
  readonly keeps: readonly KeptData[];
  /** What has to be settled before anything is erased, and the address of the screen where that is done. */
  readonly obstacles: readonly { readonly what: string; readonly path: string }[];
};

export type KeptData = {
  readonly what: string;
  /** In words: 'until 3 May 2033', 'for good'. */
  readonly until: string;
  readonly why: string;
  /** Where it is kept, as `table.column`; the tests find the person nowhere else. */
  readonly columns: readonly string[];
};

/** The data that one part of the site holds. */
export type Holdings = {
  readonly rules: readonly RetentionRule[];
  readonly notPersonal: readonly string[];
  /** Personal columns that the download leaves out, each with its reason beside it. */
  readonly notExported?: readonly string[];
  /** Those of `notExported` that the download by staff has nevertheless. */
  readonly exportedToStaff?: readonly string[];
  /** A person's data for a download, by its names there. `subjects` are those of all parts; none for a member. */
  readonly exportOf?: (
    connection: Connection,
    person: Person,
    subjects: readonly PersonSubject[],
  ) => Promise<Record<string, unknown>>;
  /** Adds to a download what may be outside of the database. Runs after the transaction in which the rest was read. */
  readonly fillExport?: (held: Record<string, unknown>) => Promise<void>;
  readonly listSubjects?: (connection: Connection, person: Person) => Promise<readonly PersonSubject[]>;
  /** What `release` will do; null if there is nothing of the person here. */
  readonly planErasure?: (
    connection: Connection,
    person: Person,
    known: { readonly subjects: readonly PersonSubject[]; readonly now: Date },
  ) => Promise<ErasurePlan | null>;
  /**
   * Runs before an account is deleted, or when staff erase a person, in the same transaction: erases what may go
   * immediately, and marks the rest.
   */
  readonly release?: (transaction: Connection, person: Person, now: Date) => Promise<void>;
};

/** Names columns as `table.column`. */
export function columns<T extends keyof Tables>(table: T, ...names: (keyof Tables[T] & string)[]): string[] {
  return names.map((name) => `${table}.${name}`);
}

/**
 * Selects a person's rows: sent while logged in or, once the email is confirmed, as a guest with that email. For staff,
 * all with that email.
 */
export function isOf({ userId, email, isConfirmed, askedBy }: Person): RawBuilder<boolean> {
  if (askedBy === "staff") {
    return sql<boolean>`(user_id = ${userId}::bigint or (email <> '' and lower(email) = lower(${email})))`;
  }
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
export async function eraseAll(erase: (limit: number) => Promise<number>): Promise<number> {
  let erased = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
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
    const batch = (limit: number) =>
      database.transaction().execute((transaction) => erase(transaction, { now: now(), limit }));
    try {
      const count = await eraseAll(batch);
      if (count > 0) erased[name] = count;
    } catch (error) {
      log.warn({ err: error, rule: name }, "expired data could not be erased; will be retried");
    }
  }
  if (Object.keys(erased).length > 0) log.info({ erased }, "expired data was erased");
}
