import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createNonce, testCards } from "#simulators/control.ts";
import { expectBooksAgree } from "#test/expect-books.ts";
import { newKey, openTestSite, type TestSite, wirePayPalPayment } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ LIMITS_DECLINES: "1000" });
});
afterEach(async () => {
  await site.simulator.clearFaults();
  await expectBooksAgree(site);
});
afterAll(() => site.close());

const countRows = async () =>
  (
    await site.pool.query(
      "select (select count(*) from donations) || ' ' || (select count(*) from captcha_uses) as rows",
    )
  ).rows[0].rows;
const countSales = async () =>
  (await site.simulator.listLedger()).filter(({ provider, type }) => provider === "braintree" && type === "payment")
    .length;

test("API-4, DON-18: a donation by PayPal is charged with PayPal's fee, recorded as pp, posted and receipted", async () => {
  const { answer } = await site.givePayPal(await site.visitor());
  expect(answer).toMatchObject({
    status: "true",
    code: "200",
    message: "Thank you. Your donation has been received.",
    data: { state: "succeeded", receiptUrl: expect.stringMatching(/^\/receipts\/[0-9a-f-]{36}\?key=/) },
  });
  const { rows } = await site.pool.query(
    `select method, provider, merchant_fee_cents, total_cents, customer_ip_address from payment_attempts a join donations d
        on d.id = a.donation_id where a.id = $1`,
    [answer.data.id],
  );
  expect(rows).toEqual([
    {
      method: "pp",
      provider: "braintree",
      merchant_fee_cents: 315,
      total_cents: 10_815,
      customer_ip_address: "203.0.113.7",
    },
  ]);
  const ledger = await site.pool.query(
    "select account, amount_cents from ledger_entries where attempt_id = $1 order by 1",
    [answer.data.id],
  );
  expect(ledger.rows).toContainEqual({ account: "receivable:braintree", amount_cents: 10_815 });
  expect((await site.app.inject(answer.data.receiptUrl)).statusCode).toBe(200);
});

test("API-4: a payment without a nonce, or with an invalid one, is 422 at its field and creates nothing", async () => {
  const visitor = await site.visitor();
  const before = await countRows();
  for (const nonce of [undefined, "", "short", "../../etc/passwd", "a b c d e f g h", { a: 1 }]) {
    const body = wirePayPalPayment("", await visitor.solveCaptcha(), { braintree_nonce: nonce });
    const answer = await visitor.post("/api/payment", body, newKey());
    expect(answer).toMatchObject({ status: "false", code: "422", error: "invalid_input" });
    expect(Object.keys(answer.data)).toEqual(["braintree_nonce"]);
  }
  expect(await countRows()).toBe(before);
});

test("DON-22: 40 simultaneous copies of one PayPal submission are one donation, one sale and one answer", async () => {
  const visitor = await site.visitor();
  const sales = await countSales();
  const nonce = await createNonce(site.simulator.url);
  const body = wirePayPalPayment(nonce, await visitor.solveCaptcha());
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 40 }, () => visitor.post("/api/payment", body, key)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0].code).toBe("200");
  expect(await countSales()).toBe(sales + 1);
});

test("API-13: without a key the nonce is the key, and another PayPal wrapper around it is still the same request", async () => {
  const visitor = await site.visitor();
  const nonce = await createNonce(site.simulator.url);
  const body = wirePayPalPayment(nonce, await visitor.solveCaptcha());
  const first = await visitor.post("/api/payment", body);
  expect(first.code).toBe("200");
  expect(await visitor.post("/api/payment", { ...body, payload: { another: "wrapping" } })).toEqual(first);
  expect(await visitor.post("/api/payment", body, newKey())).toEqual(first);
  const other = { ...body, donor_first_name: "Bilal", donorName: "Bilal Raza" };
  expect(await visitor.post("/api/payment", other)).toMatchObject({ code: "409", error: "key_reused" });
});

test("API-12: a PayPal payment needs its own captcha, as a card payment does, and a used one pays for nothing", async () => {
  const visitor = await site.visitor();
  const { body } = await site.givePayPal(visitor);
  const nonce = await createNonce(site.simulator.url);
  const used = await visitor.post("/api/payment", wirePayPalPayment(nonce, String(body.captcha)), newKey());
  expect(used).toMatchObject({ code: "403", error: "captcha_failed" });
  const without = await visitor.post("/api/payment", wirePayPalPayment(nonce, undefined), newKey());
  expect(without).toMatchObject({
    code: "422",
    error: "captcha_required",
    data: { captcha: ["Please complete the reCAPTCHA verification"] },
  });
});

