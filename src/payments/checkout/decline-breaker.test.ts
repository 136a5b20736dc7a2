import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { longTest } from "#test/long-test.ts";
import { NOT_CHARGED } from "../attempts.ts";
import type { PaymentState } from "../states.ts";
import type { Authentication } from "../tables.ts";
import { type Admission, type CardSender, createDeclineBreaker } from "./decline-breaker.ts";

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
  // Only the attempts matter here, not what they pay for.
  await db.pool.query("alter table payment_attempts drop constraint payment_attempts_donation_id_fkey");
});
afterEach(() => db.stop());

const start = new Date("2026-11-21T03:00:00.500Z");
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const breaker = (log = { warn: vi.fn() }, database = db.database) =>
  createDeclineBreaker({ database, payments: 20, log });
type Breaker = ReturnType<typeof breaker>;

type Written = {
  state?: PaymentState;
  provider?: "payway" | "braintree";
  provider_status?: string;
  authentication?: Authentication;
};

const rowOf = (seconds: number, { state = "failed", provider = "payway", ...more }: Written) => ({
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
  authentication: more.authentication ?? null,
  lease_until: null,
  sent_at: after(seconds),
  next_check_at: null,
  settled_at: state === "submitting" ? null : after(seconds),
  customer_ip_address: "192.0.2.1",
  raw: null,
  created_at: after(seconds),
});

async function write(times: number, seconds: number, row: Written = {}) {
  const rows = Array.from({ length: times }, () => rowOf(seconds, row));
  await db.database.insertInto("payment_attempts").values(rows).execute();
}

/** Records a payment as a request does, and rolls it back if it is not admitted. */
async function record(
  site: Breaker,
  seconds: number,
  sender: CardSender = "new",
): Promise<{ id: string; admission: Admission }> {
  const row = rowOf(seconds, { state: "submitting" });
  let admission: Admission = { ok: true };
  await db.database
    .transaction()
    .execute(async (transaction) => {
      await transaction.insertInto("payment_attempts").values(row).execute();
      admission = await site.admit(transaction, after(seconds), sender);
      if (!admission.ok) throw new Error("not let in");
    })
    .catch((error: Error) => {
      if (error.message !== "not let in") throw error;
    });
  return { id: row.id, admission };
}

/** Tries one card, which is declined a moment later if it was admitted. */
async function tryCard(site: Breaker, tick: () => number): Promise<boolean> {
  const { id, admission } = await record(site, tick());
  if (!admission.ok) return false;
  const declined = { state: "failed", provider_status: "declined" } as const;
  await db.database.updateTable("payment_attempts").set(declined).where("id", "=", id).execute();
  await site.review(after(tick()));
  return true;
}

