import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "#simulators/faults.ts";
import { openRefundHouse, type RefundHouse } from "#test/refund-house.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

let house: RefundHouse;
beforeAll(async () => {
  house = await openRefundHouse();
});
afterAll(() => house.stop());

describe("what is asked for", () => {
  test("DON-22: a part goes back, is taken from each account in proportion, and the rest may follow", async () => {
    const { payment, refund } = await house.begin(5329);
    expect(refund).toMatchObject({ state: "requested", amount_cents: 5329, sends: 0 });
    await house.tick();
    expect(await house.find(refund.id)).toMatchObject({
      state: "succeeded",
      kind: "refund",
      sends: 1,
      lease_until: null,
    });
    expect(await house.stateOf(payment)).toBe("partially_refunded");
    expect(await house.ledgerOf(payment)).toEqual({
      "donations:zakat": -5000,
      "fees:admin": -250,
      "fees:merchant": -79,
      "receivable:payway": 5329,
    });
    await house.refunds.request(house.wish(payment));
    await house.tick();
    expect(await house.stateOf(payment)).toBe("refunded");
    expect(Object.values(await house.ledgerOf(payment))).toEqual([0, 0, 0, 0]);
    expect(await house.check(payment)).toMatchObject({ kept: 0 });
    expect(await house.refunds.request(house.wish(payment))).toEqual({
      ok: false,
      problem: "nothing_left",
      leftCents: 0,
    });
  });

  test("DON-22: what was paid stays settled on its day, and refunds move it more than once", async () => {
    const { payment } = await house.begin(100);
    await house.tick();
    house.advance(day);
    await house.refunds.request(house.wish(payment, { amountCents: 100 }));
    await house.tick();
    const { rows } = await house.pool.query("select event from payment_events where attempt_id = $1 order by id", [
      payment.id,
    ]);
    expect(rows.map(({ event }) => event)).toEqual(["charge_approved", "partly_refunded", "refunded_again"]);
    const { settled_at } = await house.database
      .selectFrom("payment_attempts")
      .select("settled_at")
      .where("id", "=", payment.id)
      .executeTakeFirstOrThrow();
    expect(settled_at).toEqual(payment.settled_at);
  });

  test("DON-22: the same key is the same refund, and with other figures it is refused", async () => {
    const payment = await house.takePayment();
    const other = await house.takePayment();
    const wish = house.wish(payment, { amountCents: 600 });
    const first = await house.refunds.request(wish);
    expect(await house.refunds.request(wish)).toEqual(first);
    await house.tick();
    expect(await house.refunds.request(wish)).toMatchObject({ ok: true, refund: { state: "succeeded" } });
    const reused = { ok: false, problem: "key_reused" };
    expect(await house.refunds.request({ ...wish, amountCents: 601 })).toMatchObject({ ...reused, leftCents: 10_058 });
    expect(await house.refunds.request({ ...wish, amountCents: null })).toMatchObject(reused);
    expect(await house.refunds.request({ ...wish, attemptId: other.id })).toMatchObject(reused);
    expect(await house.refundsOf(payment)).toHaveLength(1);
  });

  test("DON-22: an amount that is no whole cents above zero is a mistake of the caller; too much is refused", async () => {
    const payment = await house.takePayment();
    for (const amountCents of [0, -1, 1.5, Number.NaN]) {
      await expect(house.refunds.request(house.wish(payment, { amountCents }))).rejects.toThrow(RangeError);
    }
    expect(await house.refunds.request(house.wish(payment, { amountCents: 10_659 }))).toEqual({
      ok: false,
      problem: "too_much",
      leftCents: 10_658,
    });
    const nobody = { ...house.wish(payment), attemptId: "00000000-0000-4000-8000-000000000000" };
    expect(await house.refunds.request(nobody)).toMatchObject({ problem: "not_paid" });
  });

  test("REL-1: of 20 requests at once, from two processes, as many are granted as were charged for", async () => {
    const payment = await house.takePayment();
    const other = house.besides();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? house.refunds : other).request(house.wish(payment, { amountCents: 1000 })),
      ),
    );
    expect(replies.filter(({ ok }) => ok)).toHaveLength(10);
    await Promise.all([house.tick(), other.tick(house.clock.at)]);
    expect(house.bank.leftOf(payment.provider_transaction_id!)).toBe(658);
    expect(await house.check(payment)).toMatchObject({ kept: 658 });
  });

  test("REL-1: 20 copies of one request at once make one refund", async () => {
    const payment = await house.takePayment();
    const other = house.besides();
    const wish = house.wish(payment, { amountCents: 1000 });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? house.refunds : other).request(wish)),
    );
    expect(new Set(replies.map((reply) => (reply.ok ? reply.refund.id : "")))).toHaveProperty("size", 1);
    await Promise.all([house.tick(), other.tick(house.clock.at)]);
    expect(house.bank.givenOf(payment.provider_transaction_id!)).toHaveLength(1);
  });

  test("REL-1: the database itself refuses more than was charged", async () => {
    const { payment } = await house.begin(10_000);
    const insert = house.pool.query(
      `insert into refunds (id, attempt_id, request_key, order_reference, idempotency_key, amount_cents, requested_by, state, created_at)
       values (gen_random_uuid(), $1, gen_random_uuid()::text, 'R-TOO-MUCH', gen_random_uuid(), 659, 'staff', 'requested', now())`,
      [payment.id],
    );
    await expect(insert).rejects.toThrow(/exceed what was charged/);
    await house.tick();
  });

  test("DON-22: 40 random parts of a payment over five accounts leave the ledger right to the cent after each", async () => {
    const random = seededRandom(42);
    const payment = await house.takePayment([
      { account: "donations:zakat", cents: -33_333 },
      { account: "donations:sadaqah", cents: -1 },
      { account: "donations:orphans", cents: -20_000 },
      { account: "fees:admin", cents: -2667 },
      { account: "fees:merchant", cents: -840 },
    ]);
    for (let left = payment.amount_cents, parts = 1; left > 0; parts += 1) {
      const amountCents = parts === 40 ? left : 1 + Math.floor((random() * left) / 10);
      await house.refunds.request(house.wish(payment, { amountCents }));
      await house.tick();
      left -= amountCents;
      expect(await house.check(payment)).toMatchObject({ kept: left });
    }
    expect(await house.stateOf(payment)).toBe("refunded");
  });
});