test("DON-12: a PayPal payment priced with the merchant fee of cards is refused with the right total", async () => {
  const visitor = await site.visitor();
  const before = await countSales();
  const { answer } = await site.givePayPal(visitor, { changes: { amount: 106.58 } });
  expect(answer).toMatchObject({ code: "422", error: "invalid_input" });
  expect(answer.data.amount).toEqual(["The total has changed to $108.15. Please check it again"]);
  expect(await countSales()).toBe(before);
});

test("DON-16: a refusal by PayPal doesn't mention cards, and the donor may try again by card or PayPal", async () => {
  const visitor = await site.visitor();
  await site.simulator.installFault({ match: { provider: "braintree" }, do: "decline", code: "2046", times: 1 });
  const { answer } = await site.givePayPal(visitor);
  expect(answer).toMatchObject({ status: "false", code: "402", error: "payment_declined", data: { state: "failed" } });
  expect(answer.message).toBe("PayPal didn’t accept this payment. Please try again, or pay another way.");
  expect((await site.app.inject(`/api/payments/${answer.data.id}`)).json().data.message).toBe(answer.message);
  const declined = await site.give(visitor, { card: testCards.declined });
  expect(declined.answer.code).toBe("402");
  expect((await site.givePayPal(visitor)).answer.code).toBe("200");
});

test("DON-25: a card hidden behind a PayPal nonce is refused before any sale, and counts as a decline", async () => {
  const guarded = await openTestSite({ LIMITS_DECLINES: "2" });
  try {
    const visitor = await guarded.visitor();
    for (let time = 0; time < 3; time += 1) {
      expect((await guarded.givePayPal(visitor, { kind: "card" })).answer).toMatchObject({
        code: "402",
        error: "payment_declined",
      });
    }
    expect((await guarded.givePayPal(visitor)).answer).toMatchObject({ code: "429", error: "too_many" });
    expect(await guarded.simulator.listLedger()).toEqual([]);
  } finally {
    await guarded.close();
  }
});

test("REL-1: if Braintree's answer is lost, the sale is never sent again, and the books decide", async () => {
  await site.simulator.installFault({ match: { provider: "braintree" }, do: "reset_after", times: 1 });
  const { answer } = await site.givePayPal(await site.visitor());
  expect(answer).toMatchObject({ code: "202", error: "payment_processing", data: { state: "processing" } });
  await site.settleOpen();
  expect((await site.app.inject(`/api/payments/${answer.data.id}`)).json().data.state).toBe("succeeded");
});

test("DON-19, API-4: generateToken returns a client token at the top level, to anyone", async () => {
  const answer = (await site.app.inject("/api/generateToken")).json();
  expect(answer).toMatchObject({ status: "true", code: "200", data: {} });
  const token = JSON.parse(Buffer.from(answer.clientToken, "base64").toString());
  expect(token).toMatchObject({ version: 2, configUrl: expect.stringContaining("http") });
});

test("DON-19: a failed client token is 503, and the failure is not cached", async () => {
  const other = await openTestSite();
  try {
    await other.simulator.installFault({
      match: { provider: "braintree", op: "client_token" },
      do: "error_503",
      times: 1,
    });
    const refused = await other.app.inject("/api/generateToken");
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({
      status: "false",
      error: "busy",
      message: expect.stringContaining("PayPal"),
    });
    expect((await other.app.inject("/api/generateToken")).statusCode).toBe(200);
  } finally {
    await other.close();
  }
});

test("DON-13: if PayPal is off, the checkout says so and refuses tokens and payments", async () => {
  const without = await openTestSite({ PAYPAL: "off" });
  try {
    const visitor = await without.visitor();
    const { paypal, payway } = (await without.app.inject("/api/checkout")).json().data;
    expect(paypal).toMatchObject({
      isAvailable: false,
      message: "We don’t take PayPal here. Please pay another way.",
    });
    expect(payway).toMatchObject({ isAvailable: true, message: "", asksBank: false });
    expect((await without.app.inject("/api/generateToken")).json()).toMatchObject({
      code: "429",
      error: "provider_away",
    });
    expect((await without.givePayPal(visitor)).answer).toMatchObject({ code: "429", error: "provider_away" });
    expect((await without.pool.query("select 1 from donations")).rowCount).toBe(0);
  } finally {
    await without.close();
  }
});
