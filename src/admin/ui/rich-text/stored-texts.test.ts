// @vitest-environment jsdom
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoEvents } from "#database/demo-events.ts";
import { demoNews } from "#database/demo-news.ts";
import { sanitiseHtml } from "#shared/html/sanitise.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { listContent } from "./compare-html.ts";
import { readHtml } from "./read-html.ts";
import { writeHtml } from "./write-html.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

/** Every text in every column of that name. */
async function listStoredTexts(): Promise<string[]> {
  const { rows: tables } = await db.pool.query<{ name: string }>(
    "select table_name as name from information_schema.columns where column_name = 'html' and table_schema = 'public'",
  );
  const found = await Promise.all(
    tables.map(({ name }) => db.pool.query<{ html: string }>(`select html from ${name}`)),
  );
  return found.flatMap(({ rows }) => rows.map(({ html }) => html));
}

test("RTE-3: every text of the demo and of the migrations opens with nothing lost", async () => {
  const stored = await listStoredTexts();
  expect(stored.length).toBeGreaterThan(10);
  for (const html of [...stored, ...[...demoNews, ...demoEvents(new Date())].map(({ html }) => html)]) {
    const { doc, lost } = readHtml(sanitiseHtml(html));
    expect(lost, html).toBeNull();
    expect(listContent(writeHtml(doc))).toEqual(listContent(html));
  }
});
