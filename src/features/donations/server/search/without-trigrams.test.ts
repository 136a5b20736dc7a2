import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { makeDonation } from "#database/factories.ts";
import { migrate } from "#database/migrate.ts";
import { createDatabase, createPool, type Database } from "#shared/database/connect.ts";
import { onDatabase } from "#test/database.ts";
import { noFilter } from "./donation-filter.ts";
import { listDonations } from "./list-donations.ts";

const name = `test_${randomUUID().replaceAll("-", "")}`;
const serverUrl = inject("serverUrl");
let database: Database;

/** Runs statements as the superuser. */
async function asOwner(url: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A database like one at a provider that does not allow the extension. */
beforeAll(async () => {
  await asOwner(serverUrl, `create database ${name} template template0`);
  const url = onDatabase(serverUrl, name);
  await asOwner(
    url,
    // Makes the extension fail to install: something else already has its function's name.
    "create function similarity(text, text) returns real language sql return 1",
  );
  await migrate(url);
  database = createDatabase(createPool(url, () => undefined));
});
afterAll(async () => {
  await database?.destroy();
  await asOwner(serverUrl, `drop database if exists ${name} with (force)`);
});

test("DESK-1: if the database forbids pg_trgm, donors are found by the beginnings of words", async () => {
  const raza = await makeDonation(database);
  const urdu = await makeDonation(database, {
    donation: { first_name: "علی", last_name: "خان", email: "ali.khan@example.org" },
  });
  const find = async (q: string) =>
    (await listDonations(database, { filter: { ...noFilter, q }, limit: 25 })).rows.map(({ id }) => id);
  expect(await find("raz")).toEqual([raza]);
  expect(await find("AMINA raza")).toEqual([raza]);
  expect(await find("khan")).toEqual([urdu]);
  expect(await find("علي")).toEqual([urdu]);
  expect(await find("ali.khan@example.org")).toEqual([urdu]);
  expect(await find("aza")).toEqual([]);
});
