import type pg from "pg";
import { MIN_VERSION } from "#shared/database/explain-error.ts";
import { formatNumber, plural } from "#shared/language.ts";
import { type Check, configOf, fail, judge, ok, poolOf, readRow, UNDEFINED_TABLE, warn } from "./check.ts";

export const databaseChecks: readonly Check[] = [
  {
    id: "database.reached",
    about: "The database answers, and is PostgreSQL 15 or newer",
    async run(context) {
      if (context.pool === null) {
        const isOwn = configOf(context).databaseUrl === undefined;
        const does = isOwn ? "Start the site, or correct DATA_DIR." : "Start it, or correct DATABASE_URL.";
        return fail(context.databaseFault, does);
      }
      const { version } = await readRow<{ version: string }>(
        context,
        "select current_setting('server_version') as version",
      );
      if (Number.parseInt(version, 10) >= MIN_VERSION) return ok(`PostgreSQL ${version} answers.`, { version });
      return fail(`PostgreSQL ${version} is too old.`, `Upgrade it to ${MIN_VERSION} or newer.`, { version });
    },
  },
  {
    id: "database.migrations",
    about: "The database is of this version of the site",
    async run(context) {
      // A database of an earlier version has no kinds.
      const { names, expanding } = await readRow<{ names: string[] | null; expanding: string[] | null }>(
        context,
        `select array_agg(name::text) as names,
                array_agg(name::text) filter (where to_jsonb(migrations) ->> 'kind' = 'expand') as expanding
           from migrations`,
      ).catch((error: { code?: string }) => {
        if (error.code === UNDEFINED_TABLE) return { names: null, expanding: null };
        throw error;
      });
      const known = context.migrations;
      const applied = new Set(names ?? []);
      const isAllowed = (name: string) => known.includes(name) || expanding?.includes(name) === true;
      const foreign = [...applied].filter((name) => !isAllowed(name)).length;
      const waiting = known.filter((name) => !applied.has(name)).length;
      if (foreign > 0) {
        return fail("The database is newer than this code.", "Start the version of the site that it belongs to.", {
          foreign,
        });
      }
      if (waiting === 0) return ok("The database is of this version.");
      const count = plural(waiting, { one: "1 migration waits", other: `${waiting} migrations wait` });
      return warn(`${count}.`, "The site applies them when it starts.", { waiting });
    },
  },
  {
    id: "database.clock",
    about: "This machine's clock and the database's agree: within 2 seconds, at most 30",
    async run(context) {
      const before = Date.now();
      const { ms } = await readRow<{ ms: number }>(
        context,
        "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
      );
      const middle = (before + Date.now()) / 2;
      const seconds = Math.abs(Number(ms) - middle + (context.now().getTime() - Date.now())) / 1000;
      const state = judge(seconds, { warn: 2, fail: 30 });
      const facts = { seconds };
      if (state === null) return ok("The clocks of this machine and the database agree.", facts);
      const says = `The clocks of this machine and the database differ by ${Math.round(seconds)} seconds.`;
      return { state, says, does: "Have both set their time by NTP (timedatectl).", facts };
    },
  },
  {
    id: "database.connections",
    about: "Connections to the database are left: warns at 80 %, fails at 95 %",
    async run(context) {
      const { used, most } = await readRow<{ used: number; most: number }>(
        context,
        "select count(*)::integer as used, current_setting('max_connections')::integer as most from pg_stat_activity where backend_type = 'client backend'",
      );
      const state = judge(used / most, { warn: 0.8, fail: 0.95 });
      const says = `${used} of ${most} connections to the database are used.`;
      if (state === null) return ok(says, { used, most });
      return { state, says, does: "Raise max_connections, or find out what keeps them.", facts: { used, most } };
    },
  },
  {
    id: "database.sessions",
    about: "Each connection to the database is a session of its own: no pooler shares it between transactions",
    async run(context) {
      const pool = poolOf(context);
      const isShared = await withConnection(pool, (one) =>
        withConnection(pool, async (other) => {
          const first = await readPid(one);
          // A pooler in transaction mode gives this transaction the server's connection that has just become free.
          await other.query("begin");
          const second = await readPid(other);
          await other.query("rollback");
          return second === first || (await readPid(one)) !== first;
        }),
      );
      if (!isShared) return ok("Each connection is a session of its own.");
      return fail(
        "A pooler shares connections to the database between transactions, where locks and LISTEN do not work.",
        "Set pool_mode = session in PgBouncer, or connect to the database itself.",
      );
    },
  },
  {
    id: "database.transactions",
    about: "No transaction has been open for long: warns from 5 minutes, fails from an hour",
    async run(context) {
      const { seconds } = await readRow<{ seconds: number }>(
        context,
        `select coalesce(extract(epoch from max(clock_timestamp() - xact_start)), 0)::float8 as seconds
           from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      const state = judge(seconds, { warn: 300, fail: 3600 });
      const facts = { seconds };
      if (state === null) return ok("No transaction has been open for long.", facts);
      const says = `A transaction has been open for ${formatNumber(Math.round(seconds / 60))} minutes.`;
      return { state, says, does: "Find it in pg_stat_activity: it keeps the database from tidying up.", facts };
    },
  },
  {
    id: "database.locks",
    about: "Nobody waits long for a lock",
    async run(context) {
      const { waiting } = await readRow<{ waiting: number }>(
        context,
        `select count(*)::integer as waiting from pg_stat_activity
          where wait_event_type = 'Lock' and state_change < clock_timestamp() - interval '10 seconds'`,
      );
      if (waiting === 0) return ok("Nobody waits for a lock.", { waiting });
      const who = plural(waiting, { one: "1 statement waits", other: `${waiting} statements wait` });
      return warn(`${who} for a lock for more than ten seconds.`, "Find who holds it with pg_blocking_pids.", {
        waiting,
      });
    },
  },
  {
    id: "database.checksums",
    about: "The database notices damaged pages",
    async run(context) {
      const { on } = await readRow<{ on: string }>(context, "select current_setting('data_checksums') as \"on\"");
      if (on === "on") return ok("The database has checksums of its pages.");
      return warn(
        "The database has no checksums, so a damaged disk may go unnoticed.",
        "Run pg_checksums --enable while it is stopped.",
      );
    },
  },
  {
    id: "database.slots",
    about: "No forgotten replication slot fills the disk",
    async run(context) {
      const { count } = await readRow<{ count: number }>(
        context,
        "select count(*)::integer as count from pg_replication_slots where not active",
      );
      if (count === 0) return ok("No replication slot is left behind.", { count });
      const slots = plural(count, { one: "1 replication slot is", other: `${count} replication slots are` });
      return warn(`${slots} not used, and keeps old files.`, "Drop what nobody needs: pg_drop_replication_slot.", {
        count,
      });
    },
  },
  {
    id: "database.archiver",
    about: "The database archives its changes without failures, if it archives them",
    async run(context) {
      const { mode, failing, failures } = await readRow<{ mode: string; failing: boolean; failures: number }>(
        context,
        `select current_setting('archive_mode') as mode, failed_count::integer as failures,
                coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing
           from pg_stat_archiver`,
      );
      if (mode === "off") return ok("The database archives nothing.");
      if (!failing) return ok("The database archives its changes.", { failures });
      return fail(
        "The database cannot archive its changes, and keeps them until it can: its disk fills up.",
        "Look at the disk of the archive (ARCHIVE_DIR), and at the database's log.",
        { failures },
      );
    },
  },
];

async function withConnection<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

async function readPid(client: pg.PoolClient): Promise<number> {
  return (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid;
}
