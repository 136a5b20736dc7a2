import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DoctorContext } from "#app/doctor/check.ts";
import { databaseChecks } from "#app/doctor/database-checks.ts";
import { findFreePort } from "../child-site.ts";
import { asOtherUser } from "../cluster.ts";
import { createTestDatabase, onDatabase, type TestDatabase } from "../database.ts";
import { isInstalled } from "../proxies.ts";
import { supervise } from "../supervisor.ts";

const skip = !isInstalled("pgbouncer");

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "pooler-"));
});
afterAll(async () => {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** PgBouncer with the sample of deploy/cluster before the test database, which has only a socket. */
async function openPooler(mode: string) {
  const server = new URL(database.url);
  const port = await findFreePort();
  const file = join(folder, `${mode}.ini`);
  const sample = readFileSync(join(import.meta.dirname, "../../deploy/cluster/pgbouncer.ini"), "utf8");
  writeFileSync(
    file,
    sample
      .replace(
        /host=\S+ port=\d+ dbname=\w+/,
        `host=${server.searchParams.get("host")} port=${server.port} user=${server.username}`,
      )
      .replace(/^almoner =/m, "* =")
      .replace(/auth_type = .*\nauth_file = .*/, "auth_type = any\nunix_socket_dir =")
      .replaceAll("6432", String(port))
      .replace("pool_mode = session", `pool_mode = ${mode}`),
  );
  const running = supervise(asOtherUser(["pgbouncer", file]), { folder, account: {}, name: mode });
  const url = onDatabase(`postgres://${server.username}@127.0.0.1:${port}/`, server.pathname.slice(1));
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  await expect.poll(() => pool.query("select").then(() => true, String)).toBe(true);
  return {
    pool,
    async close() {
      await pool.end();
      await running.stop();
    },
  };
}

const check = databaseChecks.find(({ id }) => id === "database.sessions")!;

test("FAIL-6: the doctor says that PgBouncer is in transaction mode, and is content with session mode", {
  skip,
}, async () => {
  for (const [mode, state] of [
    ["transaction", "fail"],
    ["session", "ok"],
  ] as const) {
    const { pool, close } = await openPooler(mode);
    try {
      expect(await check.run({ pool } as unknown as DoctorContext), mode).toMatchObject({ state });
    } finally {
      await close();
    }
  }
});
