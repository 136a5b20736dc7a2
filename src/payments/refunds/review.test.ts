import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "#shared/seeded-random.ts";
import { isLongRun } from "#test/long-run.ts";
import { longTest } from "#test/long-test.ts";
import { openRefundFixture, type RefundFixture } from "#test/refund-fixture.ts";
import type { RefundTurn } from "#test/scripted-bank.ts";
import type { Attempt } from "../attempts.ts";
import { reconcile } from "../reconcile.ts";
import { review } from "./review.ts";

const second = 1000;
const minute = 60 * second;
const PAYMENTS = isLongRun ? 40 : 10;

let fixture: RefundFixture;
beforeAll(async () => {
  fixture = await openRefundFixture();
});
afterAll(() => fixture.stop());

const chargeOf = (payment: Attempt) => payment.provider_transaction_id!;
const look = (payment: Attempt) =>
  review(fixture.context, payment, fixture.bank.listOf(chargeOf(payment))!, fixture.clock.at);

describe("money that the provider refunded without us", () => {
  test("REL-1: a refund made there by hand is taken onto the books, once however often it is found", async () => {
    const payment = await fixture.takePayment();
    const { transactionId } = fixture.bank.give(chargeOf(payment), 2500);
    const done = await look(payment);
    const [refund] = await fixture.refundsOf(payment);
    expect(done).toEqual([{ kind: "refund", reference: refund?.order_reference, cents: 2500 }]);
    expect(refund).toMatchObject({
      requested_by: "provider",
      state: "succeeded",
      kind: "refund",
      provider_transaction_id: transactionId,
      provider_status: "approved",
    });
    expect(await fixture.stateOf(payment)).toBe("partially_refunded");
    expect(await look(payment)).toEqual([]);
    fixture.bank.give(chargeOf(payment), 8158);
    expect(await look(payment)).toHaveLength(1);
    expect(await fixture.stateOf(payment)).toBe("refunded");
    expect(await fixture.check(payment)).toMatchObject({ kept: 0 });
  });

  test("REL-1: a refund that ten reviews find at the same time, over two connections, with duplicates in the list, is one row", async () => {
    const payment = await fixture.takePayment();
    fixture.bank.give(chargeOf(payment), 100);
    fixture.bank.give(chargeOf(payment), 100);
    const list = fixture.bank.listOf(chargeOf(payment))!;
    const done = await Promise.all(
      Array.from({ length: 10 }, () => review(fixture.context, payment, [...list, ...list], fixture.clock.at)),
    );
    expect(done.flat()).toHaveLength(2);
    expect(await fixture.refundsOf(payment)).toHaveLength(2);
    expect(await fixture.check(payment)).toMatchObject({ kept: 10_458 });
  });

  test("REL-1: what was refunded there is found as soon as the provider refuses a refund of ours because of it", async () => {
    const payment = await fixture.takePayment();
    fixture.bank.give(chargeOf(payment), 9000);
    await fixture.refunds.request(fixture.requestFor(payment));
    await fixture.tick();
    expect(await fixture.refundsOf(payment)).toMatchObject([{ state: "failed", amount_cents: 10_658 }]);
    await reconcile(fixture.context, fixture.clock.at);
    expect(await fixture.stateOf(payment)).toBe("partially_refunded");
    expect(await fixture.refunds.request(fixture.requestFor(payment))).toMatchObject({
      ok: true,
      refund: { amount_cents: 1658 },
    });
    await fixture.tick();
    expect(await fixture.check(payment)).toMatchObject({ kept: 0 });
  });

  test("REL-1: the refunds of other payments, and those not approved, are left alone", async () => {
    const payment = await fixture.takePayment();
    const other = await fixture.takePayment();
    fixture.bank.give(chargeOf(other), 100);
    fixture.bank.give(chargeOf(payment), 100).status = "declined";
    fixture.bank.give(chargeOf(payment), 100).status = "pending";
    const all = [payment, other].flatMap((one) => fixture.bank.listOf(chargeOf(one))!);
    expect(await review(fixture.context, payment, all, fixture.clock.at)).toEqual([]);
    expect(await fixture.refundsOf(payment)).toEqual([]);
  });

  test.each([
    ["voided", "voided", "void"],
    ["declined", "settlement_declined", "reversal"],
    ["voided", "settlement_declined", "reversal"],
  ] as const)(
    "REL-1: a charge that is %s (%s) there is given back whole, as a %s",
    async (status, providerStatus, kind) => {
      const payment = await fixture.takePayment();
      fixture.bank.change(chargeOf(payment), { status, providerStatus });
      expect(await look(payment)).toMatchObject([{ kind, cents: 10_658 }]);
      expect(await look(payment)).toEqual([]);
      expect(await fixture.refundsOf(payment)).toMatchObject([{ kind, requested_by: "provider" }]);
      expect(await fixture.stateOf(payment)).toBe("refunded");
      expect(await fixture.check(payment)).toMatchObject({ kept: 0 });
    },
  );

  test("REL-1: a reversal after a part was refunded takes what is left", async () => {
    const payment = await fixture.takePayment();
    await fixture.send(payment, 658);
    fixture.bank.change(chargeOf(payment), { status: "declined", providerStatus: "settlement_declined" });
    expect(await look(payment)).toMatchObject([{ kind: "reversal", cents: 10_000 }]);
    expect(await fixture.check(payment)).toMatchObject({ kept: 0 });
  });

  test("REL-1: a refund that was made and then failed at the bank is reported to staff", async () => {
    const payment = await fixture.takePayment();
    await fixture.send(payment, 658);
    Object.assign(fixture.bank.refundsOf(chargeOf(payment))[0]!, { status: "declined", providerStatus: "failed" });
    expect(await look(payment)).toEqual([]);
    expect(fixture.noticesOf(payment.id)).toEqual(["a refund that was made is now 'failed' at the provider"]);
  });
});

