import { describe, expect, test } from "vitest";
import { seededRandom } from "#shared/seeded-random.ts";
import { delayAfter, isGivenUp, nextCheck, nextLateCheck } from "../decide.ts";
import type { RefundOutcome } from "../provider.ts";
import {
  type Credit,
  judgeRefund,
  keptOf,
  nextRefundCheck,
  nextRefundStep,
  nextTry,
  paidStateAfter,
  refundStateAfter,
  roomOf,
  shareOut,
  stateAfterDispute,
  takenOver,
} from "./refund-rules.ts";
import { type RefundState, refundEventOf, refundMoves } from "./refund-states.ts";

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;
const now = new Date("2026-11-21T01:00:00Z");
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
const sum = (credits: readonly Credit[]) => credits.reduce((total, { cents }) => total + cents, 0);
const refund = (amount_cents: number, state: RefundState = "succeeded") => ({ amount_cents, state });
const payment = { state: "succeeded", amount_cents: 10_000 } as const;

const outcomes: Record<RefundOutcome["kind"], RefundOutcome> = {
  succeeded: { kind: "succeeded", how: "refund", transactionId: "1", status: "approved", raw: null },
  refused: { kind: "refused", reason: "", raw: null },
  too_early: { kind: "too_early", reason: "" },
  not_sent: { kind: "not_sent", reason: "" },
  unknown: { kind: "unknown", reason: "", mayResend: true },
};

describe("sharing a refund over the accounts", () => {
  test("DON-22: a half takes half of each account, and the rest clears them all", () => {
    const credits = [
      { account: "donations:zakat", cents: 10_000 },
      { account: "fees:admin", cents: 500 },
      { account: "fees:merchant", cents: 158 },
    ];
    expect(shareOut(5329, credits).map(({ cents }) => cents)).toEqual([5000, 250, 79]);
    expect(shareOut(10_658, credits)).toEqual(credits);
    expect(shareOut(1, credits).map(({ cents }) => cents)).toEqual([1, 0, 0]);
    expect(() => shareOut(10_659, credits)).toThrow("exceeds");
  });

  test("DON-22: 10,000 random payments are refunded in random parts to the last cent, and no account goes below zero", () => {
    const random = seededRandom(20_261_121);
    const upTo = (most: number) => 1 + Math.floor(random() * most);
    for (let payments = 0; payments < 10_000; payments += 1) {
      let left: Credit[] = Array.from({ length: upTo(6) }, (_, index) => ({
        account: `donations:${index}`,
        cents: random() < 0.2 ? 0 : upTo(random() < 0.1 ? 5_000_000 : 30_000),
      }));
      const captured = sum(left);
      let returned = 0;
      while (sum(left) > 0) {
        const amount = random() < 0.15 ? sum(left) : upTo(sum(left));
        const parts = shareOut(amount, left);
        if (sum(parts) !== amount) throw new Error(`${amount} became ${sum(parts)}`);
        if (parts.some(({ cents }, index) => cents < 0 || cents > left[index]!.cents)) {
          throw new Error(`${JSON.stringify(parts)} of ${JSON.stringify(left)}`);
        }
        left = left.map(({ account, cents }, index) => ({ account, cents: cents - parts[index]!.cents }));
        returned += amount;
      }
      if (returned !== captured || left.some(({ cents }) => cents !== 0)) throw new Error("something is left");
    }
  });
});

