import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { dayInSydney } from "#shared/language.ts";
import { refundRequest } from "#test/braintree-fixture.ts";
import { type PaywayFixture, startPaywayFixture } from "#test/payway-fixture.ts";
import type { Charged, RefundInstruction } from "../provider.ts";
import { customerOfDay } from "../reference.ts";
import { readTime } from "./payway-transactions.ts";

const DAY_MS = 86_400_000;

let fixture: PaywayFixture;
let simulator: PaywayFixture["simulator"];
beforeAll(async () => {
  fixture = await startPaywayFixture();
  simulator = fixture.simulator;
});
afterEach(() => simulator.clearFaults());
afterAll(() => fixture.stop());

const today = () => dayInSydney(new Date());

async function pay(changes: { amountCents?: number; customerReference?: string } = {}) {
  return (await fixture.connect().charge(await fixture.prepareCharge(changes))) as Charged;
}

/** A payment as PayWay shows it by its id, and the answer to every call about it. */
async function payway(
  payment: object,
  answer: { status: number; body?: unknown } = { status: 500 },
): Promise<{ url: string; sent: { path: string; form: URLSearchParams; key: string | undefined }[] }> {
  const sent: { path: string; form: URLSearchParams; key: string | undefined }[] = [];
  const honest = {
    transactionId: 77,
    status: "approved",
    transactionType: "payment",
    customerNumber: "DAY-20261121",
    orderNumber: "T1",
    currency: "aud",
    principalAmount: 52.5,
    isVoidable: false,
    isRefundable: true,
    ...payment,
  };
  const url = await fixture.serve((request, response) => {
    const isSearch = request.url!.includes("/search-");
    if (request.method === "GET") return void response.end(JSON.stringify(isSearch ? { data: [] } : honest));
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const key = request.headers["idempotency-key"]?.toString();
      sent.push({ path: request.url!, form: new URLSearchParams(body), key });
      response.writeHead(answer.status).end(JSON.stringify(answer.body ?? {}));
    });
  });
  return { url, sent };
}

const madeRefund = (request: RefundInstruction, changes: object = {}) => ({
  transactionId: 78,
  status: "approved",
  transactionType: "refund",
  orderNumber: request.orderReference,
  currency: "aud",
  principalAmount: request.amountCents / 100,
  parentTransaction: { transactionId: 77 },
  ...changes,
});

describe("requests for refunds at PayWay", () => {
  test("REL-1: a refund names its payment, amount, own order and key; a void only the payment", async () => {
    const request = refundRequest("77");
    const settled = await payway({});
    await fixture.connect({ url: settled.url }).refund(request);
    expect(settled.sent.map(({ path, form, key }) => [path, Object.fromEntries(form), key])).toEqual([
      [
        "/transactions",
        {
          transactionType: "refund",
          parentTransactionId: "77",
          principalAmount: "52.50",
          orderNumber: request.orderReference,
        },
        request.idempotencyKey,
      ],
    ]);
    const fresh = await payway({ isVoidable: true, isRefundable: false });
    await fixture.connect({ url: fresh.url }).refund(request);
    expect(fresh.sent.map(({ path, form }) => [path, form.size])).toEqual([["/transactions/77/void", 0]]);
  });

  test.each([
    {
      payment: { isVoidable: true, isRefundable: false },
      request: { isWhole: false, amountCents: 1 },
      kind: "too_early",
    },
    { payment: { isVoidable: false, isRefundable: false }, request: {}, kind: "too_early" },
    { payment: { isVoidable: null, isRefundable: null }, request: {}, kind: "too_early" },
    { payment: { status: "declined", isRefundable: false }, request: {}, kind: "refused" },
    { payment: { status: "voided" }, request: { isWhole: false, amountCents: 1 }, kind: "refused" },
    { payment: { transactionType: "refund" }, request: {}, kind: "refused" },
    { payment: { currency: "usd" }, request: {}, kind: "refused" },
    { payment: {}, request: { amountCents: 5249 }, kind: "refused" },
    { payment: {}, request: { amountCents: 5251, isWhole: false }, kind: "refused" },
    { payment: { transactionId: 79 }, request: {}, kind: "not_sent" },
    { payment: { principalAmount: "odd" }, request: {}, kind: "not_sent" },
  ])("REL-1: of $payment, $request is $kind, and nothing is sent", async ({ payment, request, kind }) => {
    const { url, sent } = await payway(payment);
    expect(await fixture.connect({ url }).refund(refundRequest("77", request))).toMatchObject({ kind });
    expect(sent).toEqual([]);
  });
});