describe("our own refunds whose answer was lost", () => {
  test.each([true, false])(
    "REL-1: they are matched to what is found, with our reference in the list: %s",
    async (isNamed) => {
      fixture.bank.state.namesReferences = isNamed;
      const payment = await fixture.takePayment();
      const refund = await fixture.send(payment, 2500, "lost_made");
      expect(await look(payment)).toEqual([{ kind: "refund", reference: refund.order_reference, cents: 2500 }]);
      expect(await fixture.refundsOf(payment)).toMatchObject([
        { id: refund.id, state: "succeeded", requested_by: "staff" },
      ]);
      fixture.advance(minute);
      await fixture.refunds.tick(fixture.clock.at);
      expect(await look(payment)).toEqual([]);
      expect(await fixture.check(payment)).toMatchObject({ kept: 8158 });
      fixture.bank.state.namesReferences = true;
    },
  );

  test("REL-1: a refund by hand of another amount is not taken for it", async () => {
    const payment = await fixture.takePayment();
    fixture.bank.give(chargeOf(payment), 600);
    const refund = await fixture.send(payment, 2500, "lost_made");
    expect(await look(payment)).toMatchObject([{ cents: 600 }, { reference: refund.order_reference, cents: 2500 }]);
    expect(await fixture.check(payment)).toMatchObject({ kept: 7558 });
  });

  test("REL-1: a refund by hand of the same amount, listed first, is not taken for the one with our reference", async () => {
    const payment = await fixture.takePayment();
    fixture.bank.give(chargeOf(payment), 2500);
    const refund = await fixture.send(payment, 2500, "lost_made");
    const [, mine] = fixture.bank.refundsOf(chargeOf(payment));
    expect(await look(payment)).toHaveLength(2);
    const booked = (await fixture.refundsOf(payment)).find(({ id }) => id === refund.id);
    expect(booked?.provider_transaction_id).toBe(mine?.transactionId);
    expect(await fixture.check(payment)).toMatchObject({ kept: 5658 });
  });

  test("REL-1: one that is found while its answer is on the way is settled once", async () => {
    const payment = await fixture.takePayment();
    const reply = await fixture.refunds.request(fixture.requestFor(payment, { amountCents: 2500 }));
    if (!reply.ok) throw new Error(reply.problem);
    fixture.bank.script("throws_made");
    await fixture.refunds.tick(fixture.clock.at);
    expect(await look(payment)).toHaveLength(1);
    fixture.advance(200 * second);
    await fixture.refunds.tick(fixture.clock.at);
    expect(await fixture.check(payment)).toMatchObject({ kept: 8158 });
  });

  test("REL-1: two of the same amount, listed without references, end as two, whichever was matched to which", async () => {
    fixture.bank.state.namesReferences = false;
    const payment = await fixture.takePayment();
    const requests = await Promise.all(
      [1, 2].map(() => fixture.refunds.request(fixture.requestFor(payment, { amountCents: 2500 }))),
    );
    const release = fixture.bank.holdNext();
    const ticking = fixture.refunds.tick(fixture.clock.at);
    await expect.poll(() => fixture.bank.refundsOf(chargeOf(payment))).toHaveLength(1);
    await look(payment);
    release();
    await ticking;
    for (let step = 0; step < 3; step += 1) {
      fixture.advance(20 * second);
      await reconcile(fixture.context, fixture.clock.at);
      await fixture.refunds.tick(fixture.clock.at);
    }
    expect(requests.every(({ ok }) => ok)).toBe(true);
    const { made } = await fixture.check(payment);
    expect(made.map(({ amount_cents }) => amount_cents)).toEqual([2500, 2500]);
    expect(await fixture.refundsOf(payment)).toHaveLength(2);
    fixture.bank.state.namesReferences = true;
  });

  test("REL-1: one that was matched to another of the same amount is not sent again", async () => {
    fixture.bank.state.namesReferences = false;
    const payment = await fixture.takePayment();
    const first = await fixture.send(payment, 2500, "lost");
    const second = await fixture.send(payment, 2500, "lost_made_resendable");
    await look(payment);
    fixture.bank.state.namesReferences = true;
    for (const { id } of [first, second]) {
      fixture.advance(minute);
      await reconcile(fixture.context, fixture.clock.at);
      await fixture.tick();
      await fixture.tick();
      expect(["succeeded", "failed", "unknown"]).toContain((await fixture.find(id)).state);
    }
    expect(fixture.bank.refundsOf(chargeOf(payment))).toHaveLength(1);
    expect(await fixture.check(payment)).toMatchObject({ kept: 8158 });
    expect((await fixture.refundsOf(payment)).map(({ state }) => state).sort()).toEqual(["failed", "succeeded"]);
  });

  test("REL-1: a void whose answer was lost is matched to the void that is found", async () => {
    const payment = await fixture.takePayment();
    fixture.bank.state.isVoidable = true;
    const refund = await fixture.send(payment, null, "lost_made");
    fixture.bank.state.isVoidable = false;
    expect(await look(payment)).toEqual([{ kind: "void", reference: refund.order_reference, cents: 10_658 }]);
    expect(await fixture.refundsOf(payment)).toMatchObject([{ id: refund.id, kind: "void" }]);
    await fixture.check(payment);
  });

  test("REL-1: one that was given up counts when it is found and there is room", async () => {
    const payment = await fixture.takePayment();
    const refund = await fixture.send(payment, 6000, "refused");
    fixture.bank.give(chargeOf(payment), 6000).orderReference = refund.order_reference;
    expect(await look(payment)).toMatchObject([{ reference: refund.order_reference, cents: 6000 }]);
    const second = await fixture.takePayment();
    const lost = await fixture.send(second, 6000, "refused");
    await fixture.send(second, 6000);
    fixture.bank.give(chargeOf(second), 6000).orderReference = lost.order_reference;
    expect(await look(second)).toEqual([]);
    expect(fixture.noticesOf(second.id)).toEqual([
      "a refund that had been given up was made after all, as well as another one",
    ]);
    expect(await fixture.check(second)).toMatchObject({ kept: 4658 });
  });

  test("REL-1: a different amount than requested is reported to staff", async () => {
    const payment = await fixture.takePayment();
    const refund = await fixture.send(payment, 6000, "lost");
    fixture.bank.give(chargeOf(payment), 600).orderReference = refund.order_reference;
    expect(await look(payment)).toEqual([]);
    expect(fixture.noticesOf(payment.id)).toEqual(["the provider refunded a different amount than requested"]);
  });
});