describe("whether a refund is granted", () => {
  test("REL-1: a refund is never more than the charge minus finished and open refunds", () => {
    const refunds = [refund(3000), refund(2000, "unknown"), refund(1000, "requested"), refund(9000, "failed")];
    expect(roomOf(10_000, refunds)).toBe(4000);
    expect(keptOf(10_000, refunds)).toBe(7000);
    expect(judgeRefund(payment, refunds, null)).toEqual({ ok: true, amountCents: 4000 });
    expect(judgeRefund(payment, refunds, 4000)).toEqual({ ok: true, amountCents: 4000 });
    expect(judgeRefund(payment, refunds, 4001)).toEqual({ ok: false, problem: "too_much", leftCents: 4000 });
    expect(judgeRefund(payment, [refund(10_000, "submitting")], null)).toMatchObject({ problem: "nothing_left" });
  });

  test.each([
    ["created", "not_paid"],
    ["requires_action", "not_paid"],
    ["submitting", "not_paid"],
    ["unknown", "not_paid"],
    ["processing", "not_paid"],
    ["failed", "not_paid"],
    ["cancelled", "not_paid"],
    ["not_found", "not_paid"],
    ["disputed", "not_paid"],
    ["refunded", "nothing_left"],
    ["succeeded", undefined],
    ["succeeded_late", undefined],
    ["partially_refunded", undefined],
  ] as const)("DON-22: of a payment that is %s: %s", (state, problem) => {
    const judged = judgeRefund({ ...payment, state }, [], 1);
    expect(judged.ok ? undefined : judged.problem).toBe(problem);
  });
});

describe("the state after an answer", () => {
  const states = Object.keys(refundMoves) as RefundState[];

  test("REL-1: every answer leads to an allowed move, and a refund that was made stays made", () => {
    for (const state of states) {
      for (const outcome of Object.values(outcomes)) {
        for (const sends of [1, 2]) {
          const to = refundStateAfter({ state, sends }, outcome);
          expect(to === undefined || refundEventOf(state, to) !== undefined, `${state}, ${outcome.kind}: ${to}`).toBe(
            true,
          );
          if (state === "succeeded") expect(to).toBeUndefined();
        }
      }
    }
    expect(Object.keys(refundMoves.succeeded)).toEqual([]);
  });

  test("REL-1: a refused resend says nothing about the first send", () => {
    const answered = (sends: number, kind: RefundOutcome["kind"]) =>
      refundStateAfter({ state: "submitting", sends }, outcomes[kind]);
    expect(answered(1, "refused")).toBe("failed");
    expect(answered(2, "refused")).toBe("unknown");
    expect(answered(1, "not_sent")).toBe("requested");
    expect(answered(2, "not_sent")).toBe("unknown");
    expect(answered(2, "too_early")).toBe("requested");
    expect(refundStateAfter({ state: "unknown", sends: 1 }, outcomes.not_sent)).toBeUndefined();
  });

  test("DON-22: the payment's state follows from its refunds, and a dispute stays open while anything is left", () => {
    expect(paidStateAfter(payment, [])).toBe("succeeded");
    expect(paidStateAfter({ ...payment, state: "succeeded_late" }, [refund(1, "failed")])).toBe("succeeded_late");
    expect(paidStateAfter(payment, [refund(1)])).toBe("partially_refunded");
    expect(paidStateAfter(payment, [refund(4000), refund(6000)])).toBe("refunded");
    expect(paidStateAfter({ ...payment, state: "disputed" }, [refund(1)])).toBe("disputed");
    expect(paidStateAfter({ ...payment, state: "disputed" }, [refund(10_000)])).toBe("refunded");
    expect(stateAfterDispute(payment, [])).toBe("succeeded");
    expect(stateAfterDispute(payment, [refund(1)])).toBe("partially_refunded");
  });
});