/** How many tries were admitted, a few at a time. */
async function attack(sites: readonly Breaker[], tries: number, seconds: number, width = 20): Promise<number> {
  let left = tries;
  let passed = 0;
  const tick = () => {
    passed += 1;
    return seconds + passed / 1000;
  };
  let isIn = 0;
  const worker = async (_: unknown, index: number) => {
    while (left > 0) {
      left -= 1;
      if (await tryCard(sites[index % sites.length]!, tick)) isIn += 1;
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return isIn;
}

test("DON-25: declines raise the captcha's cost, then guard cards for an hour", async () => {
  await write(9, 0);
  expect(await breaker().findLevel(after(1))).toBe("normal");
  await write(1, 0);
  expect(await breaker().findLevel(after(1))).toBe("raised");
  await write(10, 0);
  await breaker().review(after(2));
  expect(await breaker().findLevel(after(3))).toBe("guarded");
  expect(await breaker().findLevel(after(3601))).toBe("guarded");
  expect(await breaker().findLevel(after(3603))).toBe("normal");
});

test("DON-25: paid gifts offset declines, whatever happened to them later", async () => {
  await write(25, 0);
  expect(await breaker().findLevel(after(1))).toBe("raised");
  await write(30, 0, { state: "succeeded" });
  await write(5, 0, { state: "refunded" });
  expect(await breaker().findLevel(after(1))).toBe("normal");
});

test("DON-25: an outage of the provider, and other methods than cards, are not taken for card testing", async () => {
  await write(50, 0, { provider_status: NOT_CHARGED });
  await write(50, 0, { provider: "braintree" });
  await write(50, 0, { state: "not_found" });
  await write(50, 0, { state: "unknown" });
  await write(50, 0, { state: "cancelled", authentication: "C" });
  expect(await breaker().findLevel(after(1))).toBe("normal");
});

test("DON-18, DON-25: a bank that says no in 3-D Secure is a decline", async () => {
  await write(6, 0, { state: "cancelled", authentication: "N" });
  await write(6, 0, { state: "cancelled", authentication: "R" });
  expect(await breaker().findLevel(after(1))).toBe("raised");
});

longTest(
  "DON-25: of 300 tries, twenty at a time, at most twenty reach the provider before cards are guarded, then three in ten minutes and ten in an hour",
  async () => {
    const site = breaker();
    let isIn = await attack([site], 300, 0);
    expect(isIn).toBeLessThanOrEqual(23);
    expect(await site.findLevel(after(2))).toBe("guarded");
    for (let minute = 1; minute <= 59; minute += 1) {
      const now = await attack([site], 5, minute * 60);
      expect(now).toBeLessThanOrEqual(3);
      isIn += now;
    }
    expect(isIn).toBeGreaterThan(23);
    expect(isIn).toBeLessThanOrEqual(30);
    expect(await site.hasRoom(after(3590))).toBe(false);
  },
);

test("SEC-4, DON-25: while no room is left, earlier donors are still accepted", async () => {
  const site = breaker();
  await attack([site], 40, 0);
  await attack([site], 10, 60);
  expect(await site.hasRoom(after(63))).toBe(false);
  expect((await record(site, 64)).admission).toEqual({ ok: false, isCrowded: false, retryAfterSeconds: 300 });
  expect((await record(site, 64, "known")).admission).toEqual({ ok: true });
  await expect(record(site, 64, "unchecked")).rejects.toMatchObject({ problem: "captcha_dearer", effort: 16 });
});

test("SEC-4, DON-25: payments in progress refuse no newcomer beforehand: whoever finds no room then waits for a turn", async () => {
  const site = breaker();
  await write(20, 0);
  await site.review(after(1));
  expect(await site.findLevel(after(2))).toBe("guarded");
  await write(3, 3, { state: "submitting" });
  expect(await site.hasRoom(after(5))).toBe(true);
  expect((await record(site, 6)).admission).toEqual({ ok: false, isCrowded: true, retryAfterSeconds: 5 });
});

longTest(
  "REL-3: two processes with their own connections together let in no more than one would, and see the same level",
  async () => {
    const secondPool = createPool(db.url, () => undefined);
    const second = breaker({ warn: vi.fn() }, createDatabase(secondPool));
    const first = breaker();
    try {
      expect(await attack([first, second], 300, 0)).toBeLessThanOrEqual(25);
      for (const seconds of [2, 200, 303, 700]) {
        expect(await second.findLevel(after(seconds))).toBe(await first.findLevel(after(seconds)));
      }
    } finally {
      await secondPool.end();
    }
  },
);

test("DON-25: a crowd of good cards is accepted a few at a time, told to try again, and never suspected", async () => {
  const site = breaker();
  const tries = await Promise.all(Array.from({ length: 40 }, () => record(site, 0)));
  const isIn = tries.filter(({ admission }) => admission.ok);
  expect(isIn.length).toBeGreaterThanOrEqual(15);
  expect(isIn.length).toBeLessThanOrEqual(25);
  expect(tries.find(({ admission }) => !admission.ok)!.admission).toMatchObject({ isCrowded: true });
  await db.database
    .updateTable("payment_attempts")
    .set({ state: "succeeded" })
    .where("state", "=", "submitting")
    .execute();
  await site.review(after(1));
  expect(await site.findLevel(after(3))).toBe("normal");
  expect(await attack([site], 10, 3, 5)).toBe(10);
});

test("PERF-12, DON-25: cards that were paid take no room, so the crowd behind them is sent without waiting for a lock", async () => {
  const site = breaker();
  await site.findLevel(after(0));
  const sendAll = (state: "paid" | "under way") =>
    Array.from({ length: 100 }, () => {
      const place = site.takePlace(after(1));
      if (state === "paid") place?.free();
      return place;
    }).filter((place) => place !== null).length;
  expect(sendAll("paid")).toBe(100);
  // A quarter of the limit: they may all be declined yet.
  expect(sendAll("under way")).toBe(5);
});

test("DON-25: if a payment has left room for half a card, cards are guarded and not just refused", async () => {
  await write(1, 0, { state: "succeeded" });
  await write(20, 0);
  await breaker().review(after(1));
  expect(await breaker().findLevel(after(1))).toBe("guarded");
});

test("DON-25: the level is read once in two seconds, and each change is logged once", async () => {
  const log = { warn: vi.fn() };
  const watched = breaker(log);
  expect(await watched.findLevel(after(0))).toBe("normal");
  await write(30, 0);
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
  await dead.review(after(0));
  expect(log.warn).toHaveBeenCalledTimes(2);
  await deadPool.end();
});