describe("what leaves no room", () => {
  test("REL-1: a waiting refund is dropped for one that was made by hand", async () => {
    const payment = await fixture.takePayment();
    const refund = await fixture.send(payment, null, "too_early");
    fixture.bank.give(chargeOf(payment), 6000);
    expect(await look(payment)).toMatchObject([
      { kind: "refund_dropped", reference: refund.order_reference },
      { kind: "refund", cents: 6000 },
    ]);
    expect(fixture.noticesOf(refund.id)).toEqual(["the provider has already refunded the money"]);
    expect(await fixture.check(payment)).toMatchObject({ kept: 4658 });
  });

  test("REL-1: the review waits for one whose answer is lost, and repeats automatically", async () => {
    const payment = await fixture.takePayment();
    const refund = await fixture.send(payment, 6000, "lost");
    fixture.bank.change(chargeOf(payment), { status: "voided", providerStatus: "voided" });
    expect(await look(payment)).toEqual([]);
    expect(await fixture.refundsOf(payment)).toHaveLength(1);
    for (let step = 0; step < 20; step += 1) {
      fixture.advance(10 * second);
      await reconcile(fixture.context, fixture.clock.at);
      await fixture.refunds.tick(fixture.clock.at);
    }
    expect(await fixture.refundsOf(payment)).toMatchObject([
      { id: refund.id, state: "failed" },
      { kind: "void", amount_cents: 10_658 },
    ]);
    expect(await fixture.stateOf(payment)).toBe("refunded");
    expect(await fixture.check(payment)).toMatchObject({ kept: 0 });
  });

  test("REL-1: more than was charged is never booked, and staff are told", async () => {
    const payment = await fixture.takePayment();
    fixture.bank.give(chargeOf(payment), 10_000);
    fixture.bank.give(chargeOf(payment), 10_000);
    expect(await look(payment)).toHaveLength(1);
    expect(fixture.noticesOf(payment.id)).toEqual(["the provider refunded more than it had charged"]);
    expect(await fixture.check(payment)).toMatchObject({ kept: 658 });
  });
});

