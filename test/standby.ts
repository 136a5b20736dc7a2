import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { copyCluster } from "#database/backup/base-backup.ts";
import { asAdministrator } from "#database/backup/manifest.ts";
import { findPostmaster } from "#database/embedded/postmaster.ts";
import { databaseUrl } from "#database/embedded/presence.ts";
import { launchServer, makePlace, prepareCluster } from "#database/embedded/server.ts";
import { makeSocketDirectory } from "#database/embedded/socket-directory.ts";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { migrate } from "#database/migrate.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import type { TestDatabase } from "./database.ts";
import { signalAll } from "./supervisor.ts";

export type Standby = {
  readonly url: string;
  /** The folder of its files. */
  readonly data: string;
  /** Waits until it has everything that is committed now. */
  catchUp(): Promise<void>;
  /** It still answers, but takes in no more changes. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** It becomes a primary of its own. */
  promote(): Promise<void>;
  /** It answers nobody any more, and closes no connection; the result lets it go on. */
  hang(): Promise<() => void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  remove(): Promise<void>;
};

export type Primary = TestDatabase & { readonly data: string };

/** A migrated database on a server of its own, which a standby can follow. `data` is the folder of its files. */
export async function openPrimary(): Promise<Primary> {
  const dataDir = mkdtempSync(join(tmpdir(), "almoner-primary-"));
  const embedded = await startEmbeddedDatabase({ dataDir });
  await asAdministrator(embedded.url, async (client) => {
    for (const name of ["fsync", "autovacuum"]) await client.query(`alter system set ${name} = off`);
    await client.query("select pg_reload_conf()");
  });
  await migrate(embedded.url);
  const pool = createPool(embedded.url, () => undefined);
  const database = createDatabase(pool);
  return {
    data: realpathSync(join(dataDir, "postgres", "data")),
    url: embedded.url,
    pool,
    database,
    async stop() {
      await database.destroy();
      await embedded.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A real streaming replica: a copy of the running primary that follows it over its socket. */
export async function openStandby(primary: Primary): Promise<Standby> {
  const folder = mkdtempSync(join(tmpdir(), "almoner-standby-"));
  const place = makePlace(folder);
  await copyRunning(primary, place.data);
  const host = new URL(primary.url).searchParams.get("host");
  appendFileSync(join(place.data, "postgresql.auto.conf"), `primary_conninfo = 'host=${host} user=postgres'\n`);
  writeFileSync(join(place.data, "standby.signal"), "");
  const { binaries, account } = await prepareCluster(place);
  const sockets = makeSocketDirectory(place.data, null, account);
  const url = databaseUrl(sockets);
  const ask = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], to = url) =>
    asAdministrator(to, async (client) => (await client.query<Row>(text, values)).rows);
  const answers = () =>
    ask("select").then(
      () => true,
      () => false,
    );
  const start = async () => {
    launchServer(place, binaries, account, sockets);
    await until(answers);
  };
  const listBackends = async () => {
    const backends = await ask<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return backends.map(({ pid }) => pid);
  };
  const kill = async () => {
    const running = findPostmaster(place.data);
    if (!running?.isRunning) return;
    // Back ends notice a moment later that the server is gone, and could answer once more until then.
    signalAll([running.pid, ...(await listBackends())], "SIGKILL");
    await until(async () => !(await answers()));
  };
  await start();
  return {
    url,
    data: place.data,
    async catchUp() {
      const [{ end } = { end: "" }] = await ask<{ end: string }>("select pg_current_wal_lsn() as end", [], primary.url);
      await until(async () => (await ask("select 1 where pg_last_wal_replay_lsn() >= $1::pg_lsn", [end])).length === 1);
    },
    pause: async () => void (await ask("select pg_wal_replay_pause()")),
    resume: async () => void (await ask("select pg_wal_replay_resume()")),
    promote: async () => void (await ask("select pg_promote()")),
    async hang() {
      const pids = [findPostmaster(place.data)!.pid, ...(await listBackends())];
      signalAll(pids, "SIGSTOP");
      return () => signalAll(pids, "SIGCONT");
    },
    kill,
    restart: start,
    async remove() {
      await kill();
      rmSync(sockets, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

async function until(condition: () => Promise<boolean>) {
  while (!(await condition())) await sleep(20);
}

async function copyRunning({ url, data: source }: Primary, target: string) {
  mkdirSync(target, { mode: 0o700 });
  await asAdministrator(url, async (administrator) => {
    for await (const entry of copyCluster(administrator, source, "standby", async () => undefined)) {
      const path = join(target, entry.name);
      if (entry.kind === "folder") {
        mkdirSync(path, { recursive: true, mode: 0o700 });
        continue;
      }
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(path, "w", 0o600);
      for await (const bytes of entry.read()) await file.write(bytes);
      await file.close();
    }
  });
}
