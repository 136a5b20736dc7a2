import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { dayInSydney } from "#shared/language.ts";
import { testCards, tokenise } from "#simulators/control.ts";
import { refundRequest, startBraintreeFixture } from "#test/braintree-fixture.ts";
import { startPaywayFixture } from "#test/payway-fixture.ts";
import { type Gateway, openGateway } from "./braintree/braintree-sdk.ts";
import type { Charge, Charged, Provider, RefundOutcome } from "./provider.ts";
import { customerOfDay } from "./reference.ts";

const DAY_MS = 86_400_000;
const environment = process.env;

/** One provider, real or simulated, with what the contract needs. */
type Bench = {
  readonly provider: Provider;
  readonly withWrongKey: Provider;
  prepare(as: "approved" | "declined", amountCents?: number): Promise<Charge>;
  /** Null where settlement cannot be hurried. */
  readonly settle: ((transactionId: string) => Promise<unknown>) | null;
  /** Null at a real provider, which has no controls. */
  readonly simulator: Awaited<ReturnType<typeof startPaywayFixture>>["simulator"] | null;
  /** The same provider with little patience. */
  readonly hurried: Provider;
  /** How long its index may lag. */
  readonly lagMs: number;
  stop(): Promise<void>;
};

async function openPaywaySimulator(): Promise<Bench> {
  const fixture = await startPaywayFixture();
  const { simulator } = fixture;
  return {
    provider: fixture.connect(),
    withWrongKey: fixture.connect({ secretKey: "T1_SEC_wrong" }),
    prepare: (as, amountCents = 5250) => fixture.prepareCharge({ card: testCards[as], amountCents }),
    settle: () => simulator.advance(DAY_MS),
    simulator,
    hurried: fixture.connect({ timeoutMs: 400 }),
    lagMs: 20_000,
    stop: () => fixture.stop(),
  };
}

async function openBraintreeSimulator(): Promise<Bench> {
  const fixture = await startBraintreeFixture();
  const { simulator } = fixture;
  return {
    provider: fixture.connect(),
    withWrongKey: fixture.connect({ privateKey: "wrong" }),
    prepare: (as, amountCents = 5250) =>
      as === "approved"
        ? fixture.prepareCharge({ amountCents })
        : fixture.prepareCharge({ kind: "fault", amountCents: 200_100 }),
    settle: () => simulator.advance(DAY_MS),
    simulator,
    hurried: fixture.connect({ timeoutMs: 1500 }),
    lagMs: 20_000,
    stop: () => fixture.stop(),
  };
}

/** The bank's test facility, with your own keys. */
async function openPaywaySandbox(): Promise<Bench> {
  const fixture = await startPaywayFixture();
  const place = {
    url: environment.PAYWAY_TEST_URL!,
    secretKey: environment.PAYWAY_TEST_SECRET ?? "",
    merchantId: environment.PAYWAY_TEST_MERCHANT ?? "TEST",
    timeoutMs: 45_000,
  };
  const publishableKey = environment.PAYWAY_TEST_PUBLISHABLE ?? "";
  return {
    provider: fixture.connect(place),
    withWrongKey: fixture.connect({ ...place, secretKey: "T1_SEC_wrong" }),
    prepare: async (as, amountCents = 5250) =>
      fixture.prepareCharge({ instrument: await tokenise(place.url, testCards[as], publishableKey), amountCents }),
    settle: null,
    simulator: null,
    hurried: fixture.connect({ ...place, timeoutMs: 1 }),
    lagMs: 30_000,
    stop: () => fixture.stop(),
  };
}

