import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, onDatabase, type TestDatabase } from "#test/database.ts";
import { runProgram } from "#test/run-command.ts";
import { asAdministrator } from "./manifest.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

const asSuperuser = () => Object.assign(new URL(database.url), { username: "postgres" }).href;
const change = (sql: string) => asAdministrator(database.url, (client) => client.query(sql));
const prove = (url: string) => runProgram("database/backup/main.ts", ["--prove-database"], { DATABASE_URL: url });
const isGood = "The database is good: its ledger, its numbers of receipts and every foreign key.\n";

test("BAK-9: a restored database is read whole by a superuser, and left as it was; others read its books", async () => {
  const listExtensions = async () => (await change("select extname from pg_extension order by 1")).rows;
  const before = await listExtensions();
  expect(await prove(asSuperuser())).toEqual({
    code: 0,
    stdout: `${isGood}Every page and index was read.\n`,
    stderr: "",
  });
  expect(await listExtensions()).toEqual(before);
  expect(await prove(database.url)).toEqual({
    code: 0,
    stdout: `${isGood}Its pages and indexes were not read: that takes a superuser, and the extension amcheck on the server.\n`,
    stderr: "",
  });
});

test("BAK-9: what is wrong with it is said, and so is a database that is none or away", async () => {
  await change("update receipt_counter set last_number = 3");
  expect(await prove(database.url)).toEqual({
    code: 2,
    stdout: "",
    stderr: "The database is not good:\nThe numbers of receipts have a gap, or more than the counter says.\n",
  });
  await change("insert into migrations (name) values ('9999_later.sql')");
  expect((await prove(database.url)).stderr).toContain("It is newer than this code: it has 9999_later.sql.");
  expect(await prove(onDatabase(asSuperuser(), "postgres"))).toMatchObject({
    code: 2,
    stderr: "That database has no site in it.\n",
  });
  expect((await prove("")).stderr).toBe("Set DATABASE_URL to the database that you have restored.\n");
  const away = await prove("postgres://nobody:secret-word@127.0.0.1:1/none");
  expect(away.code).toBe(2);
  expect(away.stderr).not.toContain("secret-word");
  expect(away.stderr.trim().split("\n")).toHaveLength(1);
});
