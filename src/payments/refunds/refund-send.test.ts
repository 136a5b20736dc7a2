import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listAbsentOwners, newProcessId } from "#shared/database/process-presence.ts";
import { openRefundFixture, type RefundFixture } from "#test/refund-fixture.ts";
import type { RefundTurn } from "#test/scripted-bank.ts";
import { findAttempt } from "../attempts.ts";
import { settleRefund } from "./refund-settle.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

let fixture: RefundFixture;
beforeAll(async () => {
  fixture = await openRefundFixture();
});
afterAll(() => fixture.stop());

describe("what the provider answers", () => {
  test("REL-1: a refusal is final, and staff are told", async () => {
    const { payment, refund } = await fixture.begin(500, "refused");
    await fixture.tick();
    expect(await fixture.find(refund.id)).toMatchObject({ state: "failed", next_check_at: null });
    expect(fixture.noticesOf(refund.id)).toEqual(["the facility gives nothing back"]);
    expect(await fixture.stateOf(payment)).toBe("succeeded");
    expect((await fixture.refunds.request(fixture.requestFor(payment))).ok).toBe(true);
    await fixture.tick();
    await fixture.check(payment);
  });

  test("DON-22: a refund that is too early is retried every hour under a new key, until the payment has settled", async () => {
    const { payment, refund } = await fixture.begin(500, "too_early", "too_early");
    await fixture.tick();
    const postponed = await fixture.find(refund.id);
    expect(postponed).toMatchObject({ state: "requested", sends: 0 });
    expect(postponed.next_check_at).toEqual(new Date(fixture.clock.at.getTime() + hour));
    expect(postponed.idempotency_key).not.toBe(refund.idempotency_key);
    await fixture.until(refund, "succeeded", { stepMs: hour, steps: 4 });
    expect(fixture.bank.refundsOf(payment.provider_transaction_id!)).toHaveLength(1);
    await fixture.check(payment);
  });

  test("DON-22: a refund that is too early for ten days is given up, and staff are told", async () => {
    const { refund } = await fixture.begin(500, ...Array<RefundTurn>(20).fill("too_early"));
    await fixture.tick();
    for (let days = 0; days < 9; days += 1) {
      fixture.advance(day);
      await fixture.tick();
    }
    expect(fixture.noticesOf(refund.id)).toEqual([]);
    fixture.advance(day);
    await fixture.tick();
    expect(await fixture.find(refund.id)).toMatchObject({ state: "failed" });
    expect(fixture.noticesOf(refund.id)).toEqual(["it could not be sent for days: the payment has not settled yet"]);
    fixture.bank.forget();
  });

  test("REL-1: an unsent refund is sent when the provider is back", async () => {
    const { payment, refund } = await fixture.begin(500, "not_sent", "not_sent");
    await fixture.tick();
    expect(await fixture.find(refund.id)).toMatchObject({ state: "requested" });
    await fixture.until(refund, "succeeded", { stepMs: minute, steps: 10 });
    await fixture.check(payment);
  });

  test("REL-1: a lost answer is found in the books, and nothing is sent twice", async () => {
    const { payment, refund, chargeId } = await fixture.begin(500, "lost_made");
    await fixture.tick();
    expect(await fixture.find(refund.id)).toMatchObject({ state: "unknown", sends: 1 });
    expect(await fixture.stateOf(payment)).toBe("succeeded");
    await fixture.until(refund, "succeeded");
    expect(await fixture.find(refund.id)).toMatchObject({ sends: 1 });
    expect(fixture.bank.refundsOf(chargeId)).toHaveLength(1);
    await fixture.check(payment);
  });

  test("REL-1: if the provider allows it the same key is sent again, and the money is refunded once", async () => {
    for (const turn of ["lost_resendable", "lost_made_resendable"] as const) {
      const { payment, refund, chargeId } = await fixture.begin(500, turn);
      await fixture.tick();
      const done = await fixture.until(refund, "succeeded");
      expect(done.idempotency_key).toBe(refund.idempotency_key);
      expect(done.sends).toBe(turn === "lost_resendable" ? 2 : 1);
      expect(fixture.bank.refundsOf(chargeId)).toHaveLength(1);
      await fixture.check(payment);
    }
  });

  test.each(["refused", "not_sent", "lost"] as const)(
    "REL-1: a second sending that is %s says nothing about the first",
    async (turn) => {
      const { payment, refund } = await fixture.begin(500, "lost_resendable", turn);
      await fixture.tick();
      fixture.advance(6 * second);
      await fixture.tick();
      expect(await fixture.find(refund.id)).toMatchObject({ state: "unknown", sends: 2 });
      await fixture.until(refund, "failed");
      await fixture.check(payment);
    },
  );

  test("REL-1: a refund that is never found is given up, alerts staff and no longer counts; found later it counts if it fits", async () => {
    const { payment, refund, chargeId } = await fixture.begin(6000, "lost");
    await fixture.tick();
    const failed = await fixture.until(refund, "failed");
    expect(fixture.noticesOf(refund.id)).toEqual(["no trace of this refund was found at the provider"]);
    expect(failed.next_check_at).not.toBeNull();
    const late = fixture.bank.give(chargeId, 6000);
    late.orderReference = refund.order_reference;
    await fixture.until(refund, "succeeded", { stepMs: day, steps: 2 });
    expect(await fixture.check(payment)).toMatchObject({ kept: 4658 });
  });

  test("REL-1: a given-up refund that is found later and no longer fits only alerts staff", async () => {
    const { payment, refund, chargeId } = await fixture.begin(6000, "lost");
    await fixture.tick();
    await fixture.until(refund, "failed");
    await fixture.refunds.request(fixture.requestFor(payment, { amountCents: 6000 }));
    await fixture.tick();
    fixture.bank.give(chargeId, 4000).orderReference = refund.order_reference;
    fixture.advance(day);
    await fixture.tick();
    await fixture.tick();
    expect(await fixture.find(refund.id)).toMatchObject({ state: "failed" });
    expect(fixture.noticesOf(refund.id)).toContain("it was made after it had been given up, as well as another one");
    expect(await fixture.check(payment)).toMatchObject({ kept: 4658 });
  });

  test("REL-1: with books that may lag nothing is given up before a day has passed", async () => {
    fixture.bank.state.isAuthoritative = false;
    const { payment, refund } = await fixture.begin(500, "lost");
    await fixture.tick();
    for (let hours = 0; hours < 23; hours += 1) {
      fixture.advance(hour);
      await fixture.tick();
    }
    expect(await fixture.find(refund.id)).toMatchObject({ state: "unknown", sends: 1 });
    await fixture.until(refund, "failed", { stepMs: hour, steps: 3 });
    fixture.bank.state.isAuthoritative = true;
    await fixture.check(payment);
  });

  test("REL-1: books that cannot be read change nothing", async () => {
    const { payment, refund } = await fixture.begin(500, "lost_made");
    await fixture.tick();
    fixture.bank.state.isDown = true;
    fixture.advance(day);
    await fixture.tick();
    expect(await fixture.find(refund.id)).toMatchObject({ state: "unknown" });
    fixture.bank.state.isDown = false;
    await fixture.until(refund, "succeeded", { stepMs: hour });
    await fixture.check(payment);
  });

  test("DON-22: a full refund before settlement is a void", async () => {
    fixture.bank.state.isVoidable = true;
    const { payment, refund, chargeId } = await fixture.begin(null);
    await fixture.tick();
    expect(await fixture.find(refund.id)).toMatchObject({
      state: "succeeded",
      kind: "void",
      provider_transaction_id: chargeId,
    });
    const { payment: other, refund: lost } = await fixture.begin(null, "lost_made");
    await fixture.tick();
    expect(await fixture.until(lost, "succeeded")).toMatchObject({ kind: "void", sends: 1 });
    fixture.bank.state.isVoidable = false;
    expect(await fixture.stateOf(payment)).toBe("refunded");
    expect(await fixture.check(other)).toMatchObject({ kept: 0 });
  });

  test("DON-22: nothing is sent while the payment is disputed", async () => {
    const { payment, refund } = await fixture.begin(500);
    await fixture.pool.query("update payment_attempts set state = 'disputed' where id = $1", [payment.id]);
    const before = fixture.bank.calls.refund;
    await fixture.tick();
    expect(fixture.bank.calls.refund).toBe(before);
    await fixture.pool.query("update payment_attempts set state = 'succeeded' where id = $1", [payment.id]);
    await fixture.until(refund, "succeeded", { stepMs: hour, steps: 3 });
  });
});

