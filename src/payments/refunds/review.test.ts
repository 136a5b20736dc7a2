import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "#simulators/faults.ts";
import { openRefundHouse, type RefundHouse } from "#test/refund-house.ts";
import type { RefundTurn } from "#test/scripted-bank.ts";
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

describe("money that the provider gave back without us", () => {
  test("REL-1: a refund made there by hand is taken onto the books, once however often it is found", async () => {
    const payment = await house.takePayment();
    const { transactionId } = house.bank.give(chargeOf(payment), 2500);
    const done = await look(payment);
    const [refund] = await house.refundsOf(payment);
    expect(done).toEqual([{ kind: "refund", reference: refund?.order_reference, cents: 2500 }]);
    expect(refund).toMatchObject({
      requested_by: "provider",
      state: "succeeded",
      kind: "refund",
      provider_transaction_id: transactionId,
      provider_status: "approved",
    });
    expect(await house.stateOf(payment)).toBe("partially_refunded");
    expect(await look(payment)).toEqual([]);
    house.bank.give(chargeOf(payment), 8158);
    expect(await look(payment)).toHaveLength(1);
    expect(await house.stateOf(payment)).toBe("refunded");
    expect(await house.check(payment)).toMatchObject({ kept: 0 });
  });

  test("REL-1: found by ten at once, from two connections, with doubles in the list, it is one row", async () => {
    const payment = await house.takePayment();
    house.bank.give(chargeOf(payment), 100);
    house.bank.give(chargeOf(payment), 100);
    const list = house.bank.listOf(chargeOf(payment))!;
    const done = await Promise.all(
      Array.from({ length: 10 }, () => review(house.context, payment, [...list, ...list], house.clock.at)),
    );
    expect(done.flat()).toHaveLength(2);
    expect(await house.refundsOf(payment)).toHaveLength(2);
    expect(await house.check(payment)).toMatchObject({ kept: 10_458 });
  });

  test("REL-1: the refunds of other payments, and those not approved, are left alone", async () => {
    const payment = await house.takePayment();
    const other = await house.takePayment();
    house.bank.give(chargeOf(other), 100);
    house.bank.give(chargeOf(payment), 100).status = "declined";
    house.bank.give(chargeOf(payment), 100).status = "pending";
    const all = [payment, other].flatMap((one) => house.bank.listOf(chargeOf(one))!);
    expect(await review(house.context, payment, all, house.clock.at)).toEqual([]);
    expect(await house.refundsOf(payment)).toEqual([]);
  });

  test.each([
    ["voided", "voided", "void"],
    ["declined", "settlement_declined", "reversal"],
    ["voided", "settlement_declined", "reversal"],
  ] as const)(
    "REL-1: a charge that is %s (%s) there is given back whole, as a %s",
    async (status, providerStatus, kind) => {
      const payment = await house.takePayment();
      house.bank.change(chargeOf(payment), { status, providerStatus });
      expect(await look(payment)).toMatchObject([{ kind, cents: 10_658 }]);
      expect(await look(payment)).toEqual([]);
      expect(await house.refundsOf(payment)).toMatchObject([{ kind, requested_by: "provider" }]);
      expect(await house.stateOf(payment)).toBe("refunded");
      expect(await house.check(payment)).toMatchObject({ kept: 0 });
    },
  );

  test("REL-1: a reversal after a part was refunded takes what is left", async () => {
    const payment = await house.takePayment();
    await house.send(payment, 658);
    house.bank.change(chargeOf(payment), { status: "declined", providerStatus: "settlement_declined" });
    expect(await look(payment)).toMatchObject([{ kind: "reversal", cents: 10_000 }]);
    expect(await house.check(payment)).toMatchObject({ kept: 0 });
  });

  test("REL-1: a refund that was made and then failed at the bank is for a person to see", async () => {
    const payment = await house.takePayment();
    await house.send(payment, 658);
    Object.assign(house.bank.givenOf(chargeOf(payment))[0]!, { status: "declined", providerStatus: "failed" });
    expect(await look(payment)).toEqual([]);
    expect(house.toldOf(payment.id)).toEqual(["a refund that was made is now 'failed' at the provider"]);
  });
});