describe("the command", () => {
  test("DON-22: it sends at once and waits for the outcome", async () => {
    const { payment, refund } = await house.begin(500);
    expect(await house.refunds.run(refund.id)).toMatchObject({ state: "succeeded" });
    expect(await house.refunds.listOf(payment.id)).toHaveLength(1);
    const refused = await house.begin(500, "refused");
    expect(await house.refunds.run(refused.refund.id)).toMatchObject({ state: "failed" });
    const early = await house.begin(500, "too_early");
    expect(await house.refunds.run(early.refund.id)).toMatchObject({ state: "requested" });
    expect(await house.refunds.run(early.refund.id)).toMatchObject({ state: "succeeded" });
  });

  test("DON-22: it says so when nobody knows yet, and two commands at once send once", async () => {
    const lost = await house.begin(500, "lost_made");
    house.bank.state.isDown = true;
    expect(await house.refunds.run(lost.refund.id)).toMatchObject({ state: "unknown" });
    house.bank.state.isDown = false;
    const { refund, chargeId } = await house.begin(500);
    const both = await Promise.all([house.refunds.run(refund.id), house.besides().run(refund.id)]);
    expect(both.map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
    expect(house.bank.givenOf(chargeId)).toHaveLength(1);
    await house.until(lost.refund, "succeeded", { stepMs: minute });
  });

  test("REL-1: a graceful stop waits for what is under way", async () => {
    const { refund } = await house.begin(500);
    const release = house.bank.holdNext();
    const running = house.refunds.run(refund.id);
    await expect.poll(async () => (await house.find(refund.id)).state).toBe("submitting");
    const finished = house.refunds.finish();
    release();
    await finished;
    expect(await house.find(refund.id)).toMatchObject({ state: "succeeded" });
    await running;
  });
});