describe("more than one process, and processes that die", () => {
  test("REL-1: two processes that tick at the same time send once", async () => {
    const { payment, chargeId } = await fixture.begin(500);
    const others = [fixture.besides(), fixture.besides(), fixture.besides()];
    const before = fixture.bank.calls.refund;
    await Promise.all([fixture.tick(), ...others.map((other) => other.tick(fixture.clock.at))]);
    expect(fixture.bank.calls.refund).toBe(before + 1);
    expect(fixture.bank.refundsOf(chargeId)).toHaveLength(1);
    await fixture.check(payment);
  });

  test("REL-1: it is recorded as being sent before the provider is called", async () => {
    const { refund } = await fixture.begin(500);
    const release = fixture.bank.holdNext();
    const ticking = fixture.tick();
    await expect.poll(async () => (await fixture.find(refund.id)).state).toBe("submitting");
    expect(await fixture.find(refund.id)).toMatchObject({ sends: 1, next_check_at: null });
    await fixture.besides().tick(fixture.clock.at);
    release();
    await ticking;
    expect(await fixture.find(refund.id)).toMatchObject({ state: "succeeded", sends: 1 });
  });

  test.each(["refund_requested", "refund_sending", "refund_answered", "refund_settled"] as const)(
    "REL-1: if a process is killed at '%s', the money goes back once and the books say so",
    async (point) => {
      const payment = await fixture.takePayment();
      const dying = fixture.besides((passed) => {
        if (passed === point) throw new Error("killed");
      });
      const requested = fixture.requestFor(payment, { amountCents: 700 });
      const reply = await dying.request(requested).catch(() => fixture.refunds.request(requested));
      if (!reply.ok) throw new Error(reply.problem);
      await dying.tick(fixture.clock.at);
      await fixture.until(reply.refund, "succeeded", { stepMs: 20 * second });
      expect(fixture.bank.refundsOf(payment.provider_transaction_id!)).toHaveLength(1);
      expect(await fixture.check(payment)).toMatchObject({ kept: 9958 });
    },
  );

  test("REL-1: if its process was killed before sending, a refund is sent once the lease has ended and the books show nothing", async () => {
    const { payment, refund, chargeId } = await fixture.begin(700, "lost");
    const dying = fixture.besides((point) => {
      if (point === "refund_answered") throw new Error("killed");
    });
    await dying.tick(fixture.clock.at);
    expect(await fixture.find(refund.id)).toMatchObject({ state: "submitting" });
    expect(await fixture.until(refund, "succeeded", { stepMs: 30 * second })).toMatchObject({ sends: 2 });
    expect(fixture.bank.refundsOf(chargeId)).toHaveLength(1);
    await fixture.check(payment);
  });

  test("REL-8: a dead process's refund is found on the books, or sent again with the same key", async () => {
    for (const turn of ["made", "lost"] as const) {
      const { payment, refund, chargeId } = await fixture.begin(700, turn);
      const processId = newProcessId();
      const dying = fixture.besides(
        (point) => {
          if (point === "refund_answered") throw new Error("killed");
        },
        { processId },
      );
      await dying.tick(fixture.clock.at);
      expect(await listAbsentOwners(fixture.database)).toEqual([processId]);
      await fixture.tick();
      expect(await fixture.find(refund.id), "not taken from a process that lives").toMatchObject({
        state: "submitting",
      });
      await fixture.refunds.tick(fixture.clock.at, [processId]);
      expect(await fixture.find(refund.id)).toMatchObject({ state: "unknown" });
      const done = await fixture.until(refund, "succeeded", { stepMs: 5 * second, steps: 1 });
      expect(done).toMatchObject({ sends: turn === "made" ? 1 : 2, idempotency_key: refund.idempotency_key });
      expect(fixture.bank.refundsOf(chargeId)).toHaveLength(1);
      await fixture.check(payment);
    }
  });

  test("REL-8: an answer to a process whose refund was taken over is booked once", async () => {
    const { payment, refund, chargeId } = await fixture.begin(700);
    const release = fixture.bank.holdNext();
    const processId = newProcessId();
    const ticking = fixture.besides(undefined, { processId }).tick(fixture.clock.at);
    await expect.poll(async () => (await fixture.find(refund.id)).state).toBe("submitting");
    await fixture.refunds.tick(fixture.clock.at, [processId]);
    expect(await fixture.find(refund.id)).toMatchObject({ state: "unknown" });
    release();
    await ticking;
    expect(await fixture.find(refund.id)).toMatchObject({ state: "succeeded", sends: 1 });
    expect(fixture.bank.refundsOf(chargeId)).toHaveLength(1);
    await fixture.check(payment);
  });

  test("REL-1: a settlement that fails half-way writes nothing, and is repeated", async () => {
    const { payment, refund } = await fixture.begin(700);
    const failing = fixture.besides(undefined, {
      subject: { ...fixture.context.subject, onRefunded: () => Promise.reject(new Error("no receipt today")) },
    });
    await failing.tick(fixture.clock.at);
    expect(await fixture.find(refund.id)).toMatchObject({ state: "submitting" });
    expect(await fixture.check(payment)).toMatchObject({ kept: 10_658 });
    await fixture.until(refund, "succeeded", { stepMs: 20 * second });
    expect(await fixture.check(payment)).toMatchObject({ kept: 9958 });
  });

  test("REL-1: a refusal that arrives after another process moved the refund is ignored", async () => {
    const { refund } = await fixture.begin(700, "lost");
    await fixture.tick();
    const late = { kind: "refused", reason: "the facility gives nothing back", raw: null } as const;
    expect(await settleRefund(fixture.context, refund, late, fixture.clock.at)).toMatchObject({ state: "unknown" });
    await fixture.until(refund, "failed");
  });

  test("REL-1: an answer with another refund's transaction is not booked twice, but reviewed", async () => {
    const payment = await fixture.takePayment();
    const first = await fixture.send(payment, 700);
    const second = await fixture.ask(payment, 700);
    const release = fixture.bank.holdNext();
    const ticking = fixture.tick();
    await expect.poll(async () => (await fixture.find(second.id)).state).toBe("submitting");
    const { provider_transaction_id: transactionId } = await fixture.find(first.id);
    const same = {
      kind: "succeeded",
      how: "refund",
      transactionId: transactionId!,
      status: "approved",
      raw: null,
    } as const;
    const settled = await settleRefund(fixture.context, await fixture.find(second.id), same, fixture.clock.at);
    expect(settled).toMatchObject({ state: "unknown", provider_transaction_id: null });
    expect((await findAttempt(fixture.database, payment.id))?.next_check_at).toEqual(fixture.clock.at);
    release();
    await ticking;
    expect(await fixture.find(second.id)).toMatchObject({ state: "succeeded" });
    expect(await fixture.check(payment)).toMatchObject({ kept: 9258 });
  });

  test("REL-1: an answer that arrives after the lease expired still counts, once", async () => {
    const { payment, refund, chargeId } = await fixture.begin(700);
    const release = fixture.bank.holdNext();
    const slow = fixture.besides();
    const ticking = slow.tick(fixture.clock.at);
    await expect.poll(async () => (await fixture.find(refund.id)).state).toBe("submitting");
    fixture.advance(101 * second);
    Object.assign(fixture.bank.state, { isAuthoritative: false, hasRefundKeys: false });
    await fixture.tick();
    expect(await fixture.find(refund.id)).toMatchObject({ state: "unknown" });
    release();
    await ticking;
    Object.assign(fixture.bank.state, { isAuthoritative: true, hasRefundKeys: true });
    expect(await fixture.find(refund.id)).toMatchObject({ state: "succeeded" });
    expect(fixture.bank.refundsOf(chargeId)).toHaveLength(1);
    await fixture.check(payment);
  });
});
