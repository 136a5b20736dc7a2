import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { defaultDurations } from "#test/child-site.ts";
import type { TestDatabase } from "#test/database.ts";
import { type CrashFixture, type CrashLife, openCrashFixture } from "./crash-fixture.ts";
import { createScriptedDonor } from "./donor.ts";
import { openServices } from "./refunds-chaos.ts";

const day = 24 * 3_600_000;
/** Within this time of the last fault everything is in a final state (R1). */
const finalMs = 60_000;
const patient = 150_000;
const cases = [
  ["refund_sending", "card", 2],
  ["refund_answered", "card", 1],
  ["refund_sending", "PayPal", 2],
  ["refund_answered", "PayPal", 1],
] as const;
let fixture: CrashFixture;
const lives = new Map<string, CrashLife>();
/** A server and a database for each case, with one settled payment. */
beforeAll(async () => {
  fixture = await openCrashFixture("refund-takeover");
  const { simulator, begin } = fixture;
  for (const [point, method] of cases) {
    const name = `${point}-${method}`.toLowerCase().replace("_", "-");
    const life = await begin(name, defaultDurations);
    await life.site.start({ CRASH_POINT: point });
    const address = { url: life.site.url, paywayUrl: simulator.paywayUrl, address: "198.51.100.9" };
    const donor = createScriptedDonor({ ...address, random: Math.random, payPalShare: method === "card" ? 0 : 1 });
    const { donation, body } = await donor.prepare(name);
    await donor.submit(donation, body, patient);
    lives.set(`${point} ${method}`, life);
  }
  await simulator.advance(day);
});
afterAll(() => fixture.stop());

/** Records a refund of the only payment, as the command does: the next server to tick sends it. */
async function recordRefund({ url, pool }: TestDatabase, amountCents: number): Promise<void> {
  const { rows } = await pool.query<{ id: string }>("select id from payment_attempts");
  const services = await openServices({ DATABASE_URL: url, PAYWAY_URL: fixture.simulator.paywayUrl });
  const requested = {
    attemptId: rows[0]!.id,
    amountCents,
    requestKey: "refund",
    requestedBy: "staff",
    reason: "",
  } as const;
  const reply = await services.payments.refunds.request(requested);
  await services.jobs.stop();
  await services.database.destroy();
  expect(reply.ok).toBe(true);
}

test.concurrent.each(cases)(
  "REL-8: when a server with default settings dies at '%s' of a refund by %s, the next one makes the refund once, within 60 s",
  async (point, method, sends) => {
    const { site, db } = lives.get(`${point} ${method}`)!;
    await recordRefund(db, 150);
    expect(await site.hasDied(), "the server dies").toBe(true);
    await site.start();
    const began = Date.now();
    const find = async () => (await db.pool.query("select state, sends, idempotency_key from refunds")).rows[0];
    while ((await find()).state !== "succeeded" && Date.now() - began < 2 * finalMs) await sleep(200);
    expect(Date.now() - began).toBeLessThan(finalMs);
    expect(await find()).toMatchObject({ state: "succeeded", sends });
    const { rows } = await db.pool.query("select order_reference from payment_attempts");
    const ledger = await fixture.simulator.listLedger();
    const charge = ledger.find(({ orderReference }) => orderReference === rows[0].order_reference)!;
    const own = ledger.filter(({ transactionId, parentId }) =>
      [transactionId, parentId].includes(charge.transactionId),
    );
    expect(own.filter(({ type }) => type === "refund").map(({ amountCents }) => amountCents)).toEqual([150]);
    expect(faultsOf(await compareBooks(db.pool, own))).toEqual(noFaults);
  },
);
