import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRefundFixture, type RefundFixture } from "#test/refund-fixture.ts";
import type { Attempt } from "../attempts.ts";
import { reconcile } from "../reconcile.ts";
import { review } from "./review.ts";

const second = 1000;
const minute = 60 * second;

let fixture: RefundFixture;
beforeAll(async () => {
  fixture = await openRefundFixture();
});
afterAll(() => fixture.stop());

const chargeOf = (payment: Attempt) => payment.provider_transaction_id!;
const look = (payment: Attempt) =>
  review(fixture.context, payment, fixture.bank.listOf(chargeOf(payment))!, fixture.clock.at);

describe("disputes", () => {
  test("DON-22: opening one alerts staff, and winning it restores the payment", async () => {
    const payment = await fixture.takePayment();
    fixture.bank.change(chargeOf(payment), { dispute: "open" });
    expect(await look(payment)).toEqual([
      { kind: "dispute_opened", reference: payment.order_reference, cents: 10_658 },
    ]);
    expect(await look(payment)).toEqual([]);
    expect(await fixture.stateOf(payment)).toBe("disputed");
    expect(fixture.noticesOf(payment.id)).toEqual(["the payer disputes this payment"]);
    fixture.bank.change(chargeOf(payment), { dispute: "won" });
    expect(await look(payment)).toMatchObject([{ kind: "dispute_won" }]);
    expect(await fixture.stateOf(payment)).toBe("succeeded");
    expect(await fixture.check(payment)).toMatchObject({ kept: 10_658 });
  });

  test("DON-22: if a part was refunded before the dispute is won, the payment is partly refunded again", async () => {
    const payment = await fixture.takePayment();
    await fixture.send(payment, 658);
    fixture.bank.change(chargeOf(payment), { dispute: "open" });
    await look(payment);
    fixture.bank.give(chargeOf(payment), 1000);
    await look(payment);
    expect(await fixture.stateOf(payment)).toBe("disputed");
    fixture.bank.change(chargeOf(payment), { dispute: "won" });
    await look(payment);
    expect(await fixture.stateOf(payment)).toBe("partially_refunded");
    expect(await fixture.check(payment)).toMatchObject({ kept: 9000 });
  });

  test("DON-22: losing one takes what is left, and drops waiting refunds", async () => {
    const payment = await fixture.takePayment();
    await fixture.send(payment, 658);
    const waiting = await fixture.send(payment, 1000, "too_early");
    fixture.bank.change(chargeOf(payment), { dispute: "open" });
    await look(payment);
    fixture.bank.change(chargeOf(payment), { dispute: "lost" });
    expect(await look(payment)).toMatchObject([
      { kind: "refund_dropped", reference: waiting.order_reference },
      { kind: "chargeback", cents: 10_000 },
    ]);
    expect(await look(payment)).toEqual([]);
    expect(await fixture.stateOf(payment)).toBe("refunded");
    expect(await fixture.check(payment)).toMatchObject({ kept: 0 });
    fixture.bank.change(chargeOf(payment), { dispute: "won" });
    expect(await look(payment)).toEqual([]);
    expect(fixture.noticesOf(payment.id)).toContain("a lost dispute is now won: the money is ours again");
  });

  test("DON-22: a lost dispute that we never saw open is booked the same; for a refunded payment staff are told", async () => {
    const payment = await fixture.takePayment();
    fixture.bank.change(chargeOf(payment), { dispute: "lost" });
    expect(await look(payment)).toMatchObject([{ kind: "chargeback", cents: 10_658 }]);
    const refunded = await fixture.takePayment();
    await fixture.send(refunded, null);
    for (const [dispute, said] of [
      ["open", "the payer disputes a payment that was refunded"],
      ["lost", "a dispute was lost over a payment that had already been refunded"],
    ] as const) {
      fixture.bank.change(chargeOf(refunded), { dispute });
      expect(await look(refunded)).toEqual([]);
      expect(fixture.noticesOf(refunded.id)).toContain(said);
    }
    expect(await fixture.stateOf(refunded)).toBe("refunded");
  });
});

describe("hints", () => {
  const hint = (payment: Attempt) =>
    fixture.pool.query("update payment_attempts set next_check_at = $2 where id = $1", [payment.id, fixture.clock.at]);
  const nextCheck = async (payment: Attempt) =>
    (await fixture.pool.query("select next_check_at from payment_attempts where id = $1", [payment.id])).rows[0]
      .next_check_at;

  test("REL-1: a settled payment is asked about once for each hint", async () => {
    const payment = await fixture.takePayment();
    fixture.bank.give(chargeOf(payment), 100);
    await reconcile(fixture.context, fixture.clock.at);
    expect(await fixture.refundsOf(payment)).toEqual([]);
    await hint(payment);
    const before = fixture.bank.calls.findPayment;
    await Promise.all([reconcile(fixture.context, fixture.clock.at), reconcile(fixture.context, fixture.clock.at)]);
    expect(fixture.bank.calls.findPayment).toBe(before + 1);
    expect(await fixture.refundsOf(payment)).toHaveLength(1);
    expect(await nextCheck(payment)).toBeNull();
  });

  test("REL-1: a hint is kept while the books cannot be read, and when it comes during a check", async () => {
    const payment = await fixture.takePayment();
    fixture.bank.state.isDown = true;
    await hint(payment);
    await reconcile(fixture.context, fixture.clock.at);
    expect(await nextCheck(payment)).toEqual(new Date(fixture.clock.at.getTime() + 5 * minute));
    fixture.bank.state.isDown = false;
    const { findPayment } = fixture.bank.provider;
    const providers = {
      ...fixture.context.providers,
      payway: {
        ...fixture.bank.provider,
        findPayment: async (asked: Parameters<typeof findPayment>[0]) => {
          const found = await findPayment(asked);
          await hint(payment);
          return found;
        },
      },
    };
    fixture.advance(5 * minute);
    await reconcile({ ...fixture.context, providers }, fixture.clock.at);
    expect(await nextCheck(payment)).toEqual(fixture.clock.at);
    await reconcile(fixture.context, fixture.clock.at);
    expect(await nextCheck(payment)).toBeNull();
  });

  test("REL-1: a charge that the provider no longer has is reported to staff", async () => {
    const payment = await fixture.takePayment();
    await fixture.pool.query("update payment_attempts set provider_transaction_id = '9' where id = $1", [payment.id]);
    await hint(payment);
    await reconcile(fixture.context, fixture.clock.at);
    expect(fixture.noticesOf(payment.id)).toEqual(["the provider no longer has this charge"]);
    expect(await fixture.stateOf(payment)).toBe("succeeded");
  });
});
