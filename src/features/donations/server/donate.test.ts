import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testCards } from "#simulators/control.ts";
import { countMessages, stopClock } from "#test/count-messages.ts";
import { expectBooksAgree } from "#test/expect-books.ts";
import { longTest } from "#test/long-test.ts";
import { findText } from "#test/personal-data.ts";
import { newKey, openTestSite, type TestSite, wirePayment } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ LIMITS_DECLINES: "1000", LIMITS_BREAKER_PAYMENTS: "1000" });
});
afterAll(() => site.close());

const countDonations = async () => Number((await site.pool.query("select count(*) from donations")).rows[0].count);
const countCharges = async () =>
  (await site.simulator.listRequests()).filter(
    ({ path, method }) => method === "POST" && path.endsWith("/transactions"),
  ).length;

test("API-4: a donation by card is charged, recorded, posted and receipted, and the answer keeps the wire's shape", async () => {
  const visitor = await site.visitor();
  const { answer } = await site.give(visitor);
  expect(answer).toMatchObject({
    status: "true",
    code: "200",
    message: "Thank you. Your donation has been received.",
    data: { state: "succeeded", receiptUrl: expect.stringMatching(/^\/receipts\/[0-9a-f-]{36}\?key=/) },
  });
  const receipt = await site.app.inject(answer.data.receiptUrl);
  expect(receipt.statusCode).toBe(200);
  expect(receipt.headers["content-type"]).toBe("application/pdf");
  const again = await visitor.ask({ url: `/api/payments/${answer.data.id}` });
  expect(again.json().data).toEqual(answer.data);
  await expectBooksAgree(site);
});

test("PERF-6, PERF-7: a donation takes 3 messages to the database: what it is checked against, its record, its outcome", async () => {
  const visitor = await site.visitor();
  stopClock();
  for (let time = 0; time < 5; time += 1) await site.give(visitor, { changes: { repeat: true } });
  const token = await site.cardToken();
  const body = wirePayment(token, await visitor.solveCaptcha(), { repeat: true });
  const messages = await countMessages(() => visitor.post("/api/payway-payment", body, newKey()));
  expect(messages).toBe(3);
});

test("API-9: a receipt opens by its signed link alone", async () => {
  const { answer } = await site.give(await site.visitor());
  const [path] = answer.data.receiptUrl.split("?");
  for (const url of [path, `${path}?key=`, `${path}?key=${"A".repeat(43)}`, `/receipts/${randomUUID()}?key=x`]) {
    expect((await site.app.inject(url)).statusCode, url).toBe(404);
  }
});

test("DON-16: a declined card is 402 with the one generic sentence, nothing is posted, and another try succeeds", async () => {
  const visitor = await site.visitor();
  const { answer } = await site.give(visitor, { card: testCards.declined });
  expect(answer).toMatchObject({ status: "false", code: "402", error: "payment_declined", data: { state: "failed" } });
  expect(answer.message).toBe("Your card wasn’t accepted. Please check the details or try another card.");
  expect(answer.message).not.toMatch(/stolen|43|fraud/i);
  expect((await site.give(visitor)).answer.code).toBe("200");
  await expectBooksAgree(site);
});

longTest("DON-18: every text that a donation may carry is kept", async () => {
  const visitor = await site.visitor();
  const { paths } = (await site.app.inject("/api/openapi.json")).json();
  const { properties } = paths["/api/payway-payment"].post.requestBody.content["application/json"].schema;
  const lost: string[] = [];
  // No form asks for a nickname: it is accepted and dropped, like any field that nothing stores.
  for (const [index, field] of [...Object.keys(properties), "nickname"].entries()) {
    const typed = `Qzx-${index}`;
    const { answer } = await site.give(visitor, { changes: { repeat: true, [field]: typed } });
    if (answer.code === "200" && (await findText(site.pool, [typed])).length === 0) lost.push(field);
  }
  expect(lost, "see insertDonation in store.ts").toEqual(["nickname"]);
});

test("DON-22: a body sent again after an update is the same submission, so a new field has no default", async () => {
  const visitor = await site.visitor();
  const sentByRelease01 = {
    singleUseTokenId: "7f3c1f5e-29a7-4f0c-9c25-0d4d3f4d9c11",
    amount: 106.58,
    donorName: "Amina Raza",
    donor_first_name: "Amina",
    donor_last_name: "Raza",
    donor_email: "amina@example.com",
    donorEmail: "amina@example.com",
    donationType: "Zakat",
    source: "web",
    user_id: 0,
    postal_code: "2144",
    payment_method: "PAYWAY",
    payment_type: "Credit Card",
    is_anonymous: false,
    item_details: JSON.stringify([
      { donation_type: "Zakat", donation_type_option: "", quantity: 1, donation_amount: 100, donation_shared_name: "" },
    ]),
    captcha: await visitor.solveCaptcha(),
  };
  const key = newKey();
  await visitor.post("/api/payway-payment", sentByRelease01, key);
  const { rows } = await site.pool.query(
    "select encode(request_hash, 'hex') as hash from payment_attempts where client_key = $1",
    [key["idempotency-key"]],
  );
  const same = [{ hash: "0ce45c01533241a82b37716bbee34146dab2e1d8dbb419ae68f01e0415821605" }];
  expect(rows, "a page that waits for its outcome would get 409 key_reused").toEqual(same);
});

