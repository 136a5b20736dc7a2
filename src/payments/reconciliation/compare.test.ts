import { expect, test } from "vitest";
import { type BookedPayment, type BookedRefund, compareWithProvider, type ListedTransaction } from "./compare.ts";

const day = "2026-11-20";
const before = "2026-11-19";
const at = new Date("2026-11-20T02:00:00Z");
const now = new Date("2026-11-20T18:00:00Z");
const giveUpMs = 3_600_000;

const payment = (changes: Partial<BookedPayment> = {}): BookedPayment => ({
  attemptId: "a1",
  orderReference: "P-1",
  transactionId: "1",
  state: "succeeded",
  amountCents: 1000,
  currency: "AUD",
  sentAt: at,
  day,
  ledgerCents: 1000,
  refunds: [],
  ...changes,
});

const refund = (changes: Partial<BookedRefund> = {}): BookedRefund => ({
  refundId: "r1",
  orderReference: "R-1",
  transactionId: "2",
  kind: "refund",
  state: "succeeded",
  amountCents: 400,
  at,
  day,
  ledgerCents: -400,
  ...changes,
});

const charge = (changes: Partial<ListedTransaction> = {}): ListedTransaction => ({
  transactionId: "1",
  type: "payment",
  status: "approved",
  providerStatus: "approved",
  amountCents: 1000,
  currency: "AUD",
  orderReference: null,
  parentId: null,
  at: null,
  dispute: null,
  day,
  ...changes,
});

const credit = (changes: Partial<ListedTransaction> = {}) =>
  charge({
    transactionId: "2",
    type: "refund",
    amountCents: 400,
    orderReference: "R-1",
    parentId: "1",
    at,
    ...changes,
  });

const compare = (booked: BookedPayment[], listed: ListedTransaction[]) =>
  compareWithProvider(booked, listed, { day, now, giveUpMs });
const partly = (changes: Partial<BookedPayment> = {}) =>
  payment({ state: "partially_refunded", refunds: [refund()], ...changes });

test("REL-1: equal books give no finding, and the same sum on both sides", () => {
  const voided = payment({
    attemptId: "a2",
    orderReference: "P-2",
    transactionId: "3",
    state: "refunded",
    refunds: [
      refund({ kind: "void", transactionId: "3", orderReference: "R-2", amountCents: 1000, ledgerCents: -1000 }),
    ],
  });
  const lost = payment({
    attemptId: "a3",
    orderReference: "P-3",
    transactionId: "4",
    state: "refunded",
    refunds: [
      refund({ transactionId: "5", orderReference: "R-3" }),
      refund({ kind: "chargeback", transactionId: null, orderReference: "R-4", amountCents: 600, ledgerCents: -600 }),
    ],
  });
  const listed = [
    charge(),
    charge(),
    credit(),
    charge({ transactionId: "3", status: "voided", providerStatus: "voided" }),
    charge({ transactionId: "4", dispute: "lost" }),
    credit({ transactionId: "5", parentId: "4", orderReference: "R-3" }),
    charge({ transactionId: "6", status: "declined", orderReference: "P-4" }),
    charge({ transactionId: "7", day: before, orderReference: "P-5" }),
  ];
  const declined = payment({
    attemptId: "a4",
    orderReference: "P-4",
    transactionId: "6",
    state: "failed",
    ledgerCents: 0,
  });
  const earlier = payment({ attemptId: "a5", orderReference: "P-5", transactionId: null, day: before });
  expect(compare([partly(), voided, lost, declined, earlier], listed)).toEqual({
    findings: [],
    oursCents: 600,
    theirsCents: 600,
    transactions: 7,
    openPayments: 0,
  });
});

const voidOf = (changes: Partial<BookedRefund>) =>
  payment({
    state: "refunded",
    refunds: [refund({ kind: "void", transactionId: "1", amountCents: 1000, ledgerCents: -1000, ...changes })],
  });