async function openBraintreeSandbox(): Promise<Bench> {
  const fixture = await startBraintreeFixture();
  const place = {
    url: "sandbox",
    merchantId: environment.BRAINTREE_SANDBOX_MERCHANT_ID!,
    publicKey: environment.BRAINTREE_SANDBOX_PUBLIC_KEY ?? "",
    privateKey: environment.BRAINTREE_SANDBOX_PRIVATE_KEY ?? "",
    merchantAccountId: environment.BRAINTREE_SANDBOX_MERCHANT_ACCOUNT_ID ?? "",
    timeoutMs: 60_000,
  };
  const instrument = "fake-paypal-one-time-nonce";
  const testing = async () =>
    (await openGateway({
      ...place,
      isOffered: true,
      scriptsUrl: "",
      hasRequestKeys: false,
      searchIsAuthoritative: false,
    })) as Gateway & { testing: { settle(id: string): Promise<unknown> } };
  return {
    provider: fixture.connect(place),
    withWrongKey: fixture.connect({ ...place, privateKey: "wrong" }),
    prepare: (as, amountCents = 5250) =>
      fixture.prepareCharge({ instrument, amountCents: as === "approved" ? amountCents : 200_100 }),
    settle: async (id) => (await testing()).testing.settle(id),
    simulator: null,
    hurried: fixture.connect({ ...place, timeoutMs: 1 }),
    lagMs: 60_000,
    stop: () => fixture.stop(),
  };
}

const places = [
  { name: "PayWay's simulator", open: openPaywaySimulator, isHere: true, isSimulator: true, canSettle: true },
  { name: "Braintree's simulator", open: openBraintreeSimulator, isHere: true, isSimulator: true, canSettle: true },
  {
    name: "PayWay's test facility",
    open: openPaywaySandbox,
    isHere: environment.PAYWAY_TEST_URL !== undefined,
    isSimulator: false,
    canSettle: false,
  },
  {
    name: "Braintree's sandbox",
    open: openBraintreeSandbox,
    isHere: environment.BRAINTREE_SANDBOX_MERCHANT_ID !== undefined,
    isSimulator: false,
    canSettle: true,
  },
];

