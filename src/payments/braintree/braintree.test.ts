import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createNonce } from "#simulators/control.ts";
import { type BraintreeFixture, respond, startBraintreeFixture, written } from "#test/braintree-fixture.ts";
import { longTest } from "#test/long-test.ts";

let fixture: BraintreeFixture;
beforeAll(async () => {
  fixture = await startBraintreeFixture();
});
afterEach(() => fixture.simulator.clearFaults());
afterAll(() => fixture.stop());

const notCharged = (mayRetry: boolean) => ({ kind: "not_charged", mayRetry });
const unknown = (mayResend = false) => ({ kind: "unknown", mayResend });

describe("requests to Braintree", () => {
  test("DON-19: an invalid nonce never leaves the server", async () => {
    const before = (await fixture.simulator.listRequests()).length;
    for (const instrument of [
      "",
      "short",
      "../transactions",
      "a nonce with spaces",
      `${"x".repeat(201)}`,
      "abcdefgh\n",
    ]) {
      const outcome = await fixture.connect().charge(await fixture.prepareCharge({ instrument }));
      expect(outcome).toEqual({ kind: "not_charged", reason: "bad nonce", mayRetry: false });
    }
    expect((await fixture.simulator.listRequests()).length).toBe(before);
  });

  test("DON-19: a card's nonce is refused before any sale, as a decline", async () => {
    const charge = await fixture.prepareCharge({ kind: "card" });
    const outcome = await fixture.connect().charge(charge);
    expect(outcome).toEqual({
      kind: "declined",
      transactionId: null,
      status: "not_paypal",
      responseCode: null,
      raw: { type: "CreditCard" },
    });
    expect((await fixture.simulator.listRequests()).some(({ op }) => op === "charge")).toBe(false);
  });

  test("a nonce that nobody knows, and one that was charged before, are not sold again", async () => {
    const strange = await fixture.prepareCharge({ instrument: "nobody-knows-this-one" });
    expect(await fixture.connect().charge(strange)).toMatchObject(notCharged(false));
    const first = await fixture.prepareCharge();
    await fixture.connect().charge(first);
    const second = await fixture.prepareCharge({ instrument: first.instrument });
    expect(await fixture.connect().charge(second)).toMatchObject(unknown());
    expect(await fixture.listBooked(second.orderReference)).toEqual([]);
  });

  test("a failed lookup of the nonce charges nothing and may be repeated", async () => {
    for (const fault of [
      "hang_before",
      "reset_after",
      "error_500_before",
      "html_200_after",
      "empty_201_after",
    ] as const) {
      const charge = await fixture.prepareCharge();
      await fixture.simulator.installFault({ match: { op: "nonce" }, do: fault, times: 1 });
      expect(await fixture.connect({ timeoutMs: 400 }).charge(charge), fault).toMatchObject(notCharged(true));
      expect(await fixture.connect().charge(charge), fault).toMatchObject({ kind: "succeeded" });
    }
  });

  test("DON-19: the sale names amount, order and merchant account, is settled immediately, and has a key only if allowed", async () => {
    const charge = await fixture.prepareCharge({ amountCents: 5 });
    for (const hasRequestKeys of [false, true]) {
      const { url, asked } = await fixture.sellAt((response) => respond(response, 200, ""));
      await fixture.connect({ url, hasRequestKeys }).charge(charge);
      expect(asked.map(({ path }) => path)).toEqual([
        `/merchants/simulator/payment_method_nonces/${charge.instrument}`,
        "/merchants/simulator/transactions",
      ]);
      expect(JSON.parse(asked[1]!.body)).toEqual({
        transaction: {
          type: "sale",
          amount: "0.05",
          order_id: charge.orderReference,
          merchant_account_id: "simulator_aud",
          payment_method_nonce: charge.instrument,
          options: { submit_for_settlement: true },
          ...(hasRequestKeys ? { api_request_key: charge.idempotencyKey } : {}),
        },
      });
    }
  });
});

