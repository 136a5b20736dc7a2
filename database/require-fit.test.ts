import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { throwExplained } from "#shared/database/explain-error.ts";
import { onDatabase } from "#test/database.ts";
import { migrate } from "./migrate.ts";
import { requireFit } from "./require-fit.ts";

const serverUrl = inject("serverUrl");
const explain = (url: string) =>
  migrate(url)
    .catch(throwExplained)
    .then(
      () => "It works.",
      ({ message }: Error) => message,
    );

async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

test("REL-16: a start on a database that it cannot use says why and what to do", async () => {
  const name = `unfit_${randomUUID().replaceAll("-", "")}`;
  const only = `${name}_read`;
  await onServer(
    `create database ${name} encoding 'LATIN1' locale 'C' template template0`,
    `create database ${only}`,
    `alter database ${only} set default_transaction_read_only = on`,
  );
  try {
    expect(await explain(onDatabase(serverUrl, name))).toMatch(/encoding is LATIN1\. Create one with UTF8/);
    expect(await explain(onDatabase(serverUrl, only))).toMatch(/only reads\. Name one that takes writes/);
    const old = { query: async () => ({ rows: [{ version: "14.11", encoding: "UTF8" }] }) } as unknown as pg.Client;
    await expect(requireFit(old)).rejects.toThrow("PostgreSQL 14.11 is too old. Upgrade it to 15 or newer.");
  } finally {
    await onServer(`drop database ${name}`, `drop database ${only}`);
  }
});

test("REL-16: a program that is no database is explained", async () => {
  const program = createServer((socket) => void socket.on("data", () => socket.destroy())).listen(0, "127.0.0.1");
  await once(program, "listening");
  const { port } = program.address() as { port: number };
  expect(await explain(`postgres://almoner:hunter2@127.0.0.1:${port}/x`)).toMatch(/no PostgreSQL|broke the connection/);
  program.close();
});

test.each([
  [
    "a server that is not there",
    "postgres://almoner:hunter2@127.0.0.1:1/x",
    /^Nothing answers .* or correct DATABASE_URL/,
  ],
  // It has two addresses, whose errors come in one that has no message.
  ["a name with two addresses", "postgres://almoner:hunter2@localhost:1/x", /^Nothing answers/],
  ["a name that is none", "postgres://almoner:hunter2@db.invalid/x", /^(There is no machine|The name of the machine)/],
  [
    "a password with a slash",
    "postgres://almoner:hunter2/x@127.0.0.1:1/x",
    /^DATABASE_URL cannot be read\. Write signs/,
  ],
  ["a database that is not there", onDatabase(serverUrl, "no_such_database"), /Create it, or correct the name/],
])("REL-16: %s is explained, without the password", async (_, url, sentence) => {
  const said = await explain(url);
  expect(said).toMatch(sentence);
  expect(said).not.toContain("hunter2");
});