describe("our own refunds whose answer was lost", () => {
  test.each([true, false])(
    "REL-1: they are the ones that are found, with our reference in the list: %s",
    async (isNamed) => {
      house.bank.state.namesReferences = isNamed;
      const payment = await house.takePayment();
      const refund = await house.send(payment, 2500, "lost_made");
      expect(await look(payment)).toEqual([{ kind: "refund", reference: refund.order_reference, cents: 2500 }]);
      expect(await house.refundsOf(payment)).toMatchObject([
        { id: refund.id, state: "succeeded", requested_by: "staff" },
      ]);
      house.advance(minute);
      await house.refunds.tick(house.clock.at);
      expect(await look(payment)).toEqual([]);
      expect(await house.check(payment)).toMatchObject({ kept: 8158 });
      house.bank.state.namesReferences = true;
    },
  );

  test("REL-1: one by hand of another amount beside it is another one", async () => {
    const payment = await house.takePayment();
    house.bank.give(chargeOf(payment), 600);
    const refund = await house.send(payment, 2500, "lost_made");
    expect(await look(payment)).toMatchObject([{ cents: 600 }, { reference: refund.order_reference, cents: 2500 }]);
    expect(await house.check(payment)).toMatchObject({ kept: 7558 });
  });

  test("REL-1: one by hand of the same amount, listed first, is not taken for the one that our reference names", async () => {
    const payment = await house.takePayment();
    house.bank.give(chargeOf(payment), 2500);
    const refund = await house.send(payment, 2500, "lost_made");
    const [, mine] = house.bank.givenOf(chargeOf(payment));
    expect(await look(payment)).toHaveLength(2);
    const booked = (await house.refundsOf(payment)).find(({ id }) => id === refund.id);
    expect(booked?.provider_transaction_id).toBe(mine?.transactionId);
    expect(await house.check(payment)).toMatchObject({ kept: 5658 });
  });

  test("REL-1: found while its answer is on the way, it is settled once", async () => {
    const payment = await house.takePayment();
    const reply = await house.refunds.request(house.wish(payment, { amountCents: 2500 }));
    if (!reply.ok) throw new Error(reply.problem);
    house.bank.script("throws_made");
    await house.refunds.tick(house.clock.at);
    expect(await look(payment)).toHaveLength(1);
    house.advance(200 * second);
    await house.refunds.tick(house.clock.at);
    expect(await house.check(payment)).toMatchObject({ kept: 8158 });
  });

  test("REL-1: two of one amount without references in the list end as two, whichever was taken for which", async () => {
    house.bank.state.namesReferences = false;
    const payment = await house.takePayment();
    const requests = await Promise.all(
      [1, 2].map(() => house.refunds.request(house.wish(payment, { amountCents: 2500 }))),
    );
    const release = house.bank.holdNext();
    const ticking = house.refunds.tick(house.clock.at);
    await expect.poll(() => house.bank.givenOf(chargeOf(payment))).toHaveLength(1);
    await look(payment);
    release();
    await ticking;
    for (let step = 0; step < 3; step += 1) {
      house.advance(20 * second);
      await reconcile(house.context, house.clock.at);
      await house.refunds.tick(house.clock.at);
    }
    expect(requests.every(({ ok }) => ok)).toBe(true);
    const { made } = await house.check(payment);
    expect(made.map(({ amount_cents }) => amount_cents)).toEqual([2500, 2500]);
    expect(await house.refundsOf(payment)).toHaveLength(2);
    house.bank.state.namesReferences = true;
  });

  test("REL-1: one that was taken for another of the same amount is not sent again", async () => {
    house.bank.state.namesReferences = false;
    const payment = await house.takePayment();
    const first = await house.send(payment, 2500, "lost");
    const second = await house.send(payment, 2500, "lost_made_resendable");
    await look(payment);
    house.bank.state.namesReferences = true;
    for (const { id } of [first, second]) {
      house.advance(minute);
      await reconcile(house.context, house.clock.at);
      await house.tick();
      await house.tick();
      expect(["succeeded", "failed", "unknown"]).toContain((await house.find(id)).state);
    }
    expect(house.bank.givenOf(chargeOf(payment))).toHaveLength(1);
    expect(await house.check(payment)).toMatchObject({ kept: 8158 });
    expect((await house.refundsOf(payment)).map(({ state }) => state).sort()).toEqual(["failed", "succeeded"]);
  });

  test("REL-1: a lost void is the void that is found", async () => {
    const payment = await house.takePayment();
    house.bank.state.isVoidable = true;
    const refund = await house.send(payment, null, "lost_made");
    house.bank.state.isVoidable = false;
    expect(await look(payment)).toEqual([{ kind: "void", reference: refund.order_reference, cents: 10_658 }]);
    expect(await house.refundsOf(payment)).toMatchObject([{ id: refund.id, kind: "void" }]);
    await house.check(payment);
  });

  test("REL-1: one that was given up counts when it is found and there is room", async () => {
    const payment = await house.takePayment();
    const refund = await house.send(payment, 6000, "refused");
    house.bank.give(chargeOf(payment), 6000).orderReference = refund.order_reference;
    expect(await look(payment)).toMatchObject([{ reference: refund.order_reference, cents: 6000 }]);
    const second = await house.takePayment();
    const lost = await house.send(second, 6000, "refused");
    await house.send(second, 6000);
    house.bank.give(chargeOf(second), 6000).orderReference = lost.order_reference;
    expect(await look(second)).toEqual([]);
    expect(house.toldOf(second.id)).toEqual([
      "a refund that had been given up was made after all, and another one as well",
    ]);
    expect(await house.check(second)).toMatchObject({ kept: 4658 });
  });

  test("REL-1: another amount than was asked for is for a person to see", async () => {
    const payment = await house.takePayment();
    const refund = await house.send(payment, 6000, "lost");
    house.bank.give(chargeOf(payment), 600).orderReference = refund.order_reference;
    expect(await look(payment)).toEqual([]);
    expect(house.toldOf(payment.id)).toEqual(["the provider gave back another amount than it was asked for"]);
  });
});