describe("what an answer to a sale means", () => {
  const faults = [
    { do: "hang_before", means: unknown(), charges: 0 },
    { do: "hang_after", means: unknown(), charges: 1 },
    { do: "reset_before", means: unknown(), charges: 0 },
    { do: "reset_after", means: unknown(), charges: 1 },
    { do: "error_500_before", means: unknown(), charges: 0 },
    { do: "error_500_after", means: unknown(), charges: 1 },
    { do: "error_429", means: notCharged(true), charges: 0 },
    { do: "error_503", means: unknown(), charges: 0 },
    { do: "malformed_after", means: unknown(), charges: 1 },
    { do: "html_200_after", means: unknown(), charges: 1 },
    { do: "empty_201_after", means: unknown(), charges: 1 },
    { do: "truncated_after", means: unknown(), charges: 1 },
    { do: "wrong_amount", means: unknown(), charges: 1 },
    { do: "wrong_order", means: unknown(), charges: 1 },
    { do: "missing_id", means: unknown(), charges: 1 },
    { do: "decline", means: { kind: "declined", status: "processor_declined", responseCode: "2000" }, charges: 1 },
    { do: "suspended", means: { kind: "declined", status: "gateway_rejected", responseCode: "fraud" }, charges: 1 },
    { do: "pending", means: { kind: "processing", status: "settlement_pending" }, charges: 1 },
  ] as const;

  test.each(faults)("REL-1: $do is $means.kind", async ({ do: fault, means, charges }) => {
    const charge = await fixture.prepareCharge();
    await fixture.simulator.installFault({ match: { op: "charge" }, do: fault });
    // Looking up the nonce has the same time limit.
    const options = fault.startsWith("hang") ? { timeoutMs: 1500 } : {};
    expect(await fixture.connect(options).charge(charge)).toMatchObject(means);
    expect((await fixture.simulator.listLedger()).at(-1)?.orderReference === charge.orderReference).toBe(charges === 1);
  });

  longTest("REL-1: a slow sale that goes through after we stopped waiting is found in the books", async () => {
    const charge = await fixture.prepareCharge();
    await fixture.simulator.installFault({ match: { op: "charge" }, do: "slow", ms: 2500, times: 1 });
    const braintree = fixture.connect({ timeoutMs: 1500 });
    expect(await braintree.charge(charge)).toMatchObject({ ...unknown(), reason: "Braintree did not answer in time" });
    await expect
      .poll(async () => (await braintree.findByOrderReference(charge.orderReference)).outcomes)
      .toMatchObject([{ kind: "succeeded" }]);
  });

  test.each([
    { kind: "succeeded", statuses: ["submitted_for_settlement", "settling", "settled", "settlement_confirmed"] },
    { kind: "processing", statuses: ["authorizing", "authorized", "settlement_pending"] },
    {
      kind: "declined",
      statuses: [
        "processor_declined",
        "failed",
        "settlement_declined",
        "authorization_expired",
        "voided",
        "gateway_rejected",
      ],
    },
    { kind: "unknown", statuses: ["something_new"] },
  ])("DON-19: $statuses.0 and its like are $kind", async ({ kind, statuses }) => {
    const charge = await fixture.prepareCharge();
    for (const status of statuses) {
      const { url } = await fixture.sellAt((response) => {
        const transaction = written.sale(charge, { status });
        const isRefused = kind === "declined";
        const body = isRefused ? written.problems().replace("<message>", `${transaction}<message>`) : transaction;
        respond(response, isRefused ? 422 : 201, body);
      });
      expect(await fixture.connect({ url }).charge(charge), status).toMatchObject({ kind });
    }
  });

  test.each([
    {
      statuses: [401, 403, 404, 426],
      means: { ...notCharged(false), reason: expect.stringMatching(/check BRAINTREE_/) },
    },
    { statuses: [429], means: notCharged(true) },
    { statuses: [400, 408, 418, 302, 500, 502, 503, 504], means: unknown() },
  ])("REL-1: HTTP $statuses.0 and its like are $means.kind", async ({ statuses, means }) => {
    const charge = await fixture.prepareCharge();
    for (const status of statuses) {
      const { url } = await fixture.sellAt((response) => respond(response, status, ""));
      expect(await fixture.connect({ url }).charge(charge), `HTTP ${status}`).toMatchObject(means);
    }
  });

  test.each([
    { codes: ["81502"], means: notCharged(false), text: "base (81502)" },
    { codes: ["91513"], means: notCharged(false), text: "(91513)" },
    { codes: ["915230"], means: notCharged(false), text: "(915230)" },
    { codes: ["915231"], means: notCharged(false), text: "BRAINTREE_REQUEST_KEYS=off" },
    { codes: ["91564"], means: unknown(), text: "an earlier sale may have succeeded" },
    { codes: ["81502", "91564"], means: unknown(), text: "an earlier sale may have succeeded" },
    { codes: ["915233"], means: unknown(true), text: "an earlier sale may have succeeded" },
    { codes: ["915232"], means: unknown(), text: "an earlier sale may have succeeded" },
    { codes: [], means: unknown(), text: "without a transaction" },
  ])("REL-1: a refusal with $codes is $means.kind", async ({ codes, means, text }) => {
    const charge = await fixture.prepareCharge();
    const { url } = await fixture.sellAt((response) => respond(response, 422, written.problems(...codes)));
    const outcome = await fixture.connect({ url, hasRequestKeys: true }).charge(charge);
    expect(outcome).toMatchObject({ ...means, reason: expect.stringContaining(text) });
  });

  test.each([
    { odd: { id: "" } },
    { odd: { id: "../1" } },
    { odd: { type: "credit" } },
    { odd: { amount: "52.51" } },
    { odd: { amount: "52.5" } },
    { odd: { amount: "5250" } },
    { odd: { "currency-iso-code": "USD" } },
    { odd: { "order-id": "SOMEBODY-ELSES" } },
    { odd: { "order-id": "" } },
    { odd: { "merchant-account-id": "simulator_usd" } },
    { odd: { "payment-instrument-type": "credit_card" } },
    { odd: { "payment-instrument-type": "" } },
    { odd: { status: "" } },
    { odd: { status: "gateway_rejected", "gateway-rejection-reason": "duplicate" } },
  ])("REL-1: a 201 with $odd is no success", async ({ odd }) => {
    const charge = await fixture.prepareCharge();
    const honest = await fixture.sellAt((response) => respond(response, 201, written.sale(charge)));
    expect(await fixture.connect({ url: honest.url }).charge(charge)).toMatchObject({ kind: "succeeded" });
    const { url } = await fixture.sellAt((response) => respond(response, 201, written.sale(charge, odd)));
    expect(await fixture.connect({ url }).charge(charge)).toMatchObject(unknown());
  });

  test("REL-1: a refusal with an approved transaction in it is neither yes nor no", async () => {
    const charge = await fixture.prepareCharge();
    const body = written.problems().replace("<message>", `${written.sale(charge)}<message>`);
    const { url } = await fixture.sellAt((response) => respond(response, 422, body));
    expect(await fixture.connect({ url }).charge(charge)).toMatchObject(unknown());
  });
});