/** The same contract for every provider: always for the simulators, for the real ones if their keys are set. */
describe.each(places)("$name keeps the contract of a provider", ({ open, isHere, isSimulator, canSettle }) => {
  let bench: Bench;
  beforeAll(async () => {
    if (isHere) bench = await open();
  });
  afterEach(() => bench?.simulator?.clearFaults());
  afterAll(() => bench?.stop());

  const contract = test.skipIf(!isHere);
  const settling = test.skipIf(!isHere || !canSettle);
  const onSimulator = test.skipIf(!isHere || !isSimulator);

  async function pay(amountCents = 5250): Promise<Charged> {
    const charge = await bench.prepare("approved", amountCents);
    const outcome = await bench.provider.charge({ ...charge, customerReference: customerOfDay(today()) });
    expect(outcome).toMatchObject({ kind: "succeeded" });
    return outcome as Charged;
  }

  let clockAheadMs = 0;
  const today = () => dayInSydney(new Date(Date.now() + clockAheadMs));
  async function settle(transactionId: string) {
    await bench.settle!(transactionId);
    if (isSimulator) clockAheadMs += DAY_MS;
  }

  contract("REL-1: true credentials are accepted, wrong ones refused with a sentence", async () => {
    await expect(bench.provider.checkCredentials()).resolves.toBeUndefined();
    await expect(bench.withWrongKey.checkCredentials()).rejects.toThrow(/does not accept the .*key.*check [A-Z]+_/);
    const outcome = await bench.withWrongKey.charge(await bench.prepare("approved"));
    expect(outcome).toMatchObject({
      kind: "not_charged",
      mayRetry: false,
      reason: expect.stringMatching(/check [A-Z]/),
    });
  });

  contract("REL-1: a charge is approved once, and the books show it under its order", async () => {
    const charge = await bench.prepare("approved");
    const outcome = await bench.provider.charge(charge);
    const { amountCents, currency, orderReference } = charge;
    expect(outcome).toMatchObject({ kind: "succeeded", amountCents, paidCents: amountCents, currency, orderReference });
    const { transactionId } = outcome as Charged;
    await vi.waitFor(
      async () => {
        const found = await bench.provider.findByOrderReference(orderReference);
        expect(found.outcomes).toMatchObject([{ kind: "succeeded", transactionId, amountCents }]);
      },
      { timeout: bench.lagMs },
    );
  });

  contract("REL-1: a decline is an answer, and no money", async () => {
    const outcome = await bench.provider.charge(await bench.prepare("declined"));
    expect(outcome).toMatchObject({ kind: "declined", responseCode: expect.any(String) });
  });

  contract("REL-1: sent again, a charge is answered or refused, and never made twice", async () => {
    const charge = await bench.prepare("approved");
    const first = (await bench.provider.charge(charge)) as Charged;
    const second = await bench.provider.charge(charge);
    if (second.kind === "succeeded") expect(second.transactionId).toBe(first.transactionId);
    const { outcomes } = await bench.provider.findByOrderReference(charge.orderReference);
    expect(outcomes.length).toBeLessThanOrEqual(1);
    const other = { ...(await bench.prepare("approved")), instrument: charge.instrument };
    if (isSimulator) expect((await bench.provider.charge(other)).kind).not.toBe("succeeded");
  });

  contract("an order that nobody charged is found nowhere, and neither is a payment", async () => {
    expect((await bench.provider.findByOrderReference(`N${Date.now()}`)).outcomes).toEqual([]);
    expect(await bench.provider.findPayment({ transactionId: "999999999", day: "2026-01-01" })).toBeNull();
    expect(await bench.provider.refund(refundRequest("999999999"))).toMatchObject({ kind: "refused" });
  });

  onSimulator("REL-1: before it settles, all of a charge is voided and a part of it waits", async () => {
    const { transactionId } = await pay();
    const part = refundRequest(transactionId, { amountCents: 1000, isWhole: false });
    expect(await bench.provider.refund(part)).toMatchObject({ kind: "too_early" });
    expect(await bench.provider.findRefund(part)).toMatchObject({ outcome: null });

    const whole = refundRequest(transactionId);
    const voided = { kind: "succeeded", how: "void", transactionId, status: "voided" };
    expect(await bench.provider.refund(whole)).toMatchObject(voided);
    expect(await bench.provider.findRefund(whole)).toMatchObject({ outcome: voided });
    // Sent again, as if the answer was lost: it is done, and a partial refund is refused.
    expect(await bench.provider.refund(whole)).toMatchObject(voided);
    expect(await bench.provider.refund(part)).toMatchObject({ kind: "refused" });
    expect(await bench.provider.findPayment({ transactionId, day: today() })).toMatchObject([{ status: "voided" }]);
  });

  settling("REL-1: after it settled a charge goes back in parts, and never a cent more", async () => {
    const { transactionId } = await pay();
    const day = today();
    await settle(transactionId);
    const first = refundRequest(transactionId, { amountCents: 2000, isWhole: false });
    const refunded = { kind: "succeeded", how: "refund" } as const;
    const made = await bench.provider.refund(first);
    expect(made).toMatchObject(refunded);
    // Requested again, an existing refund is the answer.
    expect(await bench.provider.refund(first)).toMatchObject({ transactionId: refundId(made) });
    const tooMuch = refundRequest(transactionId, { amountCents: 3251, isWhole: false });
    expect(await bench.provider.refund(tooMuch)).toMatchObject({ kind: "refused" });
    expect(await bench.provider.findRefund(tooMuch)).toMatchObject({ outcome: null });
    const second = refundRequest(transactionId, { amountCents: 3250, isWhole: false });
    expect(await bench.provider.refund(second)).toMatchObject(refunded);
    const cent = refundRequest(transactionId, { amountCents: 1, isWhole: false });
    expect(await bench.provider.refund(cent)).toMatchObject({ kind: "refused" });

    expect(await bench.provider.findRefund(first)).toMatchObject({
      outcome: { ...refunded, transactionId: refundId(made) },
    });
    const books = (await bench.provider.findPayment({ transactionId, day }))!;
    expect(
      books.map(({ type, parentId, amountCents, status }) => [type, parentId, amountCents, status]).sort(),
    ).toEqual([
      ["payment", null, 5250, "approved"],
      ["refund", transactionId, 2000, "approved"],
      ["refund", transactionId, 3250, "approved"],
    ]);
    const references = books.filter(({ type }) => type === "refund").map(({ orderReference }) => orderReference);
    expect(references.sort()).toEqual([first.orderReference, second.orderReference].sort());
  });

  settling("REL-1: the list of a day holds its charges and their refunds", async () => {
    const { transactionId } = await pay(4100);
    const day = today();
    await settle(transactionId);
    const whole = refundRequest(transactionId, { amountCents: 4100 });
    const made = await bench.provider.refund(whole);
    expect(made).toMatchObject({ kind: "succeeded", how: "refund" });
    await vi.waitFor(
      async () => {
        const listed = await bench.provider.listTransactions([day, "2026-01-01"]);
        expect(listed.find((one) => one.transactionId === transactionId)).toMatchObject({
          type: "payment",
          status: "approved",
          amountCents: 4100,
          currency: "AUD",
        });
        expect(listed.find((one) => one.transactionId === refundId(made))).toMatchObject({
          type: "refund",
          parentId: transactionId,
          orderReference: whole.orderReference,
          amountCents: 4100,
          at: expect.any(Date),
        });
      },
      { timeout: bench.lagMs },
    );
    expect(await bench.provider.listTransactions([])).toEqual([]);
  });

  onSimulator.each(["hang_after", "reset_after", "error_500_after", "truncated_after", "html_200_after"] as const)(
    "REL-1: after %s nobody here can say, and the books can",
    async (fault) => {
      const charge = await bench.prepare("approved");
      await bench.simulator!.installFault({ match: { op: "charge" }, do: fault, times: 1 });
      expect(await bench.hurried.charge(charge)).toMatchObject({ kind: "unknown" });
      const { outcomes } = await bench.provider.findByOrderReference(charge.orderReference);
      expect(outcomes).toMatchObject([{ kind: "succeeded", amountCents: charge.amountCents }]);
    },
  );

  onSimulator.each(["refund", "void"] as const)(
    "REL-1: a %s whose answer is lost is found, and not made twice",
    async (op) => {
      for (const fault of ["hang_after", "reset_after", "empty_201_after"] as const) {
        const { transactionId } = await pay();
        const day = today();
        if (op === "refund") await settle(transactionId);
        const request = refundRequest(transactionId);
        await bench.simulator!.installFault({ match: { op }, do: fault, times: 1 });
        expect(await bench.hurried.refund(request), fault).toMatchObject({ kind: "unknown" });
        const done = { kind: "succeeded", how: op };
        expect(await bench.provider.findRefund(request), fault).toMatchObject({ outcome: done });
        expect(await bench.provider.refund(request), fault).toMatchObject(done);
        const books = (await bench.provider.findPayment({ transactionId, day }))!;
        expect(books, fault).toHaveLength(op === "refund" ? 2 : 1);
      }
    },
  );

  onSimulator.each(["refund", "void"] as const)("REL-1: a %s that never arrived is not in the books", async (op) => {
    const { transactionId } = await pay();
    if (op === "refund") await settle(transactionId);
    const request = refundRequest(transactionId);
    await bench.simulator!.installFault({ match: { op }, do: "hang_before", times: 1 });
    expect(await bench.hurried.refund(request)).toMatchObject({ kind: "unknown" });
    expect(await bench.provider.findRefund(request)).toEqual({ outcome: null, isAuthoritative: true });
    expect(await bench.provider.refund(request)).toMatchObject({ kind: "succeeded", how: op });
  });

  onSimulator("REL-1: unreadable books are an error, not empty books", async () => {
    const { transactionId } = await pay();
    await bench.simulator!.installFault({ match: { op: "search" }, do: "search_500" });
    await bench.simulator!.installFault({ match: { op: "get" }, do: "malformed_after" });
    const { provider } = bench;
    const unreadable = /books cannot be read now/;
    await expect(provider.findByOrderReference("D1")).rejects.toThrow(unreadable);
    await expect(provider.listTransactions([today()])).rejects.toThrow(unreadable);
    await expect(provider.findPayment({ transactionId, day: today() })).rejects.toThrow(unreadable);
    await expect(provider.findRefund(refundRequest(transactionId))).rejects.toThrow(unreadable);
    expect(await provider.refund(refundRequest(transactionId))).toMatchObject({ kind: "not_sent" });
  });

  onSimulator("REL-1: a provider that does not answer at all says so in time", async () => {
    for (const op of ["root", "client_token", "search", "get"]) {
      await bench.simulator!.installFault({ match: { op }, do: "hang_before" });
    }
    await expect(bench.hurried.checkCredentials()).rejects.toThrow(/in time/);
    await expect(bench.hurried.findByOrderReference("D1")).rejects.toThrow(/in time/);
    expect(await bench.hurried.refund(refundRequest("999999999"))).toMatchObject({ kind: "not_sent" });
  });
});

function refundId(outcome: RefundOutcome): string {
  return outcome.kind === "succeeded" ? outcome.transactionId : "none";
}
