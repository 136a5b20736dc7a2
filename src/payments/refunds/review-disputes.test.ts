import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRefundHouse, type RefundHouse } from "#test/refund-house.ts";
import type { Attempt } from "../attempts.ts";
import { reconcile } from "../reconcile.ts";
import { review } from "./review.ts";

const second = 1000;
const minute = 60 * second;

let house: RefundHouse;
beforeAll(async () => {
  house = await openRefundHouse();
});
afterAll(() => house.stop());

const chargeOf = (payment: Attempt) => payment.provider_transaction_id!;
const look = (payment: Attempt) =>
  review(house.context, payment, house.bank.listOf(chargeOf(payment))!, house.clock.at);

describe("disputes", () => {
  test("DON-22: one that opens is told, and won it leaves the payment as it was", async () => {
    const payment = await house.takePayment();
    house.bank.change(chargeOf(payment), { dispute: "open" });
    expect(await look(payment)).toEqual([
      { kind: "dispute_opened", reference: payment.order_reference, cents: 10_658 },
    ]);
    expect(await look(payment)).toEqual([]);
    expect(await house.stateOf(payment)).toBe("disputed");
    expect(house.toldOf(payment.id)).toEqual(["the payer disputes this payment"]);
    house.bank.change(chargeOf(payment), { dispute: "won" });
    expect(await look(payment)).toMatchObject([{ kind: "dispute_won" }]);
    expect(await house.stateOf(payment)).toBe("succeeded");
    expect(await house.check(payment)).toMatchObject({ kept: 10_658 });
  });

  test("DON-22: won after a part was refunded, the payment is partly refunded again", async () => {
    const payment = await house.takePayment();
    await house.send(payment, 658);
    house.bank.change(chargeOf(payment), { dispute: "open" });
    await look(payment);
    house.bank.give(chargeOf(payment), 1000);
    await look(payment);
    expect(await house.stateOf(payment)).toBe("disputed");
    house.bank.change(chargeOf(payment), { dispute: "won" });
    await look(payment);
    expect(await house.stateOf(payment)).toBe("partially_refunded");
    expect(await house.check(payment)).toMatchObject({ kept: 9000 });
  });

  test("DON-22: lost it takes what is left, and refunds that wait are dropped", async () => {
    const payment = await house.takePayment();
    await house.send(payment, 658);
    const waiting = await house.send(payment, 1000, "too_early");
    house.bank.change(chargeOf(payment), { dispute: "open" });
    await look(payment);
    house.bank.change(chargeOf(payment), { dispute: "lost" });
    expect(await look(payment)).toMatchObject([
      { kind: "refund_dropped", reference: waiting.order_reference },
      { kind: "chargeback", cents: 10_000 },
    ]);
    expect(await look(payment)).toEqual([]);
    expect(await house.stateOf(payment)).toBe("refunded");
    expect(await house.check(payment)).toMatchObject({ kept: 0 });
    house.bank.change(chargeOf(payment), { dispute: "won" });
    expect(await look(payment)).toEqual([]);
    expect(house.toldOf(payment.id)).toContain("a dispute that was lost is now won: the money is ours again");
  });

  test("DON-22: lost without having been seen open it is the same; over what was given back already a person is told", async () => {
    const payment = await house.takePayment();
    house.bank.change(chargeOf(payment), { dispute: "lost" });
    expect(await look(payment)).toMatchObject([{ kind: "chargeback", cents: 10_658 }]);
    const refunded = await house.takePayment();
    await house.send(refunded, null);
    for (const [dispute, said] of [
      ["open", "the payer disputes a payment that was given back"],
      ["lost", "a dispute was lost over a payment that had been given back already"],
    ] as const) {
      house.bank.change(chargeOf(refunded), { dispute });
      expect(await look(refunded)).toEqual([]);
      expect(house.toldOf(refunded.id)).toContain(said);
    }
    expect(await house.stateOf(refunded)).toBe("refunded");
  });
});

describe("hints", () => {
  const hint = (payment: Attempt) =>
    house.pool.query("update payment_attempts set next_check_at = $2 where id = $1", [payment.id, house.clock.at]);
  const nextLook = async (payment: Attempt) =>
    (await house.pool.query("select next_check_at from payment_attempts where id = $1", [payment.id])).rows[0]
      .next_check_at;

  test("REL-1: a settled payment is asked about once for each hint", async () => {
    const payment = await house.takePayment();
    house.bank.give(chargeOf(payment), 100);
    await reconcile(house.context, house.clock.at);
    expect(await house.refundsOf(payment)).toEqual([]);
    await hint(payment);
    const before = house.bank.calls.findPayment;
    await Promise.all([reconcile(house.context, house.clock.at), reconcile(house.context, house.clock.at)]);
    expect(house.bank.calls.findPayment).toBe(before + 1);
    expect(await house.refundsOf(payment)).toHaveLength(1);
    expect(await nextLook(payment)).toBeNull();
  });

  test("REL-1: a hint outlives books that cannot be read, and one that comes during a look", async () => {
    const payment = await house.takePayment();
    house.bank.state.isDown = true;
    await hint(payment);
    await reconcile(house.context, house.clock.at);
    expect(await nextLook(payment)).toEqual(new Date(house.clock.at.getTime() + 5 * minute));
    house.bank.state.isDown = false;
    const { findPayment } = house.bank.provider;
    const providers = {
      ...house.context.providers,
      payway: {
        ...house.bank.provider,
        findPayment: async (asked: Parameters<typeof findPayment>[0]) => {
          const found = await findPayment(asked);
          await hint(payment);
          return found;
        },
      },
    };
    house.advance(5 * minute);
    await reconcile({ ...house.context, providers }, house.clock.at);
    expect(await nextLook(payment)).toEqual(house.clock.at);
    await reconcile(house.context, house.clock.at);
    expect(await nextLook(payment)).toBeNull();
  });

  test("REL-1: a charge that the provider does not hold any more is for a person to see", async () => {
    const payment = await house.takePayment();
    await house.pool.query("update payment_attempts set provider_transaction_id = '9' where id = $1", [payment.id]);
    await hint(payment);
    await reconcile(house.context, house.clock.at);
    expect(house.toldOf(payment.id)).toEqual(["the provider does not hold this charge any more"]);
    expect(await house.stateOf(payment)).toBe("succeeded");
  });
});
