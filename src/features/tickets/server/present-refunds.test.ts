import { expect, test } from "vitest";
import { presentRefunds } from "./present-refunds.ts";
import type { RefundRow } from "./store.ts";

const day = 86_400_000;
const now = new Date("2026-11-22T03:00:00Z");
const order = { paid_attempt_id: "paid", total_cents: 20_000, state: "paid" };
const tickets = [
  { price_cents: 5_000, cancelled_at: now },
  { price_cents: 15_000, cancelled_at: null },
];
const row = (changes: Partial<RefundRow>): RefundRow => ({
  id: "one",
  amount_cents: 5_000,
  state: "requested",
  kind: "refund",
  provider_status: null,
  created_at: now,
  settled_at: null,
  attemptId: "paid",
  paidCents: 20_000,
  chargedAt: new Date(now.getTime() - day / 2),
  provider: "payway",
  ...changes,
});
const shown = (refunds: RefundRow[]) => presentRefunds(order, { refunds, tickets, now });

test("TIC-8: only partial refunds before settlement wait, and those that the provider put off", () => {
  const settled = { chargedAt: new Date(now.getTime() - 2 * day) };
  const states = [{}, settled, { paidCents: 5_000 }, { ...settled, provider_status: "too early" }].map(
    (changes) => shown([row(changes)])[0]?.state,
  );
  expect(states).toEqual(["waiting", "on_its_way", "on_its_way", "waiting"]);
  expect(shown([row({})])[0]?.expectedBy).toBe("2026-11-23T15:00:00.000Z");
});

test("TIC-8: a failed refund shows as delayed until another replaces it", () => {
  const failed = row({ state: "failed" });
  expect(shown([failed]).map(({ state }) => state)).toEqual(["delayed"]);
  const again = row({ id: "two", state: "succeeded", settled_at: now });
  expect(shown([failed, again]).map(({ state }) => state)).toEqual(["paid"]);
});

test("TIC-8: the refund of a duplicate payment is marked as such, and so is money that the payer's bank took back", () => {
  const second = row({ attemptId: "second", amount_cents: 20_000, state: "succeeded", settled_at: now });
  expect(shown([second])).toMatchObject([{ isSecondPayment: true, state: "paid" }]);
  const disputed = row({ state: "succeeded", kind: "chargeback", settled_at: now });
  expect(shown([disputed])).toMatchObject([{ isSecondPayment: false, state: "taken_back" }]);
});