describe("what an answer to a refund means", () => {
  test.each([
    { status: 422, refund: "refused", voided: "too_early", mayResend: [] },
    { status: 429, refund: "not_sent", voided: "not_sent", mayResend: [] },
    { status: 401, refund: "not_sent", voided: "not_sent", mayResend: [] },
    { status: 409, refund: "not_sent", voided: "not_sent", mayResend: [] },
    { status: 500, refund: "unknown", voided: "unknown", mayResend: [false, true] },
    { status: 503, refund: "unknown", voided: "unknown", mayResend: [true, true] },
    { status: 201, refund: "unknown", voided: "unknown", mayResend: [false, true] },
  ])("REL-1: HTTP $status to a refund is $refund, to a void $voided", async ({ status, refund, voided, mayResend }) => {
    const settled = await payway({}, { status });
    const resend = (index: number) => (mayResend.length === 0 ? {} : { mayResend: mayResend[index] });
    expect(await fixture.connect({ url: settled.url }).refund(refundRequest("77"))).toMatchObject({
      kind: refund,
      ...resend(0),
    });
    const fresh = await payway({ isVoidable: true, isRefundable: false }, { status });
    expect(await fixture.connect({ url: fresh.url }).refund(refundRequest("77"))).toMatchObject({
      kind: voided,
      ...resend(1),
    });
  });

  test.each([
    { odd: {}, means: { kind: "succeeded", how: "refund", transactionId: "78" } },
    { odd: { status: "approved*" }, means: { kind: "succeeded", how: "refund" } },
    { odd: { status: "declined", responseCode: "05" }, means: { kind: "refused" } },
    { odd: { status: "declined", responseCode: "Q6" }, means: { kind: "unknown" } },
    { odd: { status: "pending" }, means: { kind: "unknown" } },
    { odd: { status: "refunded" }, means: { kind: "unknown" } },
    { odd: { transactionId: undefined }, means: { kind: "unknown" } },
    { odd: { transactionType: "payment" }, means: { kind: "unknown" } },
    { odd: { orderNumber: "T1" }, means: { kind: "unknown" } },
    { odd: { currency: "usd" }, means: { kind: "unknown" } },
    { odd: { principalAmount: 52.51 }, means: { kind: "unknown" } },
    { odd: { parentTransaction: { transactionId: 76 } }, means: { kind: "unknown" } },
    { odd: { parentTransaction: null }, means: { kind: "unknown" } },
  ])("REL-1: a refund that is answered with $odd is $means.kind", async ({ odd, means }) => {
    const request = refundRequest("77");
    const { url } = await payway({}, { status: 201, body: madeRefund(request, odd) });
    expect(await fixture.connect({ url }).refund(request)).toMatchObject(means);
  });

  test("REL-1: after a refused connection nothing was refunded", async () => {
    const outcome = await fixture.connect({ url: "http://127.0.0.1:2" }).refund(refundRequest("77"));
    expect(outcome).toMatchObject({ kind: "not_sent", reason: expect.stringContaining("cannot be reached") });
  });

  test.each(["422", "409"] as const)("REL-1: with answer %s to a key in use, money goes back once", async (mode) => {
    const other = await startPaywayFixture({ IDEMPOTENCY_MODE: mode });
    try {
      const provider = other.connect();
      const { transactionId } = (await provider.charge(await other.prepareCharge())) as Charged;
      await other.simulator.advance(DAY_MS);
      const request = refundRequest(transactionId, { amountCents: 2000, isWhole: false });
      await other.simulator.installFault({ match: { op: "refund" }, do: "slow", ms: 600, times: 1 });
      expect(await other.connect({ timeoutMs: 300 }).refund(request)).toMatchObject({
        kind: "unknown",
        mayResend: true,
      });
      await expect.poll(async () => (await provider.findRefund(request)).outcome).toMatchObject({ kind: "succeeded" });
      expect(await provider.refund(request)).toMatchObject({ kind: "succeeded" });
      const books = await other.simulator.listLedger();
      expect(books.filter(({ type }) => type === "refund")).toMatchObject([{ amountCents: 2000 }]);
    } finally {
      await other.stop();
    }
  });
});