test.each<[string, BookedPayment[], ListedTransaction[], Record<string, unknown>]>([
  [
    "money that nobody here knows",
    [],
    [charge()],
    { kind: "charge_without_payment", reference: "1", theirsCents: 1000 },
  ],
  [
    "what is left of such money after a refund",
    [],
    [charge(), credit()],
    { kind: "charge_without_payment", reference: "1", theirsCents: 600 },
  ],
  [
    "a payment that the provider lacks",
    [payment()],
    [],
    { kind: "payment_without_charge", reference: "1", oursCents: 1000 },
  ],
  [
    "a refunded payment that the provider lacks is one finding, not two",
    [partly()],
    [],
    { kind: "payment_without_charge", attemptId: "a1" },
  ],
  [
    "another amount",
    [payment()],
    [charge({ amountCents: 999 })],
    { kind: "amount_differs", oursCents: 1000, theirsCents: 999 },
  ],
  ["another currency", [payment()], [charge({ currency: "USD" })], { kind: "currency_differs" }],
  [
    "failed here, approved there",
    [payment({ state: "failed", transactionId: null, ledgerCents: 0 })],
    [charge({ orderReference: "P-1" })],
    { kind: "status_differs", reference: "1", oursCents: 0, theirsCents: 1000 },
  ],
  [
    "not found here, approved there",
    [payment({ state: "not_found", transactionId: null, ledgerCents: 0 })],
    [charge({ orderReference: "P-1" })],
    { kind: "status_differs" },
  ],
  [
    "paid here, declined there",
    [payment()],
    [charge({ status: "declined" })],
    { kind: "status_differs", theirsCents: 0 },
  ],
  [
    "paid here, pending there",
    [payment()],
    [charge({ status: "pending" })],
    { kind: "status_differs", theirsCents: 0 },
  ],
  ["paid here, voided there", [payment()], [charge({ status: "voided" })], { kind: "status_differs", theirsCents: 0 }],
  [
    "paid here, disputed there",
    [payment()],
    [charge({ dispute: "open" })],
    { kind: "status_differs", detail: "a dispute is open there" },
  ],
  ["paid here, a lost dispute there", [payment()], [charge({ dispute: "lost" })], { kind: "status_differs" }],
  [
    "disputed here, won there",
    [payment({ state: "disputed" })],
    [charge({ dispute: "won" })],
    { kind: "status_differs" },
  ],
  [
    "a second charge for one payment",
    [payment()],
    [charge(), charge({ transactionId: "9", orderReference: "P-1" })],
    { kind: "charged_twice", reference: "9", theirsCents: 1000, attemptId: "a1" },
  ],
  [
    "a refund made there",
    [payment()],
    [charge(), credit()],
    { kind: "refund_without_request", reference: "2", theirsCents: -400 },
  ],
  ["a refund there of nothing that is known", [], [credit()], { kind: "refund_without_request", attemptId: null }],
  [
    "a refund there of a payment that failed here",
    [payment({ state: "failed", ledgerCents: 0 })],
    [credit()],
    { kind: "refund_without_request", attemptId: null },
  ],
  [
    "a refund made twice there",
    [partly()],
    [charge(), credit(), credit({ transactionId: "8" })],
    { kind: "refund_without_request", reference: "8" },
  ],
  [
    "a refund that the provider lacks",
    [partly()],
    [charge()],
    { kind: "refund_missing", reference: "2", refundId: "r1", oursCents: -400 },
  ],
  [
    "a refund that was declined there",
    [partly()],
    [charge(), credit({ status: "declined" })],
    { kind: "refund_missing" },
  ],
  ["a void that never came there", [voidOf({})], [charge()], { kind: "refund_missing", reference: "R-1" }],
  [
    "a void of part",
    [voidOf({ amountCents: 900, ledgerCents: -900 })],
    [charge({ status: "voided" })],
    { kind: "refund_amount_differs", theirsCents: -1000 },
  ],
  [
    "a refund of another amount",
    [partly()],
    [charge(), credit({ amountCents: 300 })],
    { kind: "refund_amount_differs", oursCents: -400, theirsCents: -300 },
  ],
  [
    "a refund that we gave up and they made",
    [payment({ refunds: [refund({ state: "failed", ledgerCents: 0, transactionId: null })] })],
    [charge(), credit()],
    { kind: "status_differs", refundId: "r1", oursCents: 0, theirsCents: -400 },
  ],
  [
    "a ledger that lacks the charge",
    [payment({ ledgerCents: 0 })],
    [charge()],
    { kind: "ledger_differs", reference: "P-1", oursCents: 0, theirsCents: 1000 },
  ],
  [
    "a ledger that lacks the refund",
    [partly({ refunds: [refund({ ledgerCents: 0 })] })],
    [charge(), credit()],
    { kind: "ledger_differs", reference: "R-1", oursCents: 0, theirsCents: -400, refundId: "r1" },
  ],
  [
    "a ledger that has what failed",
    [payment({ state: "failed", ledgerCents: 5 })],
    [charge({ status: "declined" })],
    { kind: "ledger_differs", oursCents: 5, theirsCents: 0 },
  ],
])("REL-1: reconciliation names %s", (_, booked, listed, expected) => {
  const { findings } = compare(booked, listed);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject(expected);
});