describe("what leaves no room", () => {
  test("REL-1: a refund that waits gives way to one that was made by hand", async () => {
    const payment = await house.takePayment();
    const refund = await house.send(payment, null, "too_early");
    house.bank.give(chargeOf(payment), 6000);
    expect(await look(payment)).toMatchObject([
      { kind: "refund_dropped", reference: refund.order_reference },
      { kind: "refund", cents: 6000 },
    ]);
    expect(house.toldOf(refund.id)).toEqual(["the provider gave the money back already"]);
    expect(await house.check(payment)).toMatchObject({ kept: 4658 });
  });

  test("REL-1: one whose answer is lost is waited for, and the review comes again by itself", async () => {
    const payment = await house.takePayment();
    const refund = await house.send(payment, 6000, "lost");
    house.bank.change(chargeOf(payment), { status: "voided", providerStatus: "voided" });
    expect(await look(payment)).toEqual([]);
    expect(await house.refundsOf(payment)).toHaveLength(1);
    for (let step = 0; step < 20; step += 1) {
      house.advance(10 * second);
      await reconcile(house.context, house.clock.at);
      await house.refunds.tick(house.clock.at);
    }
    expect(await house.refundsOf(payment)).toMatchObject([
      { id: refund.id, state: "failed" },
      { kind: "void", amount_cents: 10_658 },
    ]);
    expect(await house.stateOf(payment)).toBe("refunded");
    expect(await house.check(payment)).toMatchObject({ kept: 0 });
  });

  test("REL-1: more than was charged is never booked, and a person is told", async () => {
    const payment = await house.takePayment();
    house.bank.give(chargeOf(payment), 10_000);
    house.bank.give(chargeOf(payment), 10_000);
    expect(await look(payment)).toHaveLength(1);
    expect(house.toldOf(payment.id)).toEqual(["the provider gave back more than it had charged"]);
    expect(await house.check(payment)).toMatchObject({ kept: 658 });
  });
});

test("REL-1: 40 payments under random refunds, refunds by hand, lost answers, voids and reviews end as the provider's books", async () => {
  const random = seededRandom(5);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const other = house.besides();
  const turns: RefundTurn[] = [
    "made",
    "made",
    "lost_made",
    "lost_made_resendable",
    "lost_resendable",
    "lost",
    "refused",
    "too_early",
    "not_sent",
  ];
  const payments = await Promise.all(Array.from({ length: 40 }, () => house.takePayment()));
  house.bank.forget();
  const step = async (payment: Attempt) => {
    const kind = random();
    const amountCents = random() < 0.2 ? null : 1 + Math.floor(random() * 4000);
    house.bank.state.namesReferences = random() < 0.7;
    if (kind < 0.45) {
      house.bank.script(pick(turns));
      await pick([house.refunds, other]).request(house.wish(payment, { amountCents }));
    } else if (kind < 0.6) {
      const left = house.bank.leftOf(chargeOf(payment));
      if (left > 0) house.bank.give(chargeOf(payment), Math.min(left, amountCents ?? left));
    } else if (kind < 0.62 && house.bank.givenOf(chargeOf(payment)).length === 0) {
      house.bank.change(chargeOf(payment), { status: "voided", providerStatus: "voided" });
    } else if (kind < 0.8) await Promise.all([look(payment), look(payment)]);
    else {
      house.advance(10 * second);
      await Promise.all([house.refunds.tick(house.clock.at), other.tick(house.clock.at)]);
    }
  };
  for (let round = 0; round < 8; round += 1) for (const payment of payments) await step(payment);
  house.bank.forget();
  house.bank.state.namesReferences = true;
  for (let hours = 0; hours < 30; hours += 1) {
    house.advance(60 * minute);
    await Promise.all([house.refunds.tick(house.clock.at), other.tick(house.clock.at)]);
    if (hours % 10 === 9) for (const payment of payments) await look(payment);
  }
  for (const payment of payments) {
    const { kept } = await house.check(payment);
    expect(house.bank.leftOf(chargeOf(payment)), JSON.stringify(await house.refundsOf(payment))).toBe(kept);
    const open = (await house.refundsOf(payment)).filter(({ state }) => state !== "succeeded" && state !== "failed");
    expect(open).toEqual([]);
  }
}, 60_000);
