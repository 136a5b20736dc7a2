import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation } from "#database/factories.ts";
import { listMigrations, migrate } from "#database/migrate.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

async function postLedger(attemptId: string, cents: number[]) {
  const transactionId = randomUUID();
  await db.database
    .insertInto("ledger_entries")
    .values(
      cents.map((amount_cents) => ({
        transaction_id: transactionId,
        attempt_id: attemptId,
        account: "receivable:payway",
        amount_cents,
        at: new Date(),
      })),
    )
    .execute();
}

test("DON-11: the database refuses a ledger transaction that does not sum to zero", async () => {
  const attempt = await makeAttempt(db.database, await makeDonation(db.database));
  await expect(postLedger(attempt, [100, -99])).rejects.toThrow("does not sum to zero");
  await expect(postLedger(attempt, [100, -60, -40])).resolves.toBeUndefined();
});

test("DON-11: the database refuses a donation whose parts do not sum to the whole", async () => {
  await expect(makeDonation(db.database, { donation: { total_cents: 10_657 } })).rejects.toThrow("violates check");
  await expect(makeDonation(db.database, { line: { admin_share_cents: 499 } })).rejects.toThrow("do not sum");
  await expect(makeDonation(db.database, { line: { quantity: 2 } })).rejects.toThrow("violates check");
});

test("DON-22: payment events and ledger entries can be added but neither changed nor removed, even by the owner", async () => {
  const attempt = await makeAttempt(db.database, await makeDonation(db.database));
  await postLedger(attempt, [5, -5]);
  await db.pool.query(
    "insert into payment_events (attempt_id, to_state, event, actor, at) values ($1, 'submitting', 'x', 'request', now())",
    [attempt],
  );
  for (const table of ["payment_events", "ledger_entries"]) {
    for (const statement of [`update ${table} set at = now()`, `delete from ${table}`, `truncate ${table}`]) {
      await expect(db.pool.query(statement), statement).rejects.toThrow(/append only|permission denied/);
    }
  }
});

test("DON-22: one donation has at most one live or successful payment attempt", async () => {
  const donation = await makeDonation(db.database);
  await makeAttempt(db.database, donation, { state: "failed" });
  await makeAttempt(db.database, donation);
  await expect(makeAttempt(db.database, donation, { state: "unknown" })).rejects.toThrow("payment_attempts_one_live");
});

test("REL-1: every frequent query has its index", async () => {
  const plans = [
    "select * from payment_attempts where client_key = 'x'",
    "select * from payment_attempts where instrument_hash = '\\x00'",
    "select id from payment_attempts where state = 'submitting' and lease_until < now() order by lease_until limit 500",
    "select * from payment_attempts where next_check_at <= now() order by next_check_at limit 50",
    "select id from payment_attempts where instrument is not null and sent_at < now()",
    `select number from receipts where donation_id = '${randomUUID()}'`,
    `select * from donation_lines where donation_id = '${randomUUID()}'`,
    `select * from payment_events where attempt_id = '${randomUUID()}' order by id`,
    "select id from donations where awaits_receipt order by created_at limit 10",
    "select * from news where state = 'published' order by published_on desc, id desc limit 3",
    "select * from news where slug = 'x'",
    "select * from gallery_items where state = 'published' order by image_date desc, id desc limit 6",
    "select * from events where state = 'published' and ends_at >= now() order by ends_at, id limit 25",
    "select * from events where state = 'published' and ends_at < now() order by ends_at desc, id desc limit 25",
    "select * from events where slug = 'x'",
    "select bytes from image_variants where hash = 'x' and width = 640 and format = 'webp'",
    "select * from contact_messages order by created_at desc, id limit 50",
    "select * from states where country_id = 1",
    // Queries of the retention job.
    "select id from donations where account_closed_at is not null and email <> '' order by account_closed_at limit 500",
    "select id from donations where email <> '' and created_at < now() order by created_at limit 500",
    "select id from donations where repeat_digest is not null and created_at < now() order by created_at limit 500",
    "select number from receipts where erased_at is null and issued_at < now() order by issued_at limit 500",
    "select id from payment_attempts where (customer_ip_address <> '' or browser_id is not null) and created_at < now() order by created_at limit 500",
    "select id from payment_attempts where state in ('failed', 'cancelled', 'not_found') and customer_ip_address <> '' and created_at < now() order by created_at limit 500",
    "select id from ticket_orders where event_id = 1 and email <> ''",
    "select id from ticket_orders where account_closed_at is not null and email <> ''",
    "select id from ticket_orders where (browser_id is not null or network_hash is not null) and created_at < now() order by created_at limit 500",
    "select id from volunteer_applications where stage in ('declined', 'withdrawn') and decided_at < now() order by decided_at limit 500",
    "select id from volunteer_applications where stage in ('received', 'in_review', 'waiting') and updated_at < now() order by updated_at limit 500",
    "select id from contact_messages where created_at < now() order by created_at limit 500",
    "select id from mailbox_messages where sent_at < now() order by sent_at limit 500",
    "select key from rate_limits where expire < 1 order by expire limit 500",
    "select user_id from reset_codes where expires_at < now() order by expires_at limit 500",
  ];
  const client = await db.pool.connect();
  try {
    // On empty tables every plan is free, so this checks only whether an index can be used.
    await client.query("set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off");
    for (const statement of plans) {
      const { rows } = await client.query(`explain ${statement}`);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan, statement).toMatch(/Index/);
      expect(plan, statement).not.toMatch(/Seq Scan|Sort/);
    }
  } finally {
    client.release(true);
  }
});

test("REL-3: migrations run by many processes at once are applied once", async () => {
  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(db.url)));
  expect(applied.flat()).toEqual([]);
});

test("REL-3: migrations are never edited: each file has its checksum in SHA256SUMS", () => {
  const folder = "database/migrations";
  const found = listMigrations().map((name) => {
    const text = readFileSync(join(folder, name));
    return `${createHash("sha256").update(text).digest("hex")}  ${name}`;
  });
  const listed = readFileSync(join(folder, "SHA256SUMS"), "utf8").split("\n");
  expect(found).toEqual(listed.filter((line) => /^[0-9a-f]/.test(line)));
});

test("REL-3: a database from before the first release is refused with a sentence that says what to do", async () => {
  const other = await createTestDatabase();
  try {
    await other.pool.query("update migrations set name = '0001_house.sql' where name = '0001_site.sql'");
    await expect(migrate(other.url, { startOver: "Delete the folder /site/data, then start again." })).rejects.toThrow(
      "The database is from before the first release and cannot be brought up to date. Delete the folder /site/data, then start again.",
    );
  } finally {
    await other.stop();
  }
});

test("REL-3: a database that is newer than the code is refused with a sentence", async () => {
  const other = await createTestDatabase();
  try {
    await other.pool.query("insert into migrations (name) values ('9999_from_the_future.sql')");
    await expect(migrate(other.url)).rejects.toThrow(
      "The database is newer than this code: it holds 9999_from_the_future.sql.",
    );
  } finally {
    await other.stop();
  }
});
