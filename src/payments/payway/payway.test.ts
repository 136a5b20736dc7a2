import { randomUUID } from "node:crypto";
import http, { type ClientRequest, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { testCards } from "#simulators/control.ts";
import { type PaywayFixture, SECRET_KEY, startPaywayFixture } from "#test/payway-fixture.ts";
import type { ChargeOutcome } from "../provider.ts";

let fixture: PaywayFixture;
let simulator: PaywayFixture["simulator"];

beforeAll(async () => {
  fixture = await startPaywayFixture();
  simulator = fixture.simulator;
});

afterEach(async () => {
  await simulator.clearFaults();
});

afterAll(() => fixture.stop());

const connect: PaywayFixture["connect"] = (changes) => fixture.connect(changes);
const prepareCharge: PaywayFixture["prepareCharge"] = (changes) => fixture.prepareCharge(changes);
const listBooked: PaywayFixture["listBooked"] = (orderReference) => fixture.listBooked(orderReference);
const serve: PaywayFixture["serve"] = (listener) => fixture.serve(listener);

describe("cards that pay", () => {
  test.each(["approved", "mastercard", "amex"] as const)(
    "DON-22: the %s test card is charged once, and the books show it",
    async (card) => {
      const charge = await prepareCharge({ card: testCards[card] });
      const outcome = await connect().charge(charge);
      expect(outcome).toMatchObject({
        kind: "succeeded",
        status: "approved",
        amountCents: 5250,
        paidCents: 5250,
        currency: "AUD",
        orderReference: charge.orderReference,
      });
      expect((await connect().findByOrderReference(charge.orderReference)).outcomes).toEqual([outcome]);
    },
  );

  test("REL-1: the same key and token sent again give the same transaction", async () => {
    const charge = await prepareCharge();
    const first = await connect().charge(charge);
    expect(await connect().charge(charge)).toEqual(first);
  });

  test("DON-22: a token pays once; under another key it is refused and nothing is charged", async () => {
    const charge = await prepareCharge();
    await connect().charge(charge);
    const second = await prepareCharge({ instrument: charge.instrument });
    expect(await connect().charge(second)).toMatchObject({ kind: "not_charged", mayRetry: false });
  });
});

describe("requests to PayWay", () => {
  test("DON-15: a token that is not a UUID never leaves the server", async () => {
    const before = (await simulator.listRequests()).length;
    for (const instrument of ["", "4564710000000004", "../transactions", `${randomUUID()}\r\nx: y`]) {
      const charge = await prepareCharge({ instrument });
      expect(await connect().charge(charge)).toEqual({ kind: "not_charged", reason: "bad token", mayRetry: false });
    }
    expect((await simulator.listRequests()).length).toBe(before);
  });

  test("a request has the payer's own address, the amount in dollars and the key", async () => {
    const charge = await prepareCharge({ amountCents: 5, customerIpAddress: "2001:db8::7" });
    await connect().charge(charge);
    const request = (await simulator.listRequests()).findLast(({ op }) => op === "charge");
    expect(request?.headers["idempotency-key"]).toBe(charge.idempotencyKey);
    expect(request?.form).toMatchObject({
      transactionType: "payment",
      principalAmount: "0.05",
      currency: "aud",
      customerIpAddress: "2001:db8::7",
      orderNumber: charge.orderReference,
    });
    expect(request?.form).not.toHaveProperty("threeDS2");
  });

  test("REL-1: twenty copies at the same moment make one charge and get one answer", async () => {
    const charge = await prepareCharge();
    await simulator.installFault({ match: { orderRef: charge.orderReference }, do: "slow", ms: 100 });
    const payway = connect();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => payway.charge(charge)));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(await listBooked(charge.orderReference)).toHaveLength(1);
  });
});

