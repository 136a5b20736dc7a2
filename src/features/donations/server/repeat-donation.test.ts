import { afterAll, beforeAll, expect, test } from "vitest";
import { testCards } from "#simulators/control.ts";
import { longTest } from "#test/long-test.ts";
import { openMember } from "#test/member.ts";
import { newKey, openTestSite, type TestSite, type Visitor, wirePayment } from "#test/site.ts";

const second = 1000;
const minute = 60 * second;
let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ LIMITS_DECLINES: "1000" });
});
afterAll(() => site.close());

const countCharges = async () =>
  (await site.simulator.listLedger()).filter(({ status }) => status === "approved").length;
const repeated = { status: "false", code: "409", error: "just_given" };
const repeat = { changes: { repeat: true } };

test("DON-30: the same cart from the same browser within ten minutes is 409, says what and when, and is accepted once confirmed", async () => {
  const visitor = await site.visitor();
  const { answer: first } = await site.give(visitor);
  const charges = await countCharges();
  site.clock.advance(20 * second);
  const { body, key, answer } = await site.give(visitor);
  expect(answer).toMatchObject({ ...repeated, data: first.data });
  expect(answer.message).toMatch(/^You gave this 2\d seconds ago: \$106\.58 by card\.$/);
  expect(await countCharges()).toBe(charges);
  // Nothing was recorded and no captcha spent: the same request succeeds once the donor confirms it.
  const meant = await visitor.post("/api/payway-payment", { ...body, repeat: true }, key);
  expect(meant.code).toBe("200");
  expect(meant.data.id).not.toBe(first.data.id);
  expect(await countCharges()).toBe(charges + 1);
  expect(await visitor.post("/api/payway-payment", { ...body, repeat: true }, key)).toEqual(meant);
  expect(await visitor.post("/api/payway-payment", body, key), "a copy, with or without it").toEqual(meant);
  site.clock.advance(10 * minute);
  expect((await site.give(visitor)).answer.code).toBe("200");
});

longTest("DON-30, DON-22: of twenty tabs that send the same cart at the same instant one is charged", async () => {
  const visitor = await site.visitor();
  const charges = await countCharges();
  const bodies = await Promise.all(
    Array.from({ length: 20 }, async () => wirePayment(await site.cardToken(), await visitor.solveCaptcha())),
  );
  const answers = await Promise.all(bodies.map((body) => visitor.post("/api/payway-payment", body, newKey())));
  expect(answers.filter(({ code }) => code === "200")).toHaveLength(1);
  expect(answers.filter(({ error }) => error === "just_given")).toHaveLength(19);
  expect(await countCharges()).toBe(charges + 1);
});

test("DON-30: a payment in progress counts and the answer says so; only their totals distinguish PayPal and card", async () => {
  const visitor = await site.visitor();
  await site.simulator.installFault({ match: { provider: "braintree", op: "charge" }, do: "error_500_before" });
  const { answer: first } = await site.givePayPal(visitor);
  await site.simulator.clearFaults();
  expect(first.code).toBe("202");
  const { answer } = await site.givePayPal(visitor);
  expect(answer).toMatchObject({ ...repeated, data: { id: first.data.id, state: "processing" } });
  expect(answer.message).toMatch(
    /^You sent this \d+ seconds? ago: \$108\.15 by PayPal, which we are still confirming\./,
  );
  expect((await site.give(visitor)).answer.code, "another sum").toBe("200");
});

test("DON-30: a decline does not count, another cart is another donation, and so is another browser's", async () => {
  const visitor = await site.visitor();
  expect((await site.give(visitor, { card: testCards.declined })).answer.code).toBe("402");
  expect((await site.give(visitor)).answer.code).toBe("200");
  const [line] = JSON.parse(wirePayment("", undefined).item_details);
  const item_details = JSON.stringify([{ ...line, donation_type: "Sadaqah" }]);
  const changes = { item_details, donationType: "Sadaqah" };
  expect((await site.give(visitor, { changes })).answer.code, "same sum, other category").toBe("200");
  expect((await site.give(await site.visitor())).answer.code, "the same email elsewhere").toBe("200");
});

test("DON-30: on a shared device a donor with another email is asked too, but is not shown the payment", async () => {
  const visitor = await site.visitor();
  await site.give(visitor);
  const changes = { donor_email: "b@example.com", donorEmail: "b@example.com" };
  const { answer } = await site.give(visitor, { changes });
  expect(answer).toMatchObject(repeated);
  expect(answer.data).toBeUndefined();
});

test("DON-30: a member is known by the account in any browser, and nobody by an email address", async () => {
  const member = await openMember(site);
  const give = (visitor: Visitor, user_id: number) =>
    site.give(visitor, { changes: { user_id, donor_email: member.email, donorEmail: member.email } });
  expect((await give(member.visitor, member.id)).answer.code).toBe("200");
  const elsewhere = await site.visitor();
  elsewhere.cookies.set("session", member.visitor.cookies.get("session")!);
  expect((await give(elsewhere, member.id)).answer).toMatchObject(repeated);
  expect((await give(member.visitor, 0)).answer, "as a guest in another tab").toMatchObject(repeated);
  expect((await give(await site.visitor(), 0)).answer.code).toBe("200");
  expect((await site.give(member.visitor, repeat)).answer.code).toBe("200");
});
