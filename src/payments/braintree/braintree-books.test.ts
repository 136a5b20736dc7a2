import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import {
  type BraintreeFixture,
  refundRequest,
  respond,
  startBraintreeFixture,
  written,
} from "#test/braintree-fixture.ts";
import { longTest } from "#test/long-test.ts";
import type { Charged } from "../provider.ts";

const DAY_MS = 86_400_000;

let fixture: BraintreeFixture;
let simulator: BraintreeFixture["simulator"];
beforeAll(async () => {
  fixture = await startBraintreeFixture();
  simulator = fixture.simulator;
});
afterEach(async () => {
  await simulator.reset();
});
afterAll(() => fixture.stop());

async function pay(amountCents = 5250) {
  return (await fixture.connect().charge(await fixture.prepareCharge({ amountCents }))) as Charged;
}

describe("requests to Braintree's books", () => {
  test("REL-1: pages, doubled rows and refunds still make one payment", async () => {
    const { transactionId, orderReference } = await pay();
    await simulator.advance(DAY_MS);
    await simulator.actExternally({ do: "refund", transactionId, amountCents: 250 });
    for (const fault of ["search_two_pages", "search_duplicates"] as const) {
      await simulator.installFault({ do: fault, times: 1 });
      const { outcomes } = await fixture.connect().findByOrderReference(orderReference);
      expect(outcomes, fault).toMatchObject([{ kind: "succeeded", transactionId }]);
    }
  });

  test("REL-1: an index that lags or is empty shows nothing, and that proves nothing", async () => {
    const { orderReference } = await pay();
    const braintree = fixture.connect({ searchIsAuthoritative: false });
    for (const fault of ["search_lag", "search_empty"] as const) {
      await simulator.installFault({ do: fault, times: 1 });
      expect(await braintree.findByOrderReference(orderReference)).toEqual({ outcomes: [], isAuthoritative: false });
    }
  });

  test.each([
    { what: "a page that lacks a row", page: '<credit-card-transactions type="collection"/>' },
    { what: "a page that is none", page: "<maintenance/>" },
    {
      what: "a row that cannot be read",
      page: `<credit-card-transactions type="collection">${written.transaction({ id: "a" })}</credit-card-transactions>`,
    },
  ])("REL-1: $what is an error, not a shorter list", async ({ page }) => {
    const url = await fixture.serve((request, response) => {
      const ids =
        '<search-results><page-size type="integer">50</page-size><ids type="array"><item>a</item></ids></search-results>';
      respond(response, 200, request.url!.endsWith("_ids") ? ids : page);
    });
    const braintree = fixture.connect({ url, timeoutMs: 500 });
    await expect(braintree.findByOrderReference("D1")).rejects.toThrow(/books cannot be read now/);
    await expect(braintree.listTransactions(["2026-11-20"])).rejects.toThrow(/books cannot be read now/);
  });

  longTest("REL-1: a day of a hundred and twenty payments is listed whole, each once", async () => {
    const braintree = fixture.connect();
    const day = dayInSydney(new Date());
    for (let amountCents = 1; amountCents <= 120; amountCents += 1) await pay(amountCents);
    const listed = await braintree.listTransactions([day, day]);
    expect(listed.map(({ amountCents }) => amountCents).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 120 }, (_, index) => index + 1),
    );
    expect(
      listed.every(({ status, currency, dispute }) => status === "approved" && currency === "AUD" && !dispute),
    ).toBe(true);
    expect(await braintree.listTransactions(["2020-01-01"])).toEqual([]);
  });

  test("consecutive days are one search, from the first midnight in Sydney to the last, with or without summer time", async () => {
    const asked: { min: string; max: string }[] = [];
    const url = await fixture.serve((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        asked.push(JSON.parse(body).search.created_at);
        respond(
          response,
          200,
          '<search-results><page-size type="integer">50</page-size><ids type="array"/></search-results>',
        );
      });
    });
    await fixture.connect({ url }).listTransactions(["2026-10-05", "2026-10-04", "2026-10-03", "2026-07-01"]);
    expect(asked).toEqual([
      { min: "2026-06-30T14:00:00.000Z", max: "2026-07-01T13:59:59.999Z" },
      { min: "2026-10-02T14:00:00.000Z", max: "2026-10-05T12:59:59.999Z" },
    ]);
    expect(startOfDayInSydney("2026-10-06").toISOString()).toBe("2026-10-05T13:00:00.000Z");
  });

  test("REL-1: a refund made on a later day is listed with its payment's day too", async () => {
    const day = dayInSydney(new Date());
    const { transactionId } = await pay();
    await simulator.advance(5 * DAY_MS);
    await simulator.actExternally({ do: "refund", transactionId, amountCents: 250 });
    const listed = await fixture.connect().listTransactions([day]);
    expect(listed).toMatchObject([
      { transactionId, type: "payment" },
      { type: "refund", parentId: transactionId, amountCents: 250 },
    ]);
    const later = await fixture.connect().listTransactions([dayInSydney(new Date(Date.now() + 5 * DAY_MS))]);
    expect(later).toMatchObject([{ type: "refund", parentId: transactionId }]);
  });

  test("DON-19: a card payment that should not be there shows in the list, and is no success", async () => {
    const charge = await fixture.prepareCharge({ kind: "card" });
    const { openFixtureGateway: openGateway } = await import("#simulators/braintree-fixture.ts");
    await openGateway(simulator.url).sell({ amount: "9.00", nonce: charge.instrument, orderId: charge.orderReference });
    const braintree = fixture.connect();
    expect(await braintree.listTransactions([dayInSydney(new Date())])).toMatchObject([
      { type: "payment", status: "approved", amountCents: 900, orderReference: charge.orderReference },
    ]);
    expect((await braintree.findByOrderReference(charge.orderReference)).outcomes).toMatchObject([{ kind: "unknown" }]);
  });

  test("REL-1: a declined settlement, a void and disputes have their own statuses", async () => {
    const braintree = fixture.connect();
    const [declined, voided, disputed] = [await pay(), await pay(), await pay()];
    const look = async ({ transactionId }: Charged) =>
      (await braintree.findPayment({ transactionId, day: "2026-01-01" }))![0];
    await simulator.actExternally({ do: "settlement_decline", transactionId: declined.transactionId });
    expect(await look(declined)).toMatchObject({
      status: "declined",
      providerStatus: "settlement_declined",
      dispute: null,
    });
    await simulator.actExternally({ do: "void", transactionId: voided.transactionId });
    expect(await look(voided)).toMatchObject({ status: "voided" });
    await simulator.advance(DAY_MS);
    const { transactionId } = disputed;
    for (const [act, dispute] of [
      ["dispute_open", "open"],
      ["dispute_won", "won"],
      ["dispute_open", "open"],
      ["dispute_lost", "lost"],
    ] as const) {
      await simulator.actExternally({ do: act, transactionId });
      expect(await look(disputed), act).toMatchObject({ status: "approved", dispute });
    }
  });

  test.each([
    { disputes: [["open", "retrieval"]], shows: null },
    { disputes: [["expired", "retrieval"]], shows: null },
    { disputes: [["under_review", "chargeback"]], shows: "open" },
    { disputes: [["expired", "chargeback"]], shows: "lost" },
    { disputes: [["auto_accepted", "chargeback"]], shows: "lost" },
    { disputes: [["something_new", "chargeback"]], shows: "open" },
    {
      disputes: [
        ["won", "chargeback"],
        ["open", "pre_arbitration"],
      ],
      shows: "open",
    },
  ])("disputes $disputes show as $shows", async ({ disputes, shows }) => {
    const rows = disputes.map(([status, kind]) => `<dispute><status>${status}</status><kind>${kind}</kind></dispute>`);
    const charge = await fixture.prepareCharge();
    const sale = written.sale(charge, { disputes: `<disputes type="array">${rows.join("")}</disputes>` });
    const url = await fixture.serve((_request, response) => respond(response, 200, sale));
    const found = await fixture.connect({ url }).findPayment({ transactionId: "abc123", day: "2026-01-01" });
    expect(found).toMatchObject([{ dispute: shows }]);
  });
});