test("DON-22: 100 simultaneous copies of one submission are one donation, one charge and one answer", async () => {
  const visitor = await site.visitor();
  const [donations, charges] = [await countDonations(), await countCharges()];
  const body = wirePayment(await site.cardToken(), await visitor.solveCaptcha());
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 100 }, () => visitor.post("/api/payway-payment", body, key)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0].code).toBe("200");
  expect(await countDonations()).toBe(donations + 1);
  expect(await countCharges()).toBe(charges + 1);
});

test("API-13: without a key the card token is the key, and one token under two keys is one charge", async () => {
  const visitor = await site.visitor();
  const donations = await countDonations();
  const body = wirePayment(await site.cardToken(), await visitor.solveCaptcha());
  const first = await visitor.post("/api/payway-payment", body);
  expect(await visitor.post("/api/payway-payment", body)).toEqual(first);
  expect(await visitor.post("/api/payway-payment", body, newKey())).toEqual(first);
  expect(await countDonations()).toBe(donations + 1);
});

test("API-13: the same key with another body is 409 and charges nothing", async () => {
  const visitor = await site.visitor();
  const { body, key } = await site.give(visitor);
  const charges = await countCharges();
  const other = await visitor.post(
    "/api/payway-payment",
    { ...body, donor_first_name: "Bilal", donorName: "Bilal Raza" },
    key,
  );
  expect(other).toMatchObject({ status: "false", code: "409", error: "key_reused" });
  expect(await countCharges()).toBe(charges);
});

test("API-12: a repeat is answered before its captcha is checked, and a used captcha pays for nothing else", async () => {
  const visitor = await site.visitor();
  const { body, key, answer } = await site.give(visitor);
  expect(await visitor.post("/api/payway-payment", { ...body, captcha: "nonsense" }, key)).toEqual(answer);
  const donations = await countDonations();
  const second = wirePayment(await site.cardToken(), body.captcha);
  expect(await visitor.post("/api/payway-payment", second, newKey())).toMatchObject({
    code: "403",
    error: "captcha_failed",
  });
  const without = wirePayment(await site.cardToken(), undefined);
  expect(await visitor.post("/api/payway-payment", without, newKey())).toMatchObject({
    code: "422",
    data: { captcha: ["Please complete the reCAPTCHA verification"] },
  });
  expect(await countDonations()).toBe(donations);
});

test("API-12: one captcha sent with 20 simultaneous submissions pays for one of them", async () => {
  const visitor = await site.visitor();
  const captcha = await visitor.solveCaptcha();
  const tokens = await Promise.all(Array.from({ length: 20 }, () => site.cardToken()));
  const answers = await Promise.all(
    tokens.map((token) => visitor.post("/api/payway-payment", wirePayment(token, captcha), newKey())),
  );
  expect(answers.filter(({ code }) => code === "200")).toHaveLength(1);
  expect(answers.filter(({ error }) => error === "captcha_failed")).toHaveLength(19);
});

const lines = (change: object) =>
  JSON.stringify([{ ...JSON.parse(wirePayment("", undefined).item_details)[0], ...change }]);

test.each([
  ["amount", { amount: 106.57 }, "amount"],
  ["amount as text", { amount: "106.6" }, "amount"],
  ["a unit's amount", { item_details: lines({ donation_amount: 99 }) }, "item_details.0.net_donation_amount"],
  ["a line's sum", { item_details: lines({ net_donation_amount: 99.99 }) }, "item_details.0.net_donation_amount"],
  ["a line's admin fee", { item_details: lines({ admin_fee_amount: 0 }) }, "item_details.0.admin_fee_amount"],
  ["a line's merchant fee", { item_details: lines({ merchant_fee: 1.57 }) }, "item_details.0.merchant_fee"],
  ["quantity", { item_details: lines({ quantity: 2 }) }, "item_details.0.quantity"],
  ["quantity below one", { item_details: lines({ quantity: 0 }) }, "item_details.0.quantity"],
  ["a negative amount", { item_details: lines({ donation_amount: -100 }) }, "item_details.0.donation_amount"],
  ["a third decimal", { item_details: lines({ donation_amount: 100.001 }) }, "item_details.0.donation_amount"],
  ["an unknown category", { item_details: lines({ donation_type: "Yacht" }) }, "item_details.0.donation_type"],
  [
    "a subcategory that is not there",
    { item_details: lines({ donation_type_option: "Gold" }) },
    "item_details.0.donation_type_option",
  ],
  [
    "a fixed price",
    { item_details: lines({ donation_type: "Fitrana", donation_amount: 1 }), donationType: "Fitrana" },
    "item_details.0.donation_amount",
  ],
  [
    "names where none are asked",
    { item_details: lines({ donation_shared_name: "Ali" }) },
    "item_details.0.donation_shared_name",
  ],
  ["the first line's category", { donationType: "Sadaqah" }, "donationType"],
  ["the second e-mail address", { donorEmail: "other@example.com" }, "donorEmail"],
  ["the joined name", { donorName: "Somebody Else" }, "donorName"],
  ["no lines", { item_details: "[]" }, "item_details"],
  ["lines that are not JSON", { item_details: "{" }, "item_details"],
  ["the source", { source: "app" }, "source"],
])(
  "DON-12: a payload with a changed figure is refused field by field and never sent: %s",
  async (_, changes, field) => {
    const visitor = await site.visitor();
    const [donations, charges] = [await countDonations(), await countCharges()];
    const { answer } = await site.give(visitor, { changes });
    expect(answer).toMatchObject({ status: "false", code: "422", error: "invalid_input" });
    expect(Object.keys(answer.data)).toContain(field);
    expect(await countDonations()).toBe(donations);
    expect(await countCharges()).toBe(charges);
  },
);

