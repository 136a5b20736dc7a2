import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { createJobs, type Jobs } from "#shared/jobs/jobs.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createCircuits, signalOf, WATCH_MS } from "./circuits.ts";
import type { ChargeOutcome, Providers } from "./provider.ts";

const log = pino({ level: "silent" });
const start = new Date("2026-11-21T03:00:00Z");
let db: TestDatabase;
let jobs: Jobs;
let now: Date;
let answers: { isBack: boolean; asked: number; hangs?: boolean };
beforeAll(async () => {
  db = await createTestDatabase();
  jobs = await createJobs({ pool: db.pool, log });
});
afterAll(async () => {
  await jobs.stop();
  await db.stop();
});
beforeEach(async () => {
  await db.pool.query("delete from provider_health");
  await db.pool.query("delete from pgboss.job");
  now = start;
  answers = { isBack: false, asked: 0 };
});

const checkCredentials = async () => {
  answers.asked += 1;
  if (answers.hangs) await new Promise(() => undefined);
  if (!answers.isBack) throw new Error("away");
};
const providers = { payway: { checkCredentials }, braintree: { checkCredentials } } as unknown as Providers;
const failures = 3;
const circuits = (database = db.database, probeMs = 10_000) =>
  createCircuits({ database, jobs, providers, settings: { failures, probeMs }, now: () => now, log, watchMs: 50 });
const wait = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};

const lost: ChargeOutcome = { kind: "unknown", reason: "no answer", mayResend: true };
const neverSent: ChargeOutcome = { kind: "not_charged", reason: "refused connection", mayRetry: true };
const declined: ChargeOutcome = {
  kind: "declined",
  transactionId: "1",
  status: "declined",
  responseCode: "05",
  raw: null,
};
const refused: ChargeOutcome = { kind: "not_charged", reason: "HTTP 422", mayRetry: false };
const emails = async () =>
  (await db.pool.query("select data from pgboss.job where data->>'template' = 'provider-unavailable'")).rows.map(
    ({ data }) => data,
  );

test("REL-1: a lost answer and an unsent call are failures, any answer of the bank is a success, a bad request is neither", () => {
  expect([lost, neverSent, declined, refused].map(signalOf)).toEqual(["failure", "failure", "answer", null]);
});

test("REL-1: three failures in a row open a provider's circuit, for it alone, and staff get one email", async () => {
  const site = circuits();
  for (const outcome of [lost, refused, neverSent]) await site.note("payway", outcome);
  expect(await site.isOpen("payway")).toBe(false);
  await site.note("payway", lost);
  expect(await site.isOpen("payway")).toBe(true);
  expect(await site.isOpen("braintree")).toBe(false);
  await Promise.all([1, 2, 3, 4].map(() => site.note("payway", lost)));
  expect(await emails()).toEqual([
    { template: "provider-unavailable", provider: "payway", since: start.toISOString() },
  ]);
});

test("REL-1: an answer between failures restarts the count", async () => {
  const site = circuits();
  for (const outcome of [lost, lost, declined, lost, lost]) await site.note("braintree", outcome);
  expect(await site.isOpen("braintree")).toBe(false);
  await site.note("braintree", lost);
  expect(await site.isOpen("braintree")).toBe(true);
});

test("REL-1: twenty concurrent failures open it once", async () => {
  const site = circuits();
  await Promise.all(Array.from({ length: 20 }, () => site.note("payway", lost)));
  expect(await emails()).toHaveLength(1);
  const { rows } = await db.pool.query("select failures, opened_at from provider_health");
  expect(rows).toEqual([{ failures: 20, opened_at: start }]);
});

test("REL-1: a provider is probed once per interval; once back it is used again, and one failure opens the circuit", async () => {
  const site = circuits();
  for (let time = 0; time < 3; time += 1) await site.note("payway", lost);
  for (let second = 0; second < 25; second += 1) {
    wait(1);
    await site.tick(now);
  }
  expect(answers.asked).toBe(2);
  expect(await site.isOpen("payway")).toBe(true);
  answers.isBack = true;
  wait(5);
  await site.tick(now);
  expect(await site.isOpen("payway")).toBe(false);
  await site.note("payway", lost);
  expect(await site.isOpen("payway")).toBe(true);
  expect(await emails()).toHaveLength(1);
  wait(3600);
  await site.tick(now);
  await site.note("payway", lost);
  expect(await emails()).toHaveLength(2);
});

test("REL-1: once a payment has succeeded after an outage, it again takes three failures to open the circuit", async () => {
  const site = circuits();
  for (let time = 0; time < 3; time += 1) await site.note("payway", lost);
  answers.isBack = true;
  wait(10);
  await site.tick(now);
  await site.note("payway", declined);
  await site.note("payway", lost);
  await site.note("payway", lost);
  expect(await site.isOpen("payway")).toBe(false);
});

test("REL-3: two processes agree within two seconds, and only one of them probes", async () => {
  const secondPool = createPool(db.url, () => undefined);
  const [first, second] = [circuits(), circuits(createDatabase(secondPool))];
  try {
    expect(await second.isOpen("payway")).toBe(false);
    await first.note("payway", lost);
    await second.note("payway", lost);
    await first.note("payway", lost);
    wait(2);
    expect([await first.isOpen("payway"), await second.isOpen("payway")]).toEqual([true, true]);
    answers.isBack = true;
    wait(10);
    await Promise.all([first.tick(now), second.tick(now)]);
    expect(answers.asked).toBe(1);
    wait(2);
    expect([await first.isOpen("payway"), await second.isOpen("payway")]).toEqual([false, false]);
  } finally {
    await secondPool.end();
  }
});

test("REL-1: a provider that accepts the probe but never answers delays nobody, and still counts as unavailable", async () => {
  const site = circuits(db.database, 50);
  for (let time = 0; time < 3; time += 1) await site.note("payway", lost);
  answers.hangs = true;
  wait(1);
  await site.tick(now);
  expect(await site.isOpen("payway")).toBe(true);
});

test("REL-9: a charge that hangs opens the circuit within ten seconds where the provider gives no sign of life, and not where it does", async () => {
  const site = circuits();
  const charge = Promise.withResolvers<ChargeOutcome>();
  answers.isBack = true;
  const watching = site.watch("payway", charge.promise);
  await expect.poll(() => answers.asked).toBeGreaterThan(2);
  expect((await db.pool.query("select 1 from provider_health")).rowCount).toBe(0);
  answers.hangs = true;
  const askedBefore = answers.asked;
  await watching;
  expect(answers.asked - askedBefore).toBe(failures);
  // The first check comes after one wait, and each gets another to be answered.
  expect((1 + failures) * WATCH_MS).toBeLessThan(10_000);
  expect(await site.isOpen("payway")).toBe(true);
  expect(await emails()).toHaveLength(1);
  charge.resolve(lost);
});

test("REL-9: a charge that is answered in time causes no probe", async () => {
  await circuits().watch("payway", Promise.resolve(declined));
  await circuits().watch("payway", Promise.reject(new Error("never")));
  expect(answers.asked).toBe(0);
});

test("REL-1: a database that does not answer closes no payment method, and stops no payment", async () => {
  const deadPool = createPool("postgres://nobody@127.0.0.1:1/none", () => undefined);
  const site = circuits(createDatabase(deadPool));
  await site.note("payway", lost);
  expect(await site.isOpen("payway")).toBe(false);
  await deadPool.end();
});
