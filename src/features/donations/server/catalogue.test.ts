import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { listStatements } from "#test/list-statements.ts";
import { createCatalogue } from "./catalogue.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

test("PERF-7, DON-12: the catalogue is read again once it has changed, and only then", async () => {
  const findCatalogue = createCatalogue(() => new Date());
  const read = async () => {
    let title: string | undefined;
    const statements = await listStatements(async () => {
      title = (await findCatalogue(db.database)).find(({ fund }) => fund === "zakat")?.title;
    });
    return { title, statements: statements.length };
  };
  expect(await read()).toEqual({ title: "Zakat", statements: 2 });
  expect(await read()).toEqual({ title: "Zakat", statements: 1 });
  await db.pool.query("update donation_categories set title = 'Zakat al-Mal' where fund = 'zakat'");
  expect(await read()).toEqual({ title: "Zakat al-Mal", statements: 2 });
  expect(await read()).toEqual({ title: "Zakat al-Mal", statements: 1 });
});
