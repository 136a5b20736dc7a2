import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { NOT_CHARGED } from "#shared/payments/attempts.ts";
import type { PaymentState } from "#shared/payments/states.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createDeclineBreaker } from "./decline-breaker.ts";

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
  // Only the attempts matter here, not what they pay for.
  await db.pool.query("alter table payment_attempts drop constraint payment_attempts_donation_id_fkey");
});
afterEach(() => db.stop());

const start = new Date("2026-11-21T03:00:00.500Z");
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const breaker = (log = { warn: vi.fn() }) => createDeclineBreaker({ database: db.database, payments: 20, log });

type Settled = { state?: PaymentState; provider?: "payway" | "braintree"; provider_status?: string };

async function settle(
  times: number,
  seconds: number,
  { state = "failed", provider = "payway", ...more }: Settled = {},
) {
  const rows = Array.from({ length: times }, () => ({
    id: randomUUID(),
    donation_id: randomUUID(),
    provider,
    order_reference: randomBytes(8).toString("hex").toUpperCase(),
    idempotency_key: randomUUID(),
    client_key: randomUUID(),
    request_hash: randomBytes(32),
    instrument_hash: randomBytes(32),
    instrument: null,
    amount_cents: 1000,
    currency: "AUD" as const,
    state,
    provider_transaction_id: null,
    provider_status: more.provider_status ?? "declined",
    response_code: null,
    lease_until: null,
    sent_at: start,
    next_check_at: null,
    settled_at: after(seconds),
    customer_address: "192.0.2.1",
    raw: null,
    created_at: start,
  }));
  await db.database.insertInto("payment_attempts").values(rows).execute();
}

test("DON-25: settled card payments raise the level, pause cards and let them again", async () => {
  for (let second = 0; second < 62; second++) await settle(1, second);
  expect(await breaker().findLevel(after(9))).toBe("normal");
  expect(await breaker().findLevel(after(30))).toBe("raised");
  expect(await breaker().findLevel(after(75))).toBe("paused");
  expect(await breaker().findLevel(after(375))).toBe("raised");
  expect(await breaker().findLevel(after(700))).toBe("normal");
});

test("DON-25: gifts that were paid stand against declines, whatever became of them later", async () => {
  await settle(25, 0);
  expect(await breaker().findLevel(after(1))).toBe("raised");
  await settle(20, 0, { state: "succeeded" });
  await settle(5, 0, { state: "refunded" });
  expect(await breaker().findLevel(after(1))).toBe("normal");
});

test("DON-25: an outage of the provider, and other methods than cards, are not taken for card testing", async () => {
  await settle(50, 0, { provider_status: NOT_CHARGED });
  await settle(50, 0, { provider: "braintree" });
  await settle(50, 0, { state: "not_found" });
  expect(await breaker().findLevel(after(1))).toBe("normal");
});

test("REL-3: two processes with their own connections see the same level", async () => {
  const secondPool = createPool(db.url, () => undefined);
  const second = createDeclineBreaker({ database: createDatabase(secondPool), payments: 20, log: { warn: vi.fn() } });
  try {
    for (let at = 0; at < 62; at += 2) await settle(4, at);
    for (const seconds of [1, 20, 61, 70, 200, 380, 700]) {
      expect(await second.findLevel(after(seconds))).toBe(await breaker().findLevel(after(seconds)));
    }
  } finally {
    await secondPool.end();
  }
});

test("DON-25: the level is read once in two seconds, and each change is logged once", async () => {
  const log = { warn: vi.fn() };
  const watched = breaker(log);
  expect(await watched.findLevel(after(0))).toBe("normal");
  await settle(30, 0);
  expect(await watched.findLevel(after(1))).toBe("normal");
  expect(await watched.findLevel(after(2))).toBe("raised");
  expect(await watched.findLevel(after(4))).toBe("raised");
  expect(log.warn.mock.calls.map(([details]) => details)).toEqual([{ from: "normal", to: "raised" }]);
});

test("DON-25: a database that does not answer leaves the site as it is", async () => {
  const deadPool = createPool("postgres://nobody@127.0.0.1:1/none", () => undefined);
  const log = { warn: vi.fn() };
  const dead = createDeclineBreaker({ database: createDatabase(deadPool), payments: 20, log });
  expect(await dead.findLevel(after(0))).toBe("normal");
  expect(log.warn).toHaveBeenCalledOnce();
  await deadPool.end();
});