describe("what PayWay's days show", () => {
  test("REL-1: a day's payments and refunds of many pages are listed once each, refunds with their order", async () => {
    const customerReference = customerOfDay("2026-02-03");
    const amounts = Array.from({ length: 45 }, (_, index) => 1000 + index);
    const paid: Charged[] = [];
    for (const amountCents of amounts) paid.push(await pay({ amountCents, customerReference }));
    const beside = await pay();
    await simulator.advance(DAY_MS);
    const request = refundRequest(paid[0]!.transactionId, { amountCents: 1000 });
    const made = await fixture.connect().refund(request);
    await simulator.installFault({ do: "search_duplicates" });
    const listed = await fixture.connect().listTransactions(["2026-02-03", "2026-02-04"]);
    expect(listed).toHaveLength(46);
    expect(
      listed
        .filter(({ type }) => type === "payment")
        .map(({ amountCents }) => amountCents)
        .sort(),
    ).toEqual(amounts);
    expect(listed.filter(({ type }) => type === "refund")).toEqual([
      {
        transactionId: made.kind === "succeeded" ? made.transactionId : "",
        type: "refund",
        status: "approved",
        providerStatus: "approved",
        amountCents: 1000,
        currency: "AUD",
        orderReference: request.orderReference,
        parentId: paid[0]!.transactionId,
        at: expect.any(Date),
        dispute: null,
      },
    ]);
    expect((await fixture.connect().listTransactions([today()])).map(({ transactionId }) => transactionId)).toContain(
      beside.transactionId,
    );
  });

  test.each([
    { status: "approved*", shows: "approved" },
    { status: "suspended", shows: "pending" },
    { status: "declined", shows: "declined" },
    { status: "voided", shows: "voided" },
    { status: "refunded", shows: "unknown" },
  ])("a payment that is $status shows as $shows, and a pre-authorisation not at all", async ({ status, shows }) => {
    const row = { transactionId: 9, status, currency: "aud", principalAmount: 10, transactionType: "payment" };
    const rows = [row, { ...row, transactionId: 8, transactionType: "preAuth" }];
    const url = await fixture.serve((_request, response) => response.end(JSON.stringify({ data: rows })));
    expect(await fixture.connect({ url }).listTransactions(["2026-02-03"])).toMatchObject([
      { transactionId: "9", status: shows, providerStatus: status, orderReference: null, at: null },
    ]);
  });

  test("a payment under another customer number, from before each day had its own, is still found with its refunds", async () => {
    const { transactionId } = await pay({ customerReference: "G0" });
    await simulator.advance(DAY_MS);
    await simulator.actExternally({ do: "refund", transactionId, amountCents: 50 });
    expect(await fixture.connect().findPayment({ transactionId, day: today() })).toMatchObject([
      { transactionId },
      { type: "refund", parentId: transactionId, amountCents: 50 },
    ]);
  });

  test.each([
    { text: "12 Jun 2015 18:22 AEST", at: "2015-06-12T08:22:00.000Z" },
    { text: "1 Jan 2026 00:05 AEDT", at: "2025-12-31T13:05:00.000Z" },
    { text: "32 Jan 2026 00:05 AEDT", at: undefined },
    { text: "2026-01-01T00:00:00Z", at: undefined },
    { text: null, at: undefined },
  ])("the time $text is $at", ({ text, at }) => {
    expect(readTime(text)?.toISOString()).toBe(at);
  });
});
