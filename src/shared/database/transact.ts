import { type CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import type { Connection, Database } from "./connect.ts";
import type { Tables } from "./tables.ts";

/** Sent together with the commit, so that its locks are held briefly. */
type LastStatement = { compile(connection: Connection): CompiledQuery };

type Work<Result> = (
  transaction: Connection,
) => Promise<{ readonly result: Result; readonly last?: LastStatement | undefined }>;

/**
 * Runs `work` in a transaction, and sends its `last` statement with the commit. Statements are sent in the order in
 * which they are started; those that are started without waiting for each other (`together`) travel in one message.
 */
export function transact<Result>(database: Database, work: Work<Result>): Promise<Result> {
  return onOneConnection(database, async (transaction, { run, end }) => {
    await run(sql`begin`);
    try {
      const { result, last } = await work(transaction);
      end();
      await together(last && run(last), run(sql`commit`));
      return result;
    } catch (error) {
      end();
      // A lost connection has nothing left to roll back.
      await run(sql`rollback`).catch(() => undefined);
      throw error;
    }
  });
}

/** Runs reads on one connection, so that those started without waiting for each other travel in one message. */
export function readOnOneConnection<Result>(
  database: Database,
  read: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  return onOneConnection(database, (connection, { end }) => read(connection).finally(end));
}

type Control = {
  /** Also works after the end. */
  readonly run: (statement: LastStatement) => Promise<unknown>;
  /** From then on the connection refuses statements. */
  readonly end: () => void;
};

function onOneConnection<Result>(
  database: Database,
  work: (connection: Connection, control: Control) => Promise<Result>,
): Promise<Result> {
  const executor = database.getExecutor();
  return executor.provideConnection((connection) => {
    let hasEnded = false;
    const own = new Kysely<Tables>({
      ...unconnected,
      executor: executor.withConnectionProvider({
        async provideConnection(use) {
          // The connection may be somebody else’s by now.
          if (hasEnded) throw new Error("A statement was started after its transaction had ended.");
          return use(connection);
        },
      }),
    });
    return work(own, {
      run: (statement) => connection.executeQuery(statement.compile(own)),
      end: () => {
        hasEnded = true;
      },
    });
  });
}

/**
 * The results of statements that do not need each other’s. Waits for all of them, so that none is started or answered
 * after its transaction has ended.
 * @throws the error of the first one that failed, in the order given.
 */
export async function together<const Started extends readonly unknown[]>(
  ...started: Started
): Promise<{ -readonly [Index in keyof Started]: Awaited<Started[Index]> }> {
  const results = await Promise.allSettled(started);
  const values = results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
  return values as { -readonly [Index in keyof Started]: Awaited<Started[Index]> };
}

// Kysely requires these, although here it is given the connection for all statements.
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error("This Kysely has no pool.")) });
const unconnected = { dialect, config: { dialect }, driver: dialect.createDriver() };
