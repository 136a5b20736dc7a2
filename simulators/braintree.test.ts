import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { codes, openFixtureGateway } from "./braintree-fixture.ts";
import { controlSimulator, createNonce, type SimulatorControl } from "./control.ts";
import { hasMovedMoney } from "./ledger.ts";
import { type RunningSimulators, startSimulators } from "./start.ts";

const DAY_MS = 86_400_000;
const root = mkdtempSync(path.join(tmpdir(), "almoner-braintree-"));

let running: RunningSimulators;
let simulator: SimulatorControl;
let merchant: ReturnType<typeof openFixtureGateway>;

beforeAll(async () => {
  running = await startSimulators({ port: 0, dataDir: path.join(root, "books") });
  simulator = controlSimulator(running.url);
  merchant = openFixtureGateway(running.url);
});
afterEach(() => simulator.reset());
afterAll(async () => {
  await running.stop();
  rmSync(root, { recursive: true, force: true });
});

describe("the official SDK against the gateway", () => {
  test("DON-19: token, nonce, sale, lookup and refund work", async () => {
    expect(await merchant.gateway.clientToken.generate({})).toMatchObject({
      success: true,
      clientToken: expect.any(String),
    });
    const nonce = await createNonce(running.url);
    expect(await merchant.gateway.paymentMethodNonce.find(nonce)).toMatchObject({
      type: "PayPalAccount",
      consumed: false,
    });
    const { transaction } = await merchant.sell({ nonce });
    expect(transaction).toMatchObject({
      status: "submitted_for_settlement",
      type: "sale",
      amount: "108.15",
      currencyIsoCode: "AUD",
      orderId: "D-1",
      merchantAccountId: "simulator_aud",
      paymentInstrumentType: "paypal_account",
      processorResponseCode: "1000",
      refundIds: [],
      disputes: [],
    });
    expect(await merchant.gateway.paymentMethodNonce.find(nonce)).toMatchObject({ consumed: true });
    expect(codes(await merchant.sell({ nonce }))).toEqual(["91564"]);
    expect(await merchant.gateway.transaction.find(transaction.id)).toMatchObject({ id: transaction.id });
    expect(await merchant.listOrder("D-1")).toMatchObject([{ id: transaction.id, orderId: "D-1" }]);
    expect(await merchant.listOrder("D-2")).toEqual([]);
    expect(await simulator.listLedger()).toMatchObject([
      { provider: "braintree", transactionId: transaction.id, orderReference: "D-1", amountCents: 10_815 },
    ]);
  });

  test("keys open only their own merchant", async () => {
    const wrongKey = openFixtureGateway(running.url, { publicKey: "nobody" });
    const wrongMerchant = openFixtureGateway(running.url, { merchantId: "somebody" });
    await expect(wrongKey.sell()).rejects.toMatchObject({ type: "authenticationError" });
    await expect(wrongMerchant.sell()).rejects.toMatchObject({ type: "authorizationError" });
    await expect(merchant.gateway.transaction.find("nothing")).rejects.toMatchObject({ type: "notFoundError" });
    await expect(merchant.gateway.paymentMethodNonce.find("nothing")).rejects.toMatchObject({ type: "notFoundError" });
    expect(await simulator.listLedger()).toEqual([]);
  });

  test.each([
    { what: "no amount", changes: { amount: "" }, code: "81502" },
    { what: "nothing", changes: { amount: "0.00" }, code: "81531" },
    { what: "three decimals", changes: { amount: "1.005" }, code: "81503" },
    { what: "another merchant account", changes: { account: "simulator_usd" }, code: "91513" },
    { what: "an unknown nonce", changes: { nonce: "nobody-knows-it" }, code: "91565" },
    { what: "the sandbox's consumed nonce", changes: { nonce: "fake-consumed-nonce" }, code: "91564" },
    { what: "a request key that is not allowed", changes: { key: "key-1" }, code: "915231" },
  ])("$what is refused with $code, and nothing is booked", async ({ changes, code }) => {
    expect(codes(await merchant.sell(changes))).toEqual([code]);
    expect(await simulator.listLedger()).toEqual([]);
  });

  test("a nonce expires after three hours, and says what it was made from", async () => {
    const [card, late] = [await createNonce(running.url, { kind: "card" }), await createNonce(running.url)];
    expect(await merchant.gateway.paymentMethodNonce.find(card)).toMatchObject({ type: "CreditCard" });
    await simulator.advance(3 * 3_600_000);
    expect(codes(await merchant.sell({ nonce: late }))).toEqual(["91565"]);
  });

  test("DON-19: a payment is voided before it settles and refunded after, never beyond what was paid", async () => {
    const first = (await merchant.sell()).transaction.id;
    expect(codes(await merchant.refund(first, "1.00"))).toEqual(["91506"]);
    expect((await merchant.gateway.transaction.void(first)).transaction.status).toBe("voided");
    expect(codes(await merchant.gateway.transaction.void(first))).toEqual(["91504"]);

    const second = (await merchant.sell({ amount: "52.50" })).transaction.id;
    await simulator.advance(DAY_MS);
    expect((await merchant.gateway.transaction.find(second)).status).toBe("settled");
    expect(codes(await merchant.gateway.transaction.void(second))).toEqual(["91504"]);
    const refund = await merchant.refund(second, "50.00", "R-1");
    expect(refund.transaction).toMatchObject({ type: "credit", orderId: "R-1", refundedTransactionId: second });
    expect(codes(await merchant.refund(refund.transaction.id, "1.00"))).toEqual(["91505"]);
    expect(codes(await merchant.refund(second, "2.51"))).toEqual(["91521"]);
    expect((await merchant.refund(second)).transaction).toMatchObject({ amount: "2.50", orderId: "D-1" });
    expect(codes(await merchant.refund(second, "0.01"))).toEqual(["91512"]);
    expect((await merchant.gateway.transaction.find(second)).refundIds).toHaveLength(2);
    const rows = await simulator.listLedger();
    expect(rows.map(({ type, status, amountCents, parentId }) => [type, status, amountCents, parentId])).toEqual([
      ["payment", "voided", 10_815, null],
      ["payment", "settled", 5250, null],
      ["refund", "settling", 5000, second],
      ["refund", "settling", 250, second],
    ]);
    expect(rows.map(hasMovedMoney)).toEqual([false, true, true, true]);
  });
});

