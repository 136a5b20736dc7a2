import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "#shared/seeded-random.ts";
import { longTest } from "#test/long-test.ts";
import { openRefundFixture, type RefundFixture } from "#test/refund-fixture.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

let fixture: RefundFixture;
beforeAll(async () => {
  fixture = await openRefundFixture();
});
afterAll(() => fixture.stop());

describe("a requested refund", () => {
  test("DON-22: a partial refund is taken from each account in proportion, and the rest may follow", async () => {
    const { payment, refund } = await fixture.begin(5329);
    expect(refund).toMatchObject({ state: "requested", amount_cents: 5329, sends: 0 });
    await fixture.tick();
    expect(await fixture.find(refund.id)).toMatchObject({
      state: "succeeded",
      kind: "refund",
      sends: 1,
      lease_until: null,
    });
    expect(await fixture.stateOf(payment)).toBe("partially_refunded");
    expect(await fixture.ledgerOf(payment)).toEqual({
      "donations:zakat": -5000,
      "fees:admin": -250,
      "fees:merchant": -79,
      "receivable:payway": 5329,
    });
    await fixture.refunds.request(fixture.requestFor(payment));
    await fixture.tick();
    expect(await fixture.stateOf(payment)).toBe("refunded");
    expect(Object.values(await fixture.ledgerOf(payment))).toEqual([0, 0, 0, 0]);
    expect(await fixture.check(payment)).toMatchObject({ kept: 0 });
    expect(await fixture.refunds.request(fixture.requestFor(payment))).toEqual({
      ok: false,
      problem: "nothing_left",
      leftCents: 0,
    });
  });

  test("DON-22: a payment stays settled on its day, and refunds change its state more than once", async () => {
    const { payment } = await fixture.begin(100);
    await fixture.tick();
    fixture.advance(day);
    await fixture.refunds.request(fixture.requestFor(payment, { amountCents: 100 }));
    await fixture.tick();
    const { rows } = await fixture.pool.query("select event from payment_events where attempt_id = $1 order by id", [
      payment.id,
    ]);
    expect(rows.map(({ event }) => event)).toEqual(["charge_approved", "partially_refunded", "refunded_again"]);
    const { settled_at } = await fixture.database
      .selectFrom("payment_attempts")
      .select("settled_at")
      .where("id", "=", payment.id)
      .executeTakeFirstOrThrow();
    expect(settled_at).toEqual(payment.settled_at);
  });

  test("DON-22: the same key is the same refund, and with other figures it is refused", async () => {
    const payment = await fixture.takePayment();
    const other = await fixture.takePayment();
    const requested = fixture.requestFor(payment, { amountCents: 600 });
    const first = await fixture.refunds.request(requested);
    expect(await fixture.refunds.request(requested)).toEqual({ ...first, isNew: false });
    await fixture.tick();
    expect(await fixture.refunds.request(requested)).toMatchObject({ ok: true, refund: { state: "succeeded" } });
    const reused = { ok: false, problem: "key_reused" };
    expect(await fixture.refunds.request({ ...requested, amountCents: 601 })).toMatchObject({
      ...reused,
      leftCents: 10_058,
    });
    expect(await fixture.refunds.request({ ...requested, amountCents: null })).toMatchObject(reused);
    expect(await fixture.refunds.request({ ...requested, attemptId: other.id })).toMatchObject(reused);
    expect(await fixture.refundsOf(payment)).toHaveLength(1);
  });

  test("DON-22: an amount that is not a whole number of cents above zero is the caller's mistake; too much is refused", async () => {
    const payment = await fixture.takePayment();
    for (const amountCents of [0, -1, 1.5, Number.NaN]) {
      await expect(fixture.refunds.request(fixture.requestFor(payment, { amountCents }))).rejects.toThrow(RangeError);
    }
    expect(await fixture.refunds.request(fixture.requestFor(payment, { amountCents: 10_659 }))).toEqual({
      ok: false,
      problem: "too_much",
      leftCents: 10_658,
    });
    const nobody = { ...fixture.requestFor(payment), attemptId: "00000000-0000-4000-8000-000000000000" };
    expect(await fixture.refunds.request(nobody)).toMatchObject({ problem: "not_paid" });
  });

  test("REL-1: of 20 simultaneous requests, from two processes, as many are granted as the charge covers", async () => {
    const payment = await fixture.takePayment();
    const other = fixture.besides();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? fixture.refunds : other).request(fixture.requestFor(payment, { amountCents: 1000 })),
      ),
    );
    expect(replies.filter(({ ok }) => ok)).toHaveLength(10);
    await Promise.all([fixture.tick(), other.tick(fixture.clock.at)]);
    expect(fixture.bank.leftOf(payment.provider_transaction_id!)).toBe(658);
    expect(await fixture.check(payment)).toMatchObject({ kept: 658 });
  });

  test("REL-1: 20 simultaneous copies of one request make one refund", async () => {
    const payment = await fixture.takePayment();
    const other = fixture.besides();
    const requested = fixture.requestFor(payment, { amountCents: 1000 });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? fixture.refunds : other).request(requested)),
    );
    expect(new Set(replies.map((reply) => (reply.ok ? reply.refund.id : "")))).toHaveProperty("size", 1);
    await Promise.all([fixture.tick(), other.tick(fixture.clock.at)]);
    expect(fixture.bank.refundsOf(payment.provider_transaction_id!)).toHaveLength(1);
  });

  test("REL-1: the database itself refuses more than was charged", async () => {
    const { payment } = await fixture.begin(10_000);
    const insert = fixture.pool.query(
      `insert into refunds (id, attempt_id, request_key, order_reference, idempotency_key, amount_cents, requested_by, state, created_at)
       values (gen_random_uuid(), $1, gen_random_uuid()::text, 'R-TOO-MUCH', gen_random_uuid(), 659, 'staff', 'requested', now())`,
      [payment.id],
    );
    await expect(insert).rejects.toThrow(/exceed what was charged/);
    await fixture.tick();
  });

  longTest(
    "DON-22: 40 random parts of a payment over five accounts leave the ledger right to the cent after each",
    async () => {
      const random = seededRandom(42);
      const payment = await fixture.takePayment([
        { account: "donations:zakat", cents: -33_333 },
        { account: "donations:sadaqah", cents: -1 },
        { account: "donations:orphans", cents: -20_000 },
        { account: "fees:admin", cents: -2667 },
        { account: "fees:merchant", cents: -840 },
      ]);
      for (let left = payment.amount_cents, parts = 1; left > 0; parts += 1) {
        const amountCents = parts === 40 ? left : 1 + Math.floor((random() * left) / 10);
        await fixture.refunds.request(fixture.requestFor(payment, { amountCents }));
        await fixture.tick();
        left -= amountCents;
        expect(await fixture.check(payment)).toMatchObject({ kept: left });
      }
      expect(await fixture.stateOf(payment)).toBe("refunded");
    },
  );
});

