import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listAbsentOwners, newProcessId } from "#shared/database/process-presence.ts";
import { openRefundHouse, type RefundHouse } from "#test/refund-house.ts";
import type { RefundTurn } from "#test/scripted-bank.ts";
import { findAttempt } from "../attempts.ts";
import { settleRefund } from "./refund-settle.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

let house: RefundHouse;
beforeAll(async () => {
  house = await openRefundHouse();
});
afterAll(() => house.stop());

describe("what the provider answers", () => {
  test("REL-1: refused is final, and a person is told", async () => {
    const { payment, refund } = await house.begin(500, "refused");
    await house.tick();
    expect(await house.find(refund.id)).toMatchObject({ state: "failed", next_check_at: null });
    expect(house.toldOf(refund.id)).toEqual(["the facility gives nothing back"]);
    expect(await house.stateOf(payment)).toBe("succeeded");
    expect((await house.refunds.request(house.wish(payment))).ok).toBe(true);
    await house.tick();
    await house.check(payment);
  });

  test("DON-22: too early is asked again every hour under a new key, until the payment has settled", async () => {
    const { payment, refund } = await house.begin(500, "too_early", "too_early");
    await house.tick();
    const postponed = await house.find(refund.id);
    expect(postponed).toMatchObject({ state: "requested", sends: 0 });
    expect(postponed.next_check_at).toEqual(new Date(house.clock.at.getTime() + hour));
    expect(postponed.idempotency_key).not.toBe(refund.idempotency_key);
    await house.until(refund, "succeeded", { stepMs: hour, steps: 4 });
    expect(house.bank.givenOf(payment.provider_transaction_id!)).toHaveLength(1);
    await house.check(payment);
  });

  test("DON-22: too early for ten days is given up, and a person is told", async () => {
    const { refund } = await house.begin(500, ...Array<RefundTurn>(20).fill("too_early"));
    await house.tick();
    for (let days = 0; days < 9; days += 1) {
      house.advance(day);
      await house.tick();
    }
    expect(house.toldOf(refund.id)).toEqual([]);
    house.advance(day);
    await house.tick();
    expect(await house.find(refund.id)).toMatchObject({ state: "failed" });
    expect(house.toldOf(refund.id)).toEqual(["it could not be sent for days: the payment has not settled yet"]);
    house.bank.forget();
  });

  test("REL-1: what could not be sent is sent when the provider is back", async () => {
    const { payment, refund } = await house.begin(500, "not_sent", "not_sent");
    await house.tick();
    expect(await house.find(refund.id)).toMatchObject({ state: "requested" });
    await house.until(refund, "succeeded", { stepMs: minute, steps: 10 });
    await house.check(payment);
  });

  test("REL-1: a lost answer is found in the books, and nothing is sent twice", async () => {
    const { payment, refund, chargeId } = await house.begin(500, "lost_made");
    await house.tick();
    expect(await house.find(refund.id)).toMatchObject({ state: "unknown", sends: 1 });
    expect(await house.stateOf(payment)).toBe("succeeded");
    await house.until(refund, "succeeded");
    expect(await house.find(refund.id)).toMatchObject({ sends: 1 });
    expect(house.bank.givenOf(chargeId)).toHaveLength(1);
    await house.check(payment);
  });

  test("REL-1: where the provider allows it the same key is sent once more, and the money goes back once", async () => {
    for (const turn of ["lost_resendable", "lost_made_resendable"] as const) {
      const { payment, refund, chargeId } = await house.begin(500, turn);
      await house.tick();
      const done = await house.until(refund, "succeeded");
      expect(done.idempotency_key).toBe(refund.idempotency_key);
      expect(done.sends).toBe(turn === "lost_resendable" ? 2 : 1);
      expect(house.bank.givenOf(chargeId)).toHaveLength(1);
      await house.check(payment);
    }
  });

  test.each(["refused", "not_sent", "lost"] as const)(
    "REL-1: a second sending that is %s does not end what the first may have done",
    async (turn) => {
      const { payment, refund } = await house.begin(500, "lost_resendable", turn);
      await house.tick();
      house.advance(6 * second);
      await house.tick();
      expect(await house.find(refund.id)).toMatchObject({ state: "unknown", sends: 2 });
      await house.until(refund, "failed");
      await house.check(payment);
    },
  );

  test("REL-1: what is never found is given up, told, and frees its room; found later it counts when there is room", async () => {
    const { payment, refund, chargeId } = await house.begin(6000, "lost");
    await house.tick();
    const failed = await house.until(refund, "failed");
    expect(house.toldOf(refund.id)).toEqual(["no trace of this refund was found at the provider"]);
    expect(failed.next_check_at).not.toBeNull();
    const late = house.bank.give(chargeId, 6000);
    late.orderReference = refund.order_reference;
    await house.until(refund, "succeeded", { stepMs: day, steps: 2 });
    expect(await house.check(payment)).toMatchObject({ kept: 4658 });
  });

  test("REL-1: found later without room it is only told", async () => {
    const { payment, refund, chargeId } = await house.begin(6000, "lost");
    await house.tick();
    await house.until(refund, "failed");
    await house.refunds.request(house.wish(payment, { amountCents: 6000 }));
    await house.tick();
    house.bank.give(chargeId, 4000).orderReference = refund.order_reference;
    house.advance(day);
    await house.tick();
    await house.tick();
    expect(await house.find(refund.id)).toMatchObject({ state: "failed" });
    expect(house.toldOf(refund.id)).toContain("it was made after it had been given up, and another one as well");
    expect(await house.check(payment)).toMatchObject({ kept: 4658 });
  });

  test("REL-1: with books that may lag nothing is given up before a day has passed", async () => {
    house.bank.state.isAuthoritative = false;
    const { payment, refund } = await house.begin(500, "lost");
    await house.tick();
    for (let hours = 0; hours < 23; hours += 1) {
      house.advance(hour);
      await house.tick();
    }
    expect(await house.find(refund.id)).toMatchObject({ state: "unknown", sends: 1 });
    await house.until(refund, "failed", { stepMs: hour, steps: 3 });
    house.bank.state.isAuthoritative = true;
    await house.check(payment);
  });

  test("REL-1: books that cannot be read change nothing", async () => {
    const { payment, refund } = await house.begin(500, "lost_made");
    await house.tick();
    house.bank.state.isDown = true;
    house.advance(day);
    await house.tick();
    expect(await house.find(refund.id)).toMatchObject({ state: "unknown" });
    house.bank.state.isDown = false;
    await house.until(refund, "succeeded", { stepMs: hour });
    await house.check(payment);
  });

  test("DON-22: the whole of what has not settled is voided", async () => {
    house.bank.state.isVoidable = true;
    const { payment, refund, chargeId } = await house.begin(null);
    await house.tick();
    expect(await house.find(refund.id)).toMatchObject({
      state: "succeeded",
      kind: "void",
      provider_transaction_id: chargeId,
    });
    const { payment: other, refund: lost } = await house.begin(null, "lost_made");
    await house.tick();
    expect(await house.until(lost, "succeeded")).toMatchObject({ kind: "void", sends: 1 });
    house.bank.state.isVoidable = false;
    expect(await house.stateOf(payment)).toBe("refunded");
    expect(await house.check(other)).toMatchObject({ kept: 0 });
  });

  test("DON-22: nothing is sent while the payment is disputed", async () => {
    const { payment, refund } = await house.begin(500);
    await house.pool.query("update payment_attempts set state = 'disputed' where id = $1", [payment.id]);
    const before = house.bank.calls.refund;
    await house.tick();
    expect(house.bank.calls.refund).toBe(before);
    await house.pool.query("update payment_attempts set state = 'succeeded' where id = $1", [payment.id]);
    await house.until(refund, "succeeded", { stepMs: hour, steps: 3 });
  });
});