describe("the amounts of a nonce from 'Approve, then fault'", () => {
  test.each([
    { amount: "2000.00", status: "processor_declined", code: "2000" },
    { amount: "2046.99", status: "processor_declined", code: "2046" },
    { amount: "3000.00", status: "failed", code: "3000" },
    { amount: "5001.01", status: "processor_declined", code: "2038" },
    { amount: "5001.00", status: "gateway_rejected", code: null },
    { amount: "10.63", status: "gateway_rejected", code: null },
  ])("$amount becomes $status", async ({ amount, status, code }) => {
    const nonce = await createNonce(running.url, { kind: "fault" });
    const result = await merchant.sell({ amount, nonce });
    expect(result).toMatchObject({ success: false, transaction: { status, processorResponseCode: code } });
    expect(codes(result)).toEqual([]);
  });

  test.each([
    { amount: "4001.00", first: "submitted_for_settlement", later: "settlement_declined" },
    { amount: "4002.50", first: "settlement_pending", later: "settled" },
    { amount: "10.61", first: "settlement_pending", later: "settled" },
    { amount: "10.62", first: "settlement_pending", later: "settlement_declined" },
  ])("$amount is $first, and $later as time goes on", async ({ amount, first, later }) => {
    const { transaction } = await merchant.sell({ amount, nonce: await createNonce(running.url, { kind: "fault" }) });
    expect(transaction.status).toBe(first);
    await simulator.advance(1);
    expect((await merchant.gateway.transaction.find(transaction.id)).status).toBe(later);
  });

  test("a plain approval is approved whatever the amount", async () => {
    for (const amount of ["2000.00", "4001.00", "5001.00", "10.74"]) {
      expect((await merchant.sell({ amount })).transaction.status).toBe("submitted_for_settlement");
    }
  });
});

