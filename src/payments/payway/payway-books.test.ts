import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type PaywayFixture, startPaywayFixture } from "#test/payway-fixture.ts";

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

describe("requests to the books", () => {
  test("REL-1: two pages, doubled rows and refunds still make one payment", async () => {
    const charge = await prepareCharge();
    await connect().charge(charge);
    const [payment] = await listBooked(charge.orderReference);
    await simulator.actExternally({ do: "refund", transactionId: payment!.transactionId, amountCents: 250 });
    for (const fault of ["search_two_pages", "search_duplicates"] as const) {
      await simulator.installFault({ do: fault, times: 1 });
      const { outcomes } = await connect().findByOrderReference(charge.orderReference);
      expect(outcomes, fault).toMatchObject([{ kind: "succeeded", transactionId: payment!.transactionId }]);
    }
  });

  test("REL-1: an index that lags or is empty shows nothing, and one that fails throws", async () => {
    const charge = await prepareCharge();
    await connect().charge(charge);
    const payway = connect({ searchIsAuthoritative: false });
    for (const fault of ["search_lag", "search_empty"] as const) {
      await simulator.installFault({ do: fault, times: 1 });
      expect(await payway.findByOrderReference(charge.orderReference)).toEqual({
        outcomes: [],
        isAuthoritative: false,
      });
    }
    for (const rule of [
      { do: "search_500" },
      { do: "auth_401" },
      { do: "malformed_after", match: { op: "search" } },
    ] as const) {
      await simulator.clearFaults();
      await simulator.installFault(rule);
      await expect(payway.findByOrderReference(charge.orderReference)).rejects.toThrow(/books cannot be read now/);
    }
  });

  test.each([
    { do: "pending", act: "accept", kind: "succeeded", status: "approved" },
    { do: "pending", act: "cancel", kind: "declined", status: "voided" },
    { do: "suspended", act: "accept", kind: "succeeded", status: "approved" },
    { do: "suspended", act: "cancel", kind: "declined", status: "voided" },
  ] as const)("a $do payment that Westpac comes to $act is $kind", async ({ do: fault, act, kind, status }) => {
    const charge = await prepareCharge();
    await simulator.installFault({ do: fault, times: 1 });
    await connect().charge(charge);
    const [payment] = await listBooked(charge.orderReference);
    const find = () => connect().findByOrderReference(charge.orderReference);
    expect((await find()).outcomes).toMatchObject([{ kind: "processing", status: fault }]);
    await simulator.actExternally({ do: act, transactionId: payment!.transactionId });
    expect((await find()).outcomes).toMatchObject([{ kind, status }]);
  });

  test("a next page at another address never gets our key", async () => {
    const url = await serve((_request, response) =>
      response.end(JSON.stringify({ data: [], links: [{ rel: "next", href: `${simulator.paywayUrl}/transactions` }] })),
    );
    await expect(connect({ url }).findByOrderReference("D1")).rejects.toThrow(/another address/);
  });
});

describe("PayWay documents no rule for a key that is used twice", () => {
  test.each(["422", "409"] as const)("DON-22: with answer %s to it, a key still pays once", async (mode) => {
    const other = await startPaywayFixture({ IDEMPOTENCY_MODE: mode });
    try {
      const payway = other.connect();
      const charge = await other.prepareCharge();
      await other.simulator.installFault({ do: "slow", ms: 1500, times: 1 });
      const first = payway.charge(charge);
      await expect
        .poll(async () => (await other.simulator.listRequests()).some(({ op }) => op === "charge"))
        .toBe(true);
      // The second call's refusal is about that call only: the first one still charges.
      expect(await payway.charge(charge)).toMatchObject({ kind: "not_charged", mayRetry: false });
      expect(await first).toMatchObject({ kind: "succeeded" });
      expect(await payway.charge({ ...charge, amountCents: 100 })).toMatchObject({ kind: "not_charged" });
      expect(await payway.charge(charge)).toEqual(await first);
      expect(await other.simulator.listLedger()).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });
});