describe("a merchant that may use request keys", () => {
  let allowed: BraintreeFixture;
  beforeAll(async () => {
    allowed = await startBraintreeFixture({ BRAINTREE_REQUEST_KEYS: "on" });
  });
  afterAll(() => allowed.stop());

  test.each(["hang_after", "reset_after", "error_500_after"] as const)(
    "REL-1: after %s the same key gets the charge, once",
    async (fault) => {
      const charge = await allowed.prepareCharge();
      await allowed.simulator.installFault({ match: { op: "charge" }, do: fault, times: 1 });
      const hurried = allowed.connect({ hasRequestKeys: true, timeoutMs: 1500 });
      expect(await hurried.charge(charge)).toMatchObject(unknown(true));
      expect(await allowed.connect({ hasRequestKeys: true }).charge(charge)).toMatchObject({ kind: "succeeded" });
      expect(await allowed.listBooked(charge.orderReference)).toHaveLength(1);
    },
  );

  test("REL-1: if keys are not allowed, the operator is told and nothing is charged", async () => {
    const outcome = await fixture.connect({ hasRequestKeys: true }).charge(await fixture.prepareCharge());
    expect(outcome).toMatchObject({
      ...notCharged(false),
      reason: expect.stringContaining("BRAINTREE_REQUEST_KEYS=off"),
    });
  });

  test("another key with a used nonce charges nothing more", async () => {
    const instrument = await createNonce(allowed.simulator.url);
    const braintree = allowed.connect({ hasRequestKeys: true });
    await braintree.charge(await allowed.prepareCharge({ instrument }));
    const second = await allowed.prepareCharge({ instrument });
    expect(await braintree.charge(second)).toMatchObject(unknown());
    expect(await allowed.listBooked(second.orderReference)).toEqual([]);
  });
});