test("DON-12: the admin fee is the donor's choice, and the total alone says which", async () => {
  const visitor = await site.visitor();
  const changes = { amount: 101.5, item_details: lines({ admin_fee_amount: 0, merchant_fee: 1.5 }) };
  expect((await site.give(visitor, { changes })).answer.code).toBe("200");
});

test("DON-18: amounts may be decimal texts, unknown fields are ignored, and line fees may be left out", async () => {
  const visitor = await site.visitor();
  const [line] = JSON.parse(wirePayment("", undefined).item_details);
  const { admin_fee_amount: _, merchant_fee: __, ...bare } = line;
  const changes = {
    amount: "106.58",
    nonsense: true,
    item_details: JSON.stringify([{ ...bare, donation_amount: "100.00" }]),
  };
  expect((await site.give(visitor, { changes })).answer.code).toBe("200");
});

test("DON-18: somebody else's user id is 403", async () => {
  expect((await site.give(await site.visitor(), { changes: { user_id: 33 } })).answer).toMatchObject({
    code: "403",
    error: "not_allowed",
  });
});

test("DON-5: an anonymous donation needs only an email address", async () => {
  const visitor = await site.visitor();
  const changes = {
    donorName: "Anonymous User",
    donor_first_name: "Anonymous",
    donor_last_name: "User",
    is_anonymous: true,
    postal_code: undefined,
  };
  expect((await site.give(visitor, { changes })).answer.code).toBe("200");
  const wrong = { ...changes, donor_first_name: "Amina" };
  expect((await site.give(visitor, { changes: wrong })).answer.code).toBe("422");
});

test("DON-7: Qurban keeps its names, and needs at least one", async () => {
  const visitor = await site.visitor();
  const qurban = {
    donation_type: "Qurban",
    donation_type_option: "Goat",
    quantity: 2,
    donation_amount: 190,
    donation_shared_name: "آمنہ رضا,Yusuf Raza",
  };
  const changes = (line: object) => ({
    amount: 404.99,
    donationType: "Qurban",
    item_details: JSON.stringify([{ ...qurban, ...line }]),
  });
  const { answer } = await site.give(visitor, { changes: changes({}) });
  expect(answer.code).toBe("200");
  const { rows } = await site.pool.query("select on_behalf_of, receipt_kind from donation_lines where fund = 'qurban'");
  expect(rows).toEqual([{ on_behalf_of: ["آمنہ رضا", "Yusuf Raza"], receipt_kind: "not_deductible" }]);
  const { answer: refusal } = await site.give(visitor, { changes: changes({ donation_shared_name: "" }) });
  expect(refusal.data).toEqual({ "item_details.0.donation_shared_name": ["Enter at least one name"] });
});

test("DON-25: below the minimum and above the maximum a donation is refused with the limits", async () => {
  const visitor = await site.visitor();
  for (const [amount, total] of [
    [1.99, 2.12],
    [50000.01, 53287.51],
  ]) {
    const item_details = JSON.stringify([{ donation_type: "Zakat", quantity: 1, donation_amount: amount }]);
    const { answer } = await site.give(visitor, { changes: { amount: total, item_details } });
    expect(answer.data.amount[0]).toBe("Donate between $2.00 and $50,000.00 at a time");
  }
});

test("DON-25: after five declines the next try is 429 with the minutes to wait, and no provider is asked", async () => {
  const guarded = await openTestSite({ LIMITS_DECLINES: "5", LIMITS_BREAKER_PAYMENTS: "1000" });
  try {
    const visitor = await guarded.visitor("198.51.100.9");
    for (let count = 0; count < 6; count += 1) {
      expect((await guarded.give(visitor, { card: testCards.declined })).answer.code).toBe("402");
    }
    const { answer } = await guarded.give(visitor);
    const message = "Too many attempts. Please wait 15 minutes and try again.";
    expect(answer).toMatchObject({ code: "429", error: "too_many", message });
    const other = await guarded.visitor("198.51.100.10");
    expect(
      (await guarded.give(other, { changes: { donor_email: "b@example.com", donorEmail: "b@example.com" } })).answer
        .code,
    ).toBe("200");
  } finally {
    await guarded.close();
  }
});