describe("the outcome of a refund", () => {
  const unsettled = ["authorized", "submitted_for_settlement", "settlement_pending", "authorizing"];

  test.each([
    { statuses: unsettled, kind: "too_early" },
    { statuses: ["voided", "processor_declined", "gateway_rejected", "settlement_declined"], kind: "refused" },
  ])(
    "REL-1: a partial refund of what is $statuses.0 is $kind, and Braintree is only asked for its status",
    async ({ statuses, kind }) => {
      const charge = await fixture.prepareCharge();
      for (const status of statuses) {
        const methods: string[] = [];
        const url = await fixture.serve((request, response) => {
          methods.push(request.method!);
          respond(response, 200, written.sale(charge, { status }));
        });
        const request = refundRequest("abc123", { amountCents: 100, isWhole: false });
        expect(await fixture.connect({ url }).refund(request), status).toMatchObject({ kind });
        expect(methods).toEqual(["GET"]);
      }
    },
  );

  test.each([
    { codes: ["91521"], outcome: { kind: "refused" } },
    { codes: ["91512"], outcome: { kind: "refused" } },
    { codes: ["91506"], outcome: { kind: "too_early" } },
    { codes: ["915231"], outcome: { kind: "not_sent", reason: expect.stringContaining("BRAINTREE_REQUEST_KEYS=off") } },
    { codes: ["915233"], outcome: { kind: "unknown", mayResend: true } },
    { codes: ["915234"], outcome: { kind: "unknown", mayResend: false } },
    { codes: [], outcome: { kind: "unknown", mayResend: false } },
  ])("REL-1: a refund that is answered $codes is $outcome.kind", async ({ codes, outcome }) => {
    const charge = await fixture.prepareCharge();
    const url = await fixture.serve((request, response) =>
      request.method === "GET"
        ? respond(response, 200, written.sale(charge))
        : respond(response, 422, written.problems(...codes)),
    );
    expect(await fixture.connect({ url }).refund(refundRequest("abc123"))).toMatchObject(outcome);
  });

  test.each([
    { status: 401, outcome: { kind: "not_sent" } },
    { status: 429, outcome: { kind: "not_sent" } },
    { status: 500, outcome: { kind: "unknown", mayResend: false } },
    { status: 503, outcome: { kind: "unknown", mayResend: false } },
  ])(
    "REL-1: a refund that is answered HTTP $status is $outcome.kind; a void may always be sent again",
    async ({ status, outcome }) => {
      const charge = await fixture.prepareCharge();
      for (const [stands, expected] of [
        ["settled", outcome],
        ["submitted_for_settlement", outcome.kind === "unknown" ? { kind: "unknown", mayResend: true } : outcome],
      ] as const) {
        const url = await fixture.serve((request, response) =>
          request.method === "GET"
            ? respond(response, 200, written.sale(charge, { status: stands }))
            : respond(response, status, ""),
        );
        expect(await fixture.connect({ url }).refund(refundRequest("abc123")), stands).toMatchObject(expected);
      }
    },
  );

  test.each([
    { odd: { type: "sale" } },
    { odd: { amount: "52.49" } },
    { odd: { "currency-iso-code": "USD" } },
    { odd: { "order-id": "SOMEBODY-ELSES" } },
    { odd: { "refunded-transaction-id": "other" } },
    { odd: { status: "settlement_pending" } },
  ])("REL-1: a refund that is answered with $odd does not count as made", async ({ odd }) => {
    const charge = await fixture.prepareCharge();
    const request = refundRequest("abc123");
    const answer = (changes: Record<string, string | undefined>) =>
      fixture.serve((asked, response) =>
        asked.method === "GET"
          ? respond(response, 200, written.sale(charge))
          : respond(
              response,
              201,
              written.sale(charge, {
                id: "r1",
                type: "credit",
                "order-id": request.orderReference,
                "refunded-transaction-id": "abc123",
                ...changes,
              }),
            ),
      );
    const honest = fixture.connect({ url: await answer({}) });
    expect(await honest.refund(request)).toMatchObject({ kind: "succeeded", how: "refund", transactionId: "r1" });
    const strange = fixture.connect({ url: await answer(odd) });
    expect(await strange.refund(request)).toMatchObject({ kind: "unknown", mayResend: false });
  });

  test("REL-1: a full refund of another amount or currency is refused before it is requested", async () => {
    const { transactionId } = await pay();
    const braintree = fixture.connect();
    expect(await braintree.refund(refundRequest(transactionId, { amountCents: 5249 }))).toMatchObject({
      kind: "refused",
    });
    expect(await braintree.refund(refundRequest(transactionId, { amountCents: 5251, isWhole: false }))).toMatchObject({
      kind: "refused",
    });
    expect(
      await fixture.listBooked((await braintree.findPayment({ transactionId, day: "" }))![0]!.orderReference!),
    ).toMatchObject([{ status: "submitted_for_settlement" }]);
  });
});

