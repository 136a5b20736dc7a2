import { appendFileSync } from "node:fs";
import pg from "pg";
import { startEmbeddedDatabase } from "#database/embedded.ts";

/**
 * A process that uses the embedded database, for the tests to kill: `node embedded-process.ts <DATA_DIR> [file]`.
 * It prints one line of JSON when the database is ready, and leaves on SIGTERM. Given a file, it inserts rows on eight
 * connections as fast as it can, and appends the number of each acknowledged row to the file.
 */
const [dataDir = "", acknowledged] = process.argv.slice(2);
const writers = 8;
let isLeaving = false;

try {
  const started = performance.now();
  const database = await startEmbeddedDatabase({ dataDir });
  const milliseconds = Math.round(performance.now() - started);
  process.on("SIGTERM", async () => {
    isLeaving = true;
    await database.stop();
    process.exit(0);
  });
  console.log(JSON.stringify({ ...database, milliseconds }));
  if (acknowledged) await write(database.url, acknowledged);
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).message }));
  process.exitCode = 1;
}

async function write(url: string, file: string) {
  const pool = new pg.Pool({ connectionString: url, max: writers });
  pool.on("error", () => {}); // The tests kill the server; the next insert tries again.
  const insert = async () => {
    while (!isLeaving) {
      const row = await pool.query("insert into promises default values returning id").catch(() => null);
      if (row) appendFileSync(file, `${row.rows[0].id}\n`);
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await pool.query("create table if not exists promises (id bigserial primary key)");
  await Promise.all(Array.from({ length: writers }, insert));
  await pool.end();
}