describe("more than one process, and processes that die", () => {
  test("REL-1: two processes that tick at once send once", async () => {
    const { payment, chargeId } = await house.begin(500);
    const others = [house.besides(), house.besides(), house.besides()];
    const before = house.bank.calls.refund;
    await Promise.all([house.tick(), ...others.map((other) => other.tick(house.clock.at))]);
    expect(house.bank.calls.refund).toBe(before + 1);
    expect(house.bank.givenOf(chargeId)).toHaveLength(1);
    await house.check(payment);
  });

  test("REL-1: it is on the books as being sent before the provider is called", async () => {
    const { refund } = await house.begin(500);
    const release = house.bank.holdNext();
    const ticking = house.tick();
    await expect.poll(async () => (await house.find(refund.id)).state).toBe("submitting");
    expect(await house.find(refund.id)).toMatchObject({ sends: 1, next_check_at: null });
    await house.besides().tick(house.clock.at);
    release();
    await ticking;
    expect(await house.find(refund.id)).toMatchObject({ state: "succeeded", sends: 1 });
  });

  test.each(["refund_requested", "refund_sending", "refund_answered", "refund_settled"] as const)(
    "REL-1: killed at '%s', the money goes back once and the books say so",
    async (point) => {
      const payment = await house.takePayment();
      const dying = house.besides((passed) => {
        if (passed === point) throw new Error("killed");
      });
      const wish = house.wish(payment, { amountCents: 700 });
      const reply = await dying.request(wish).catch(() => house.refunds.request(wish));
      if (!reply.ok) throw new Error(reply.problem);
      await dying.tick(house.clock.at);
      await house.until(reply.refund, "succeeded", { stepMs: 20 * second });
      expect(house.bank.givenOf(payment.provider_transaction_id!)).toHaveLength(1);
      expect(await house.check(payment)).toMatchObject({ kept: 9958 });
    },
  );

  test("REL-1: killed before anything was sent, it is sent again once the lease is over and the books show nothing", async () => {
    const { payment, refund, chargeId } = await house.begin(700, "lost");
    const dying = house.besides((point) => {
      if (point === "refund_answered") throw new Error("killed");
    });
    await dying.tick(house.clock.at);
    expect(await house.find(refund.id)).toMatchObject({ state: "submitting" });
    expect(await house.until(refund, "succeeded", { stepMs: 30 * second })).toMatchObject({ sends: 2 });
    expect(house.bank.givenOf(chargeId)).toHaveLength(1);
    await house.check(payment);
  });

  test("REL-8: what a dead process did is found in the books, and what it did not do is sent again under the same key", async () => {
    for (const turn of ["made", "lost"] as const) {
      const { payment, refund, chargeId } = await house.begin(700, turn);
      const processId = newProcessId();
      const dying = house.besides(
        (point) => {
          if (point === "refund_answered") throw new Error("killed");
        },
        { processId },
      );
      await dying.tick(house.clock.at);
      expect(await listAbsentOwners(house.database)).toEqual([processId]);
      await house.tick();
      expect(await house.find(refund.id), "not taken from a process that lives").toMatchObject({ state: "submitting" });
      await house.refunds.tick(house.clock.at, [processId]);
      expect(await house.find(refund.id)).toMatchObject({ state: "unknown" });
      const done = await house.until(refund, "succeeded", { stepMs: 5 * second, steps: 1 });
      expect(done).toMatchObject({ sends: turn === "made" ? 1 : 2, idempotency_key: refund.idempotency_key });
      expect(house.bank.givenOf(chargeId)).toHaveLength(1);
      await house.check(payment);
    }
  });

  test("REL-8: an answer that a process hears after its refund was taken over is on the books, once", async () => {
    const { payment, refund, chargeId } = await house.begin(700);
    const release = house.bank.holdNext();
    const processId = newProcessId();
    const ticking = house.besides(undefined, { processId }).tick(house.clock.at);
    await expect.poll(async () => (await house.find(refund.id)).state).toBe("submitting");
    await house.refunds.tick(house.clock.at, [processId]);
    expect(await house.find(refund.id)).toMatchObject({ state: "unknown" });
    release();
    await ticking;
    expect(await house.find(refund.id)).toMatchObject({ state: "succeeded", sends: 1 });
    expect(house.bank.givenOf(chargeId)).toHaveLength(1);
    await house.check(payment);
  });

  test("REL-1: a settlement that fails half-way writes nothing, and is made up for", async () => {
    const { payment, refund } = await house.begin(700);
    const failing = house.besides(undefined, {
      subject: { ...house.context.subject, onRefunded: () => Promise.reject(new Error("no receipt today")) },
    });
    await failing.tick(house.clock.at);
    expect(await house.find(refund.id)).toMatchObject({ state: "submitting" });
    expect(await house.check(payment)).toMatchObject({ kept: 10_658 });
    await house.until(refund, "succeeded", { stepMs: 20 * second });
    expect(await house.check(payment)).toMatchObject({ kept: 9958 });
  });

  test("REL-1: a refusal that comes after somebody else moved the refund on says nothing", async () => {
    const { refund } = await house.begin(700, "lost");
    await house.tick();
    const late = { kind: "refused", reason: "the facility gives nothing back", raw: null } as const;
    expect(await settleRefund(house.context, refund, late, house.clock.at)).toMatchObject({ state: "unknown" });
    await house.until(refund, "failed");
  });

  test("REL-1: an answer with a transaction that stands for another refund is not booked twice, but looked into", async () => {
    const payment = await house.takePayment();
    const first = await house.send(payment, 700);
    const second = await house.ask(payment, 700);
    const release = house.bank.holdNext();
    const ticking = house.tick();
    await expect.poll(async () => (await house.find(second.id)).state).toBe("submitting");
    const { provider_transaction_id: transactionId } = await house.find(first.id);
    const same = {
      kind: "succeeded",
      how: "refund",
      transactionId: transactionId!,
      status: "approved",
      raw: null,
    } as const;
    const settled = await settleRefund(house.context, await house.find(second.id), same, house.clock.at);
    expect(settled).toMatchObject({ state: "unknown", provider_transaction_id: null });
    expect((await findAttempt(house.database, payment.id))?.next_check_at).toEqual(house.clock.at);
    release();
    await ticking;
    expect(await house.find(second.id)).toMatchObject({ state: "succeeded" });
    expect(await house.check(payment)).toMatchObject({ kept: 9258 });
  });

  test("REL-1: an answer that comes after the lease was lost is taken all the same, once", async () => {
    const { payment, refund, chargeId } = await house.begin(700);
    const release = house.bank.holdNext();
    const slow = house.besides();
    const ticking = slow.tick(house.clock.at);
    await expect.poll(async () => (await house.find(refund.id)).state).toBe("submitting");
    house.advance(101 * second);
    Object.assign(house.bank.state, { isAuthoritative: false, hasRefundKeys: false });
    await house.tick();
    expect(await house.find(refund.id)).toMatchObject({ state: "unknown" });
    release();
    await ticking;
    Object.assign(house.bank.state, { isAuthoritative: true, hasRefundKeys: true });
    expect(await house.find(refund.id)).toMatchObject({ state: "succeeded" });
    expect(house.bank.givenOf(chargeId)).toHaveLength(1);
    await house.check(payment);
  });
});
