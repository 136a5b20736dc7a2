import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedDatabase } from "#database/embedded.ts";
import { migrate } from "#database/migrate.ts";
import { seedDemo } from "#database/seed.ts";
import type { ContentReads } from "#features/content/content.ts";
import { contentReads } from "#features/content/server/content-reads.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { compare } from "./compare.ts";
import { type BenchRow, printTable } from "./table.ts";

/** Rows of each kind added to the demo's. */
const ROWS = 10_000;

const drawing = "/identity/illustrations/hospital.svg";
const fill = [
  `insert into news (slug, title, excerpt, html, image, published_on)
    select 'item-' || n, 'Item ' || n, repeat('Words. ', 30), repeat('<p>Words.</p>', 50), '${drawing}', date '2026-01-01' - n
    from generate_series(1, ${ROWS}) n`,
  `insert into gallery_items (title, description, image, image_date, created_by)
    select 'Item ' || n, repeat('Words. ', 20), '${drawing}', date '2026-01-01' - n, 'Field team'
    from generate_series(1, ${ROWS}) n`,
  `insert into events (slug, title, summary, html, image, place, starts_at, ends_at, created_by)
    select 'item-' || n, 'Item ' || n, 'Words.', repeat('<p>Words.</p>', 50), '${drawing}', 'Auburn',
      now() + (n - ${ROWS / 2}) * interval '1 day', now() + (n - ${ROWS / 2}) * interval '1 day' + interval '2 hours', 'admin'
    from generate_series(1, ${ROWS}) n`,
  "analyze",
];

/** The reads of pages, by name. `deep` is a cursor in the middle of each list. */
const reads: readonly (readonly [string, (content: ContentReads) => Promise<unknown>])[] = [
  ["home", (content) => content.findHome()],
  ["first page of the news", (content) => content.listNews()],
  ["first page of the gallery", (content) => content.listGallery()],
  ["first page of the events", (content) => content.listEvents()],
];
const deepReads: typeof reads = [
  ["news behind 5,000 others", (content) => content.listNews("2012-04-24_5000")],
  ["pictures behind 5,000 others", (content) => content.listGallery("2012-04-24_5000")],
  ["events behind 5,000 others", (content) => content.listEvents(`over_${new Date().toISOString()}_1`)],
];

const folder = mkdtempSync(join(tmpdir(), "bench-content-"));
const server = await startEmbeddedDatabase({ dataDir: folder });
const pools: pg.Pool[] = [];

async function openContent(name: string, statements: readonly string[]): Promise<ContentReads> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = server.url.replace(/\/[^/?]+(?=\?|$)/, `/${name}`);
  await migrate(url);
  const pool = createPool(url, () => undefined);
  pools.push(pool);
  const database = createDatabase(pool);
  await seedDemo(database);
  for (const statement of statements) await pool.query(statement);
  return contentReads(database, () => new Date());
}

try {
  const long = await openContent("long_content", fill);
  const demo = await openContent("demo_content", ["analyze"]);
  const rows: BenchRow[] = [];
  for (const [what, read] of reads) {
    const [ours, reference] = await compare(
      () => read(long),
      () => read(demo),
    );
    rows.push({ what, ours, reference, unit: "ms", to: "the demo content" });
  }
  for (const [index, [what, read]] of deepReads.entries()) {
    const first = reads[index + 1]![1];
    const [ours, reference] = await compare(
      () => read(long),
      () => first(long),
    );
    rows.push({ what, ours, reference, unit: "ms", to: "the first page of the same" });
  }
  process.stdout.write(`${ROWS} news items, gallery items and events on top of the demo's\n`);
  printTable(rows);
} finally {
  for (const pool of pools) await pool.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
