import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, afterEach, expect, test } from "vitest";
import { cleanUp, makeDataDir, makeFolder, query, removeTemplate } from "#test/faults/embedded-harness.ts";
import { startEmbeddedDatabase } from "../embedded.ts";
import { copyCluster } from "./base-backup.ts";
import { asAdministrator } from "./manifest.ts";

const patient = 300_000;
const rowsWhileCopying = 40;
afterEach(cleanUp, patient);
afterAll(removeTemplate);

/** A database that removes WAL as soon as a checkpoint allows it. */
async function openDatabase() {
  const dataDir = await makeDataDir();
  const settings = { max_wal_size: "32MB", min_wal_size: "32MB" };
  const database = await startEmbeddedDatabase({ dataDir, settings });
  await query(database.url, "create table promises (id int primary key)");
  return { data: join(dataDir, "postgres", "data"), database };
}

/** Rows in a segment of WAL each, and a checkpoint after every one. */
async function writeSegments(url: string) {
  await asAdministrator(url, async (client) => {
    for (let id = 1; id <= rowsWhileCopying; id++) {
      await client.query(`insert into promises values (${id})`);
      await client.query("select pg_switch_wal()");
      await client.query("checkpoint");
    }
  });
}

/** Copies the cluster into a new DATA_DIR; half of it before those rows are written. */
async function copyWhileWriting(url: string, data: string, change: (client: pg.Client) => pg.Client = (same) => same) {
  const target = makeFolder();
  const copy = join(target, "postgres", "data");
  mkdirSync(copy, { recursive: true, mode: 0o700 });
  let hasWritten = false;
  await asAdministrator(url, async (client) => {
    for await (const entry of copyCluster(change(client), data, "copy", async () => {})) {
      if (entry.kind === "folder") mkdirSync(join(copy, entry.name), { mode: 0o700 });
      else await writePart(join(copy, entry.name), entry.read());
      if (hasWritten || !entry.name.startsWith("global/")) continue;
      hasWritten = true;
      await writeSegments(url);
    }
  });
  return { target, wal: join(copy, "pg_wal") };
}

async function writePart(file: string, pieces: AsyncIterable<Buffer>) {
  const handle = await open(file, "w", 0o600);
  for await (const piece of pieces) await handle.write(piece);
  await handle.close();
}

const segmentsOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .sort();

/** A second copy of a copy that has not been started, with as many segments of WAL as `count` says. */
function copyWithWal(source: string, count: (all: number) => number) {
  const target = makeFolder();
  cpSync(join(source, "postgres"), join(target, "postgres"), { recursive: true });
  chmodSync(join(target, "postgres", "data"), 0o700);
  const wal = join(target, "postgres", "data", "pg_wal");
  const segments = segmentsOf(wal);
  for (const name of segments.slice(count(segments.length))) rmSync(join(wal, name));
  return target;
}

/** What PostgreSQL wrote into its log. */
async function whyNotStarted(dataDir: string) {
  await expect(startEmbeddedDatabase({ dataDir })).rejects.toThrow("PostgreSQL did not start");
  return readFileSync(join(dataDir, "postgres", "postgres.log"), "utf8");
}

test(
  "BAK-1: a copy has every row that was written while it was made; without its last segment of WAL, or any, it does not start",
  async () => {
    const { data, database } = await openDatabase();
    const { target, wal } = await copyWhileWriting(database.url, data);
    expect(segmentsOf(wal).length).toBeGreaterThan(rowsWhileCopying);
    expect(await whyNotStarted(copyWithWal(target, (all) => all - 1))).toContain(
      "WAL ends before end of online backup",
    );
    expect(await whyNotStarted(copyWithWal(target, () => 0))).toContain("could not locate required checkpoint record");

    const restored = await startEmbeddedDatabase({ dataDir: copyWithWal(target, (all) => all) });
    const rows = await query(restored.url, "select count(*)::int as count from promises");
    expect(rows).toEqual([{ count: rowsWhileCopying }]);
    await restored.stop();
    await database.stop();
  },
  patient,
);

test(
  "BAK-1, negative control: without the replication slot the WAL is removed meanwhile, and the backup says so",
  async () => {
    const { data, database } = await openDatabase();
    const withoutSlot = (client: pg.Client) =>
      ({
        query: async (sql: string, values?: unknown[]) =>
          /replication_slot/.test(sql) ? { rows: [] } : client.query(sql, values),
      }) as unknown as pg.Client;
    await expect(copyWhileWriting(database.url, data, withoutSlot)).rejects.toThrow(
      /The database has removed pg_wal\/[0-9A-F]{24}, which the backup needs/,
    );
    await database.stop();
  },
  patient,
);