test("REL-1: an open payment is left alone until it is old, and then reported if the provider differs", () => {
  const young = new Date(now.getTime() - giveUpMs);
  for (const state of ["created", "requires_action", "submitting", "unknown", "processing"] as const) {
    const open = payment({ state, transactionId: null, ledgerCents: 0 });
    const found = (listed: ListedTransaction[], sentAt = at) => {
      const { findings, theirsCents, openPayments } = compare([{ ...open, sentAt }], listed);
      return [findings.map(({ kind }) => kind).join(), theirsCents, openPayments];
    };
    const there = { orderReference: "P-1" };
    expect(found([charge(there)], young), state).toEqual(["", 0, 1]);
    expect(found([], young), state).toEqual(["", 0, 1]);
    expect(found([charge(there)]), state).toEqual(["status_differs", 1000, 0]);
    expect(found([charge({ ...there, amountCents: 7 })]), state).toEqual(["amount_differs", 7, 0]);
    expect(found([charge({ ...there, status: "pending" })]), state).toEqual(["", 0, 0]);
    expect(found([]), state).toEqual(["status_differs", 0, 0]);
  }
  const asked = partly({ state: "succeeded", refunds: [refund({ state: "unknown", ledgerCents: 0, at: young })] });
  expect(compare([asked], [charge(), credit()])).toMatchObject({ findings: [], oursCents: 1000, theirsCents: 1000 });
  expect(compare([asked], [charge()]).findings).toEqual([]);
  const old = partly({ state: "succeeded", refunds: [refund({ state: "unknown", ledgerCents: 0 })] });
  expect(compare([old], [charge(), credit()]).findings).toMatchObject([{ kind: "status_differs", refundId: "r1" }]);
});

test("REL-1: a duplicate charge that was refunded is not a finding", () => {
  const extra = charge({ transactionId: "9", orderReference: "P-1" });
  const back = credit({ transactionId: "10", parentId: "9", amountCents: 1000, orderReference: null });
  expect(compare([payment()], [charge(), extra, back])).toMatchObject({ findings: [], theirsCents: 1000 });
  expect(compare([payment()], [charge(), { ...extra, status: "voided" }]).findings).toEqual([]);
  expect(compare([], [extra, back]).findings).toEqual([]);
});

test("REC-32: a reversed payment that the provider does not have agrees, also in the sums of both days", () => {
  const reversal = { kind: "reversal", transactionId: "1", amountCents: 1000, ledgerCents: -1000 } as const;
  const reversed = payment({ state: "refunded", day: before, refunds: [refund(reversal)] });
  expect(compare([reversed], [])).toMatchObject({ findings: [], oursCents: -1000, theirsCents: -1000 });
  const inPart = payment({
    state: "partially_refunded",
    refunds: [refund({ ...reversal, amountCents: 400, ledgerCents: -400 })],
  });
  expect(compare([inPart], []).findings).toMatchObject([{ kind: "payment_without_charge" }]);
  const refunded = payment({ state: "refunded", refunds: [refund({ ...reversal, kind: "refund" })] });
  expect(compare([refunded], []).findings).toMatchObject([{ kind: "payment_without_charge" }]);
  expect(compare([reversed], [charge({ day: before })]).findings).toMatchObject([{ kind: "refund_missing" }]);
});