describe("what an answer means", () => {
  const notCharged = (mayRetry: boolean) => ({ kind: "not_charged", mayRetry });
  const unknown = (mayResend: boolean) => ({ kind: "unknown", mayResend });

  const faults = [
    { do: "hang_before", means: unknown(true), charges: 0 },
    { do: "hang_after", means: unknown(true), charges: 1 },
    { do: "reset_before", means: unknown(true), charges: 0 },
    { do: "reset_after", means: unknown(true), charges: 1 },
    { do: "error_500_before", means: unknown(false), charges: 0 },
    { do: "error_500_after", means: unknown(false), charges: 1 },
    { do: "error_429", means: { ...notCharged(true), retryAfterMs: 1000 }, charges: 0 },
    { do: "error_503", means: { ...unknown(true), retryAfterMs: 1000 }, charges: 0 },
    { do: "malformed_after", means: unknown(false), charges: 1 },
    { do: "html_200_after", means: unknown(false), charges: 1 },
    { do: "empty_201_after", means: unknown(false), charges: 1 },
    { do: "truncated_after", means: unknown(false), charges: 1 },
    { do: "wrong_amount", means: unknown(false), charges: 1 },
    { do: "wrong_order", means: unknown(false), charges: 1 },
    { do: "missing_id", means: unknown(false), charges: 1 },
    { do: "auth_401", means: notCharged(false), charges: 0 },
    { do: "decline", means: { kind: "declined", responseCode: "05" }, charges: 1 },
    { do: "pending", means: { kind: "processing", status: "pending" }, charges: 1 },
    { do: "suspended", means: { kind: "processing", status: "suspended" }, charges: 1 },
    { do: "surcharge", means: { kind: "succeeded", amountCents: 5250, paidCents: 5303 }, charges: 1 },
  ] as const;

  test.each(faults)("REL-1: $do is $means.kind", async ({ do: fault, means, charges }) => {
    const charge = await prepareCharge();
    await simulator.installFault({ match: { orderRef: charge.orderReference }, do: fault });
    const options = fault.startsWith("hang") ? { timeoutMs: 400 } : {};
    expect(await connect(options).charge(charge)).toMatchObject(means);
    expect(await listBooked(charge.orderReference)).toHaveLength(charges);
  });

  test.each(["hang_after", "reset_after", "error_503"] as const)(
    "REL-1: after %s the same key gets the charge, once",
    async (fault) => {
      const charge = await prepareCharge();
      await simulator.installFault({ match: { orderRef: charge.orderReference }, do: fault, times: 1 });
      expect(await connect({ timeoutMs: 400 }).charge(charge)).toMatchObject(unknown(true));
      expect(await connect().charge(charge)).toMatchObject({ kind: "succeeded" });
      expect(await listBooked(charge.orderReference)).toHaveLength(1);
    },
  );

  test("DON-22: a charge that goes through after we stopped waiting is found in the books", async () => {
    const charge = await prepareCharge();
    await simulator.installFault({ match: { orderRef: charge.orderReference }, do: "slow", ms: 2500 });
    const payway = connect({ timeoutMs: 1000 });
    expect(await payway.charge(charge)).toMatchObject(unknown(true));
    expect((await payway.findByOrderReference(charge.orderReference)).outcomes).toEqual([]);
    await expect
      .poll(async () => (await payway.findByOrderReference(charge.orderReference)).outcomes)
      .toMatchObject([{ kind: "succeeded", amountCents: 5250 }]);
  });

  test.each(["Q2", "Q3", "Q4", "Q6", "QE", "QI", "QX", "91"])(
    "REL-1: a decline with code %s is not PayWay's last word",
    async (code) => {
      const charge = await prepareCharge();
      await simulator.installFault({ match: { orderRef: charge.orderReference }, do: "decline", code });
      expect(await connect().charge(charge)).toMatchObject(unknown(false));
    },
  );

  test.each([
    { card: "stolen", typed: testCards.declined, code: "43" },
    { card: "low on funds", typed: testCards.lowFunds, code: "51" },
    { card: "typed with a wrong CVN", typed: { ...testCards.approved, cvn: "848" }, code: "05" },
    { card: "nobody's", typed: { ...testCards.approved, number: "4000000000000002" }, code: "05" },
  ])("a card that is $card is declined", async ({ typed, code }) => {
    const outcome = await connect().charge(await prepareCharge({ card: typed }));
    expect(outcome).toMatchObject({ kind: "declined", responseCode: code });
  });

  test.each([
    { statuses: [400, 401, 403, 404, 405, 406, 409, 410, 415, 501], means: notCharged(false) },
    { statuses: [422], means: notCharged(false) },
    { statuses: [429], means: notCharged(true) },
    { statuses: [503], means: unknown(true) },
    { statuses: [500, 502, 504, 407, 418, 302], means: unknown(false) },
  ])("REL-1: HTTP $statuses.0 and its like are $means.kind", async ({ statuses, means }) => {
    const charge = await prepareCharge();
    for (const status of statuses) {
      const url = await serve((_request, response) => response.writeHead(status, { location: "/elsewhere" }).end());
      expect(await connect({ url }).charge(charge), `HTTP ${status}`).toMatchObject(means);
    }
  });

  test.each([
    { name: "3 seconds", header: "3", ms: 3000 },
    { name: "an hour", header: "3600", ms: 20_000 },
    { name: "a date", header: new Date(Date.now() + 3_600_000).toUTCString(), ms: 20_000 },
    { name: "a word", header: "soon", ms: undefined },
  ])("a Retry-After of $name is kept within 20 seconds", async ({ header, ms }) => {
    const url = await serve((_request, response) => response.writeHead(503, { "retry-after": header }).end());
    const outcome = await connect({ url }).charge(await prepareCharge());
    expect(outcome).toMatchObject(unknown(true));
    expect("retryAfterMs" in outcome ? outcome.retryAfterMs : undefined).toBe(ms);
  });

  test("REL-1: a refused connection proves that nothing was charged", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const payway = connect({ url: `http://127.0.0.1:${port}` });
    expect(await payway.charge(await prepareCharge())).toMatchObject(notCharged(true));
    await expect(payway.checkCredentials()).rejects.toThrow(/cannot be reached/);
    await expect(payway.findByOrderReference("D1")).rejects.toThrow(/books cannot be read now/);
  });

  test.each([
    { codes: ["ENOTFOUND", "EAI_AGAIN", "CONNECT_TIMEOUT"], means: notCharged(true) },
    { codes: ["ECONNRESET", "EPIPE", "ETIMEDOUT", "ANSWER_TIMEOUT"], means: unknown(true) },
    { codes: ["SOMETHING_NEW"], means: unknown(false) },
  ])("REL-1: the network error $codes.0 and its like are $means.kind", async ({ codes, means }) => {
    const charge = await prepareCharge();
    for (const code of codes) {
      const failing = new PassThrough();
      vi.spyOn(http, "request").mockReturnValueOnce(failing as unknown as ClientRequest);
      process.nextTick(() => failing.destroy(Object.assign(new Error("the network failed"), { code })));
      expect(await connect().charge(charge), code).toMatchObject(means);
    }
  });

  test("an endless answer is only read up to the limit", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(201, { "content-type": "application/json" });
      response.write(`{"status":"approved","orderNumber":"${"x".repeat(300_000)}`);
    });
    expect(await connect({ url }).charge(await prepareCharge())).toMatchObject(unknown(false));
  });

  test.each([
    { odd: { status: "refunded" } },
    { odd: { transactionType: "refund" } },
    { odd: { currency: "usd" } },
    { odd: { principalAmount: 52.505 } },
    { odd: { principalAmount: "5250" } },
    { odd: { transactionId: "../1" } },
  ])("REL-1: a 201 with $odd is no success", async ({ odd }) => {
    const charge = await prepareCharge();
    const honest = {
      transactionId: 1,
      status: "approved",
      transactionType: "payment",
      orderNumber: charge.orderReference,
      currency: "aud",
      principalAmount: 52.5,
      paymentAmount: 52.5,
    };
    const answers: object[] = [honest, { ...honest, ...odd }];
    const url = await serve((_request, response) => response.writeHead(201).end(JSON.stringify(answers.shift())));
    expect(await connect({ url }).charge(charge)).toMatchObject({ kind: "succeeded" });
    expect(await connect({ url }).charge(charge)).toMatchObject(unknown(false));
  });

  test("DON-15: a stored answer of PayWay has no extra fields, card, token or key", async () => {
    const charge = await prepareCharge();
    const url = await serve((_request, response) =>
      response.writeHead(201).end(
        JSON.stringify({
          transactionId: 7,
          status: "approved*",
          responseText: `Card 4564 7100 0000 0004 with ${charge.instrument}`,
          transactionType: "payment",
          orderNumber: charge.orderReference,
          currency: "aud",
          principalAmount: 52.5,
          singleUseTokenId: charge.instrument,
          customerEmail: "donor@example.org",
          creditCard: { cardNumber: "4564710000000004", cardholderName: "Test Donor", cardScheme: "visa" },
        }),
      ),
    );
    const outcome = (await connect({ url }).charge(charge)) as Extract<ChargeOutcome, { raw: unknown }>;
    expect(outcome).toMatchObject({ kind: "succeeded", status: "approved*" });
    const kept = JSON.stringify(outcome);
    for (const secret of ["0000 0004", "00000004", charge.instrument, SECRET_KEY, "donor@", "Test Donor"]) {
      expect(kept).not.toContain(secret);
    }
  });
});
