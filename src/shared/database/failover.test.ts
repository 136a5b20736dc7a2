import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { asAdministrator } from "#database/backup/manifest.ts";
import { openPrimary, type Primary } from "#test/standby.ts";
import { createClient } from "./client.ts";
import { createPool } from "./connect.ts";
import { newProcessId } from "./process-presence.ts";
import { transact } from "./transact.ts";
import { watchDatabase } from "./watch-database.ts";

let primary: Primary;
let administrator: pg.Client;
beforeAll(async () => {
  primary = await openPrimary();
  await primary.pool.query("create table notes (note text)");
  administrator = createClient(primary.url);
  await administrator.connect();
});
afterAll(async () => {
  await administrator?.end();
  await primary?.stop();
});

const configure = (name: string, value: string) =>
  asAdministrator(primary.url, async (client) => {
    await client.query(`alter system set ${name} = ${value}`);
    await client.query("select pg_reload_conf()");
  });
const countNotes = async (note: string) =>
  Number((await administrator.query("select count(*) from notes where note = $1", [note])).rows[0].count);

/** The pool may hand out a connection that has just been ended once more. */
const untilConnected = () => expect.poll(() => primary.pool.query("select").then(() => true)).toBe(true);

/** Ends the wait of every commit for the standby, as an administrator would, until `work` is done. */
async function cancelWaits(work: Promise<unknown>) {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  ended.catch(() => undefined);
  await asAdministrator(primary.url, async (client) => {
    while (!isDone)
      await client.query(
        "select pg_cancel_backend(pid), pg_sleep(0.05) from pg_stat_activity where wait_event = 'SyncRep'",
      );
  });
  return ended;
}

test("FAIL-1: a commit that did not wait for the synchronous standby has an unknown outcome, not a good one", async () => {
  await configure("synchronous_standby_names", "'missing'");
  try {
    // Commits begin to wait a moment after the reload.
    const probe = () => cancelWaits(primary.pool.query("insert into notes values ('probe')")).catch(({ code }) => code);
    await expect.poll(probe).toBe("08007");
    await untilConnected();
    const lastly = transact(primary.database, async () => ({
      result: null,
      last: sql`insert into notes values ('alone')`,
    }));
    await expect(cancelWaits(lastly)).rejects.toMatchObject({ code: "08007" });
    await untilConnected();
    const plainly = primary.database
      .transaction()
      .execute((transaction) => sql`insert into notes values ('plain')`.execute(transaction));
    // Kysely's rollback fails on the ended connection, and its error is the one that is seen.
    await expect(cancelWaits(plainly)).rejects.toThrow(/is not queryable|Connection terminated/);
    await untilConnected();
    const single = primary.pool.query("insert into notes select $1", ["single"]);
    await expect(cancelWaits(single)).rejects.toMatchObject({ code: "08007" });
    // Which is why it may not be called failed either.
    expect(await Promise.all(["alone", "plain", "single"].map(countNotes))).toEqual([1, 1, 1]);
  } finally {
    await configure("synchronous_standby_names", "''");
  }
  await untilConnected();
  await primary.pool.query("insert into notes values ('after')");
});

test("FAIL-2: a server that only reads counts as lost: its connections end, and new ones are made", async () => {
  const pool = createPool(primary.url, () => undefined);
  try {
    const client = await pool.connect();
    await client.query("set default_transaction_read_only = on");
    const written = client.query("insert into notes values ($1)", ["refused"]);
    await expect(written).rejects.toMatchObject({ code: "08006" });
    await expect(client.query("select 1")).rejects.toThrow();
    client.release();
    await pool.query("insert into notes values ('elsewhere')");
    expect([await countNotes("refused"), await countNotes("elsewhere")]).toEqual([0, 1]);
  } finally {
    await pool.end();
  }
});

test("FAIL-3: while the server only reads the database is away, and back once it can be written to", async () => {
  const pool = createPool(primary.url, () => undefined);
  const changes = vi.fn();
  const watch = watchDatabase(primary.url, pool, newProcessId(), changes);
  try {
    await watch.ready;
    const kept = await pool.connect();
    await configure("default_transaction_read_only", "on");
    await vi.waitFor(() => expect(changes).toHaveBeenLastCalledWith(true), { timeout: 20_000 });
    await expect(pool.query("select 1")).rejects.toMatchObject({ code: "08006" });
    await expect(kept.query("select 1")).rejects.toThrow();
    kept.release();
    await configure("default_transaction_read_only", "off");
    await vi.waitFor(() => expect(changes).toHaveBeenLastCalledWith(false), { timeout: 20_000 });
    await pool.query("insert into notes values ('back')");
  } finally {
    await watch.stop();
    pool.cut();
    await pool.end();
  }
});

test("FAIL-4: connections ask for no startup option that a pooler refuses, and have their limits all the same", async () => {
  const client = await primary.pool.connect();
  const separate = createClient(primary.url);
  await separate.connect();
  try {
    const limitsOf = async (session: pg.ClientBase) =>
      (
        await session.query(
          "select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle",
        )
      ).rows[0];
    for (const session of [client, separate]) {
      const { getStartupConf } = session as unknown as { getStartupConf(): Record<string, unknown> };
      const asked = Object.keys(getStartupConf.call(session));
      expect(asked.filter((name) => !["user", "database", "application_name"].includes(name))).toEqual([]);
      expect(await limitsOf(session)).toEqual({ statement: "30s", idle: "1min" });
    }
    expect((await client.query("show lock_timeout")).rows).toEqual([{ lock_timeout: "10s" }]);
  } finally {
    client.release();
    await separate.end();
  }
});