describe("client tokens", () => {
  test("DON-19: one token serves everybody for ten minutes", async () => {
    const braintree = fixture.connect();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => braintree.createClientToken()));
    expect(new Set(tokens).size).toBe(1);
    expect(JSON.parse(Buffer.from(tokens[0]!, "base64").toString())).toMatchObject({ version: 2 });
    const count = async () => (await simulator.listRequests()).filter(({ op }) => op === "client_token").length;
    expect(await count()).toBe(1);
    const began = performance.now();
    const elapsed = vi.spyOn(performance, "now").mockReturnValue(began + 10 * 60_000 - 1000);
    await braintree.createClientToken();
    expect(await count()).toBe(1);
    elapsed.mockReturnValue(began + 10 * 60_000 + 1000);
    await braintree.createClientToken();
    expect(await count()).toBe(2);
  });

  test("a failure has a sentence, and is not cached", async () => {
    const braintree = fixture.connect();
    await simulator.installFault({ match: { op: "client_token" }, do: "error_503", times: 1 });
    await expect(braintree.createClientToken()).rejects.toThrow(/Braintree .* does not work: .*503/);
    await expect(braintree.createClientToken()).resolves.toEqual(expect.any(String));
  });

  test.each([
    { wrong: { merchantId: "somebody" }, text: /BRAINTREE_/ },
    { wrong: { publicKey: "nobody" }, text: /BRAINTREE_PUBLIC_KEY and BRAINTREE_PRIVATE_KEY/ },
    { wrong: { merchantAccountId: "simulator_usd" }, text: /BRAINTREE_MERCHANT_ACCOUNT_ID/ },
  ])("credentials with $wrong are named by the setting to check", async ({ wrong, text }) => {
    await expect(fixture.connect(wrong).checkCredentials()).rejects.toThrow(text);
  });
});
