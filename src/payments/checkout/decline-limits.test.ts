import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { forgetOldCounts } from "#shared/limits/count.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createDeclineLimits, type Payer } from "./decline-limits.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.stop());

const secretKey = "a secret key of thirty-two characters";
const log = { warn: vi.fn() };
const clock = { at: new Date() };
const limitsOn = (pool = db.pool, windowSeconds = 900) =>
  createDeclineLimits({
    database: createDatabase(pool),
    secretKey,
    declines: 5,
    windowSeconds,
    log,
    now: () => clock.at,
  });

let strangers = 0;
/** A payer whom no other test has counted. */
function stranger() {
  strangers += 1;
  return {
    address: `198.51.100.${strangers}`,
    browser: `browser-${strangers}`,
    email: `person-${strangers}@mail.example`,
  };
}

async function decline(payer: Payer, times: number, limits = limitsOn()) {
  for (let time = 0; time < times; time++) await limits.countDecline(payer);
}

test("DON-25: five declines are allowed; after a sixth the payer is refused, and the refusal says for how long", async () => {
  const payer = stranger();
  await decline(payer, 5);
  expect((await limitsOn().read(payer)).refusal).toBeNull();
  await decline(payer, 1);
  const refusal = (await limitsOn().read(payer)).refusal;
  expect(refusal?.retryAfterSeconds).toBeGreaterThan(890);
  expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(900);
});

test.each(["address", "browser"] as const)("DON-25: the same %s alone is enough to be refused", async (kind) => {
  const payer = stranger();
  const other = stranger();
  await decline(payer, 6);
  expect((await limitsOn().read(other)).refusal).toBeNull();
  expect((await limitsOn().read({ ...other, [kind]: payer[kind] })).refusal).not.toBeNull();
});

test("SEC-4, DON-25: declines under an email refuse nobody; they make its captcha dearer, however it is spelled", async () => {
  const email = stranger().email;
  const efforts = [];
  for (let nth = 0; nth < 25; nth += 1) {
    await decline({ ...stranger(), email }, 1);
    efforts.push((await limitsOn().read({ ...stranger(), email: ` ${email.toUpperCase()} ` })).effort);
  }
  expect(efforts.filter((_, nth) => nth % 5 === 4)).toEqual([1, 4, 8, 16, 32]);
  expect((await limitsOn().read({ ...stranger(), email })).refusal).toBeNull();
  expect((await limitsOn().read(stranger())).effort).toBe(1);
});

test("SEC-4, DON-25: failed captchas count against the sender, not the email in them", async () => {
  const payer = stranger();
  for (let nth = 0; nth < 30; nth += 1) await limitsOn().countFailedCaptcha(payer);
  expect((await limitsOn().read({ ...stranger(), email: payer.email })).effort).toBe(1);
  expect((await limitsOn().read({ ...stranger(), address: payer.address })).refusal).not.toBeNull();
  expect((await limitsOn().read({ ...stranger(), browser: payer.browser })).refusal).not.toBeNull();
});

test("DON-25: another address of the same /64 is the same payer", async () => {
  await decline({ address: "2001:db8:5:6::1" }, 6);
  expect((await limitsOn().read({ address: "2001:db8:5:6:ffff::2" })).refusal).not.toBeNull();
  expect((await limitsOn().read({ address: "2001:db8:5:7::1" })).refusal).toBeNull();
  await decline({ address: "203.0.113.9" }, 6);
  expect((await limitsOn().read({ address: "::ffff:203.0.113.9" })).refusal).not.toBeNull();
});

test("DON-25: payers without a browser or an email are not counted as one", async () => {
  await decline({ address: "203.0.113.20", browser: "", email: "" }, 6);
  expect((await limitsOn().read({ address: "203.0.113.21", browser: "", email: " " })).refusal).toBeNull();
});

test("DON-25: asking changes nothing, so that a success never counts", async () => {
  const payer = stranger();
  await decline(payer, 5);
  for (let time = 0; time < 20; time++) expect((await limitsOn().read(payer)).refusal).toBeNull();
});

test("DON-25: the window ends", async () => {
  const payer = stranger();
  const limits = limitsOn(db.pool, 1);
  await decline(payer, 6, limits);
  expect((await limits.read(payer)).refusal).toEqual({ retryAfterSeconds: 1 });
  clock.at = new Date(clock.at.getTime() + 1000);
  expect((await limits.read(payer)).refusal).toBeNull();
  await decline(payer, 1, limits);
  expect((await limits.read(payer)).refusal, "the next one opens a new window").toBeNull();
});

test("DON-25: expired counts are deleted, and the rest stays", async () => {
  const [over, open] = [stranger(), stranger()];
  await decline(over, 6, limitsOn(db.pool, 1));
  await decline(open, 6);
  await forgetOldCounts(createDatabase(db.pool), new Date(clock.at.getTime() + 1001));
  expect((await limitsOn().read(open)).refusal).not.toBeNull();
  const { rows } = await db.pool.query("select from rate_limits where expire <= $1", [clock.at.getTime() + 1000]);
  expect(rows).toEqual([]);
});

test("REL-3: two processes count together, and thirty simultaneous declines are thirty", async () => {
  const payer = stranger();
  const secondPool = createPool(db.url, () => undefined);
  try {
    const second = limitsOn(secondPool);
    await decline(payer, 3);
    await decline(payer, 3, second);
    expect((await limitsOn().read(payer)).refusal).not.toBeNull();
    expect((await second.read(payer)).refusal).not.toBeNull();

    const crowd = { address: stranger().address };
    const declines = Array.from({ length: 30 }, (_, index) => (index % 2 ? second : limitsOn()).countDecline(crowd));
    await Promise.all(declines);
    const { rows } = await db.pool.query("select max(points) as points from rate_limits");
    expect(rows).toEqual([{ points: 30 }]);
  } finally {
    await secondPool.end();
  }
});

test("DON-25: the table holds no address, browser or email", async () => {
  const payer = stranger();
  await decline(payer, 1);
  const { rows } = await db.pool.query<{ row: string }>("select rate_limits::text as row from rate_limits");
  const text = rows.map(({ row }) => row).join("\n");
  for (const part of Object.values(payer)) expect(text).not.toContain(part);
});

test("DON-25: a database that does not answer refuses no donor, and the log says so", async () => {
  const deadPool = createPool("postgres://nobody@127.0.0.1:1/none", () => undefined);
  const limits = limitsOn(deadPool);
  log.warn.mockClear();
  await limits.countDecline(stranger());
  expect((await limits.read(stranger())).refusal).toBeNull();
  expect(log.warn).toHaveBeenCalledTimes(2);
  await deadPool.end();
});