longTest(
  "REL-1: after random refunds, refunds by hand, lost answers, voids and reviews, payments agree with the provider's books",
  async () => {
    const random = seededRandom(5);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
    const other = fixture.besides();
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
    const payments = await Promise.all(Array.from({ length: PAYMENTS }, () => fixture.takePayment()));
    fixture.bank.forget();
    const step = async (payment: Attempt) => {
      const kind = random();
      const amountCents = random() < 0.2 ? null : 1 + Math.floor(random() * 4000);
      fixture.bank.state.namesReferences = random() < 0.7;
      if (kind < 0.45) {
        fixture.bank.script(pick(turns));
        await pick([fixture.refunds, other]).request(fixture.requestFor(payment, { amountCents }));
      } else if (kind < 0.6) {
        const left = fixture.bank.leftOf(chargeOf(payment));
        if (left > 0) fixture.bank.give(chargeOf(payment), Math.min(left, amountCents ?? left));
      } else if (kind < 0.62 && fixture.bank.refundsOf(chargeOf(payment)).length === 0) {
        fixture.bank.change(chargeOf(payment), { status: "voided", providerStatus: "voided" });
      } else if (kind < 0.8) await Promise.all([look(payment), look(payment)]);
      else {
        fixture.advance(10 * second);
        await Promise.all([fixture.refunds.tick(fixture.clock.at), other.tick(fixture.clock.at)]);
      }
    };
    for (let round = 0; round < 8; round += 1) for (const payment of payments) await step(payment);
    fixture.bank.forget();
    fixture.bank.state.namesReferences = true;
    for (let hours = 0; hours < 30; hours += 1) {
      fixture.advance(60 * minute);
      await Promise.all([fixture.refunds.tick(fixture.clock.at), other.tick(fixture.clock.at)]);
      if (hours % 10 === 9) for (const payment of payments) await look(payment);
    }
    for (const payment of payments) {
      const { kept } = await fixture.check(payment);
      expect(fixture.bank.leftOf(chargeOf(payment)), JSON.stringify(await fixture.refundsOf(payment))).toBe(kept);
      const open = (await fixture.refundsOf(payment)).filter(
        ({ state }) => state !== "succeeded" && state !== "failed",
      );
      expect(open).toEqual([]);
    }
  },
);