describe("the command", () => {
  test("DON-22: it sends immediately and waits for the outcome", async () => {
    const { payment, refund } = await fixture.begin(500);
    expect(await fixture.refunds.run(refund.id)).toMatchObject({ state: "succeeded" });
    expect(await fixture.refunds.listOf(payment.id)).toHaveLength(1);
    const refused = await fixture.begin(500, "refused");
    expect(await fixture.refunds.run(refused.refund.id)).toMatchObject({ state: "failed" });
    const early = await fixture.begin(500, "too_early");
    expect(await fixture.refunds.run(early.refund.id)).toMatchObject({ state: "requested" });
    expect(await fixture.refunds.run(early.refund.id)).toMatchObject({ state: "succeeded" });
  });

  test("DON-22: it says so if the outcome is not known yet, and two simultaneous commands send once", async () => {
    const lost = await fixture.begin(500, "lost_made");
    fixture.bank.state.isDown = true;
    expect(await fixture.refunds.run(lost.refund.id)).toMatchObject({ state: "unknown" });
    fixture.bank.state.isDown = false;
    const { refund, chargeId } = await fixture.begin(500);
    const both = await Promise.all([fixture.refunds.run(refund.id), fixture.besides().run(refund.id)]);
    expect(both.map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
    expect(fixture.bank.refundsOf(chargeId)).toHaveLength(1);
    await fixture.until(lost.refund, "succeeded", { stepMs: minute });
  });

  test("REL-1: a graceful stop waits for open calls", async () => {
    const { refund } = await fixture.begin(500);
    const release = fixture.bank.holdNext();
    const running = fixture.refunds.run(refund.id);
    await expect.poll(async () => (await fixture.find(refund.id)).state).toBe("submitting");
    const finished = fixture.refunds.finish();
    release();
    await finished;
    expect(await fixture.find(refund.id)).toMatchObject({ state: "succeeded" });
    await running;
  });
});