describe("when a refund is looked up, sent again and given up", () => {
  const lost = {
    state: "unknown",
    checks: 1,
    sends: 1,
    sent_at: ago(5 * second),
    lease_until: null,
    created_at: ago(day),
  } as const;
  const settings = { now, giveUpMs: 30 * second, leaseMs: 100 * second, tries: 2 };
  const books = { mayResend: false, isAuthoritative: true };

  test("REL-1: it is sent again if the provider allows it, or if complete books show nothing after the lease", () => {
    expect(nextRefundStep(lost, { ...books, mayResend: true }, settings)).toBe("send_again");
    expect(nextRefundStep({ ...lost, sends: 2 }, { ...books, mayResend: true }, settings)).toBe("wait");
    expect(nextRefundStep(lost, books, settings)).toBe("wait");
    expect(nextRefundStep({ ...lost, sent_at: ago(101 * second) }, books, settings)).toBe("send_again");
    expect(
      nextRefundStep({ ...lost, sent_at: ago(101 * second) }, { ...books, isAuthoritative: false }, settings),
    ).toBe("wait");
    expect(nextRefundStep({ ...lost, state: "failed" }, { ...books, mayResend: true }, settings)).toBe("wait");
  });

  test("REL-8: a dead process's refund is looked up after five seconds, and neither sent without a key nor given up until its last call has ended", () => {
    const inTime = (milliseconds: number) => ago(-milliseconds);
    const terms = { now, giveUpMs: 30 * second };
    const left = takenOver({ lease_until: inTime(155 * second) }, terms);
    expect(left).toEqual({ next_check_at: inTime(5 * second), lease_until: inTime(30 * second) });
    expect(takenOver({ lease_until: inTime(20 * second) }, terms).lease_until).toEqual(inTime(20 * second));
    expect(takenOver({ lease_until: ago(1) }, terms)).toEqual({ next_check_at: now, lease_until: null });
    const refund = { ...lost, sent_at: ago(40 * second), lease_until: left.lease_until };
    const step = (sends: number, at = now, mayResend = false) =>
      nextRefundStep({ ...refund, sends }, { ...books, mayResend }, { ...settings, now: at });
    expect(step(1, now, true)).toBe("send_again");
    expect(step(1)).toBe("wait");
    expect(step(2)).toBe("wait");
    expect(step(1, inTime(30 * second))).toBe("send_again");
    expect(step(2, inTime(30 * second))).toBe("give_up");
    expect(nextRefundCheck({ ...refund, checks: 2 }, now, day)).toEqual(inTime(30 * second));
  });

  test("REL-1: with complete books it is given up once `giveUpMs` have passed, with others after a day", () => {
    const twice = { ...lost, sends: 2 };
    expect(nextRefundStep({ ...twice, sent_at: ago(30 * second) }, books, settings)).toBe("give_up");
    const lagging = { ...books, isAuthoritative: false };
    expect(nextRefundStep({ ...twice, sent_at: ago(23 * hour) }, lagging, settings)).toBe("wait");
    expect(nextRefundStep({ ...twice, sent_at: ago(day) }, lagging, settings)).toBe("give_up");
    expect(isGivenUp(ago(2 * day), { now, giveUpMs: 3 * day, isAuthoritative: false })).toBe(false);
  });

  test("REL-1: checks come less and less often, with one a second after `giveUpMs` end", () => {
    const sentAt = now;
    const delays = [0, 1, 2, 3, 4, 5, 9].map((checks) => delayAfter({ checks, sentAt }, { now, giveUpMs: day }));
    expect(delays.map((delay) => delay / second)).toEqual([5, 15, 60, 300, 900, 3600, 3600]);
    expect(delayAfter({ checks: 3, sentAt: ago(20 * second) }, { now, giveUpMs: 30 * second })).toBe(11 * second);
    expect(nextRefundCheck({ ...lost, checks: 0 }, now, day)).toEqual(new Date(now.getTime() + 5 * second));
  });

  test("REL-1: a refund that was given up is looked up daily for a week", () => {
    expect(nextLateCheck(ago(2 * day), now)).toEqual(new Date(now.getTime() + day));
    expect(nextLateCheck(ago(8 * day), now)).toBeNull();
    expect(nextRefundCheck({ ...lost, state: "failed", sent_at: ago(8 * day) }, now, 0)).toBeNull();
    expect(nextCheck({ state: "not_found", checks: 9, sent_at: ago(8 * day) }, now, 0)).toBeNull();
    expect(nextCheck({ state: "refunded", checks: 9, sent_at: ago(8 * day) }, now, 0)).toEqual(ago(-300 * second));
  });

  test("REL-1: a refund that is too early is retried in an hour, and one that could not be sent is retried sooner", () => {
    expect(nextTry({ checks: 0 }, outcomes.too_early, now)).toEqual(ago(-hour));
    expect(nextTry({ checks: 1 }, outcomes.not_sent, now)).toEqual(ago(-120 * second));
    expect(nextTry({ checks: 500 }, outcomes.not_sent, now)).toEqual(ago(-hour));
  });
});