describe("faults", () => {
  test.each([
    { rule: { do: "error_500_before" }, type: "serverError", booked: 0 },
    { rule: { do: "error_500_after" }, type: "serverError", booked: 1 },
    { rule: { do: "error_429" }, type: "tooManyRequestsError", booked: 0 },
    { rule: { do: "error_503" }, type: "serviceUnavailableError", booked: 0 },
    { rule: { do: "auth_401" }, type: "authenticationError", booked: 0 },
    { rule: { do: "reset_before" }, type: "unexpectedError", booked: 0 },
    { rule: { do: "reset_after" }, type: "unexpectedError", booked: 1 },
    { rule: { do: "malformed_after" }, type: undefined, booked: 1 },
    { rule: { do: "html_200_after" }, type: undefined, booked: 1 },
    { rule: { do: "empty_201_after" }, type: undefined, booked: 1 },
  ] as const)("$rule.do is an error of type $type, with $booked in the books", async ({ rule, type, booked }) => {
    await simulator.installFault({ ...rule, match: { provider: "braintree", op: "charge" } });
    const error = await merchant.sell().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((error as { type?: string }).type).toBe(type);
    expect(await simulator.listLedger()).toHaveLength(booked);
  });

  test("REL-1: the SDK calls a charge a success whatever its answer; only the fields decide", async () => {
    const shown: unknown[] = [];
    for (const fault of ["wrong_amount", "wrong_order", "missing_id"] as const) {
      await simulator.installFault({ do: fault, times: 1 });
      const { success, transaction } = await merchant.sell();
      shown.push([success, transaction.amount, transaction.orderId, transaction.id === undefined]);
    }
    expect(shown).toEqual([
      [true, "109.15", "D-1", false],
      [true, "108.15", "SOMEBODY-ELSES", false],
      [true, "108.15", "D-1", true],
    ]);
    expect((await merchant.listOrder("D-1")).map(({ amount }) => amount)).toEqual(["108.15", "108.15", "108.15"]);
  });

  test("the bank's decision, a lost nonce lookup and a refused client token are rules too", async () => {
    await simulator.installFault({ do: "decline", code: "2001", match: { provider: "braintree" }, times: 1 });
    expect(await merchant.sell()).toMatchObject({ success: false, message: "Insufficient Funds" });
    await simulator.installFault({ do: "pending", resolvesTo: "declined", times: 1 });
    expect((await merchant.sell()).transaction.status).toBe("settlement_pending");
    await simulator.installFault({ do: "error_500_before", match: { op: "nonce" } });
    await simulator.installFault({ do: "auth_401", match: { op: "client_token" } });
    await expect(merchant.gateway.paymentMethodNonce.find("x")).rejects.toMatchObject({ type: "serverError" });
    await expect(merchant.gateway.clientToken.generate({})).rejects.toMatchObject({ type: "authenticationError" });
  });

  test("REL-1: a hanging answer is a time-out in the SDK, and the charge stands", async () => {
    const impatient = openFixtureGateway(running.url);
    impatient.gateway.config.timeout = 200;
    const nonce = await createNonce(running.url, { kind: "fault" });
    await expect(impatient.sell({ amount: "10.72", nonce })).rejects.toThrow("Request timed out");
    expect(await merchant.listOrder("D-1")).toHaveLength(1);
  });

  test("a fault nonce is refused twice with 429, then charged", async () => {
    const nonce = await createNonce(running.url, { kind: "fault" });
    for (let time = 0; time < 2; time += 1) {
      await expect(merchant.sell({ amount: "10.76", nonce })).rejects.toMatchObject({ type: "tooManyRequestsError" });
    }
    expect((await merchant.sell({ amount: "10.76", nonce })).success).toBe(true);
  });
});

describe("searches", () => {
  type DaySearch = {
    createdAt(): { min(value: Date): void; max(value: Date): void };
    type(): { is(value: string): void };
  };

  test("a day is listed in pages of fifty, newest first, only payments or only refunds", async () => {
    const begin = Date.now();
    for (let count = 0; count < 60; count += 1) await merchant.sell({ orderId: `D-${count}` });
    await simulator.advance(DAY_MS);
    const rows = await simulator.listLedger();
    await merchant.refund(rows[0]!.transactionId, "1.00", "R-1");
    const between = (min: number, max: number, type?: string) =>
      merchant.list((search) => {
        (search as DaySearch).createdAt().min(new Date(min));
        (search as DaySearch).createdAt().max(new Date(max));
        if (type !== undefined) (search as DaySearch).type().is(type);
      });
    const first = await between(begin, begin + DAY_MS / 2);
    expect(first.map(({ orderId }) => orderId)).toEqual(rows.map(({ orderReference }) => orderReference).reverse());
    expect(await between(begin, begin + 2 * DAY_MS, "credit")).toMatchObject([{ orderId: "R-1", type: "credit" }]);
    expect(await between(begin, begin + 2 * DAY_MS)).toHaveLength(61);
    const calls = (await simulator.listRequests()).filter(({ op }) => op === "search_page");
    expect(calls.map(({ form }) => form["search.ids"]?.split(",").length)).toEqual([50, 10, 1, 50, 11]);
  });

  test("REL-1: the index can be late, empty, broken, split and duplicated", async () => {
    const ids = [(await merchant.sell()).transaction.id, (await merchant.sell()).transaction.id].reverse();
    const found = async (fault: Parameters<SimulatorControl["installFault"]>[0]) => {
      await simulator.clearFaults();
      await simulator.installFault(fault);
      return (await merchant.listOrder("D-1")).map(({ id }) => id);
    };
    expect(await found({ do: "search_lag", ms: 60_000 })).toEqual([]);
    expect(await found({ do: "search_empty" })).toEqual([]);
    expect(await found({ do: "search_two_pages" })).toEqual(ids);
    expect(await found({ do: "search_duplicates" })).toEqual([ids[0], ids[0], ids[1], ids[1]]);
    await expect(found({ do: "search_500" })).rejects.toMatchObject({ type: "serverError" });
  });
});
