import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type TypedCard, testCards } from "#simulators/control.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { longTest } from "#test/long-test.ts";
import { newKey, openTestSite, type TestSite, type Visitor, wirePayment } from "#test/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({
    PAYWAY_3DS: "on",
    PAYWAY_3DS_UNAVAILABLE_MAXIMUM: "200.00",
    LIMITS_DECLINES: "1000",
    LIMITS_BREAKER_PAYMENTS: "1000",
  });
});
afterEach(async () => {
  await site.simulator.clearFaults();
  const { open: _, ...faults } = faultsOf(await compareBooks(site.pool, await site.simulator.listLedger()));
  const { open: __, ...none } = noFaults;
  expect(faults).toEqual(none);
});
afterAll(() => site.close());

/** The simulated bank decides by the name on the card. */
const card = (word: "Y" | "A" | "C" | "N" | "R" | "U"): TypedCard => ({
  ...testCards.approved,
  name: `3DS-${word}`,
  threeDS2: true,
});
const finish = (visitor: Visitor, id: string, abandoned = false) =>
  visitor.post("/api/payway-3ds", abandoned ? { id, abandoned } : { id });
const look = async (id: string) => (await site.app.inject(`/api/payments/${id}`)).json().data;
const rowOf = async (id: string) =>
  (await site.pool.query("select * from payment_attempts where id = $1", [id])).rows[0];
const statesOf = async (id: string) =>
  (
    await site.pool.query("select to_state, actor from payment_events where attempt_id = $1 order by id", [id])
  ).rows.map(({ to_state, actor }) => `${to_state} ${actor}`);
const chargesOf = async (id: string) => {
  const { order_reference } = await rowOf(id);
  return (await site.simulator.listLedger()).filter((row) => row.orderReference === order_reference);
};
/** Presses a button on the bank's page, which informs the bank's server and not ours. */
async function press(token: string, button: "confirm" | "refuse") {
  const response = await fetch(`${site.config.payway.url}/single-use-tokens/${token}/challenge`, {
    method: "POST",
    body: new URLSearchParams({ choice: button }),
  });
  if (!response.ok) throw new Error(`The bank's page answered ${response.status}: ${await response.text()}`);
}
/** A donation by a card whose bank asks for a challenge. */
async function giveChallenged(visitor: Visitor) {
  const given = await site.give(visitor, { card: card("C") });
  expect(given.answer).toMatchObject({ code: "202", error: "payment_processing", data: { state: "action_required" } });
  expect(given.answer.message).toBe("Your bank asks you to confirm this payment.");
  return { ...given, id: given.answer.data.id as string, token: given.body.singleUseTokenId };
}

test("DON-18: the checkout says that the card's bank may ask", async () => {
  expect((await site.app.inject("/api/checkout")).json().data.payway.asksBank).toBe(true);
});

test.each(["Y", "A"] as const)("DON-18: a bank that answers %s immediately lets the card be charged", async (word) => {
  const { answer } = await site.give(await site.visitor(), { card: card(word) });
  expect(answer).toMatchObject({ code: "200", data: { state: "succeeded" } });
  expect((await rowOf(answer.data.id)).authentication).toBe(word);
  expect(await statesOf(answer.data.id)).toEqual(["created request", "submitting request", "succeeded request"]);
});

test.each(["N", "R"] as const)("DON-18: a bank that answers %s ends it: 402, nothing sent, no email", async (word) => {
  const { answer } = await site.give(await site.visitor(), { card: card(word) });
  expect(answer).toMatchObject({ code: "402", error: "payment_declined", data: { state: "failed" } });
  expect(answer.message).toBe("Your card wasn’t accepted. Please check the details or try another card.");
  expect(await statesOf(answer.data.id)).toEqual(["created request", "cancelled request"]);
  expect(await chargesOf(answer.data.id)).toEqual([]);
  expect((await rowOf(answer.data.id)).instrument).toBeNull();
  const { rowCount } = await site.pool.query("select 1 from pgboss.job where data->>'attemptId' = $1", [
    answer.data.id,
  ]);
  expect(rowCount).toBe(0);
});

test("DON-18: a payment is charged after the payer passes the bank's challenge and the server has checked", async () => {
  const visitor = await site.visitor();
  const { id, token } = await giveChallenged(visitor);
  expect(await chargesOf(id)).toEqual([]);
  site.clock.advance(60_000);
  await press(token, "confirm");
  const answer = await finish(visitor, id);
  expect(answer).toMatchObject({ code: "200", data: { id, state: "succeeded" } });
  const row = await rowOf(id);
  expect(row).toMatchObject({ authentication: "Y", lease_until: null, instrument: null });
  expect(row.sent_at.getTime() - row.created_at.getTime()).toBeGreaterThan(59_000);
  expect(await statesOf(id)).toEqual([
    "created request",
    "requires_action request",
    "submitting request",
    "succeeded request",
  ]);
  expect(await finish(visitor, id)).toEqual(answer);
});

test("DON-18: a page that claims success proves nothing: the bank still asks, and nothing is charged", async () => {
  const visitor = await site.visitor();
  const { id } = await giveChallenged(visitor);
  const answer = await visitor.post("/api/payway-3ds", { id, transStatus: "Y", success: true });
  expect(answer).toMatchObject({ code: "202", data: { state: "action_required" } });
  expect(await chargesOf(id)).toEqual([]);
});

test("DON-18: a challenge that fails is 402 and nothing is charged", async () => {
  const visitor = await site.visitor();
  const { id, token } = await giveChallenged(visitor);
  await press(token, "refuse");
  expect(await finish(visitor, id)).toMatchObject({
    code: "402",
    error: "payment_declined",
    data: { state: "failed" },
  });
  expect(await chargesOf(id)).toEqual([]);
});

test("DON-18: a challenge that the payer closes cancels the payment, unless the bank has approved it", async () => {
  const visitor = await site.visitor();
  const closed = await giveChallenged(visitor);
  expect(await finish(visitor, closed.id, true)).toMatchObject({
    code: "402",
    message: "This payment wasn’t confirmed with your bank. You can try again.",
  });
  expect(await finish(visitor, closed.id)).toMatchObject({ code: "402", data: { state: "failed" } });
  const passed = await giveChallenged(visitor);
  await press(passed.token, "confirm");
  expect(await finish(visitor, passed.id, true)).toMatchObject({ code: "200" });
});

test("DON-22: twenty concurrent requests to continue charge once and get the same answer", async () => {
  const visitor = await site.visitor();
  const { id, token } = await giveChallenged(visitor);
  await press(token, "confirm");
  const answers = await Promise.all(Array.from({ length: 20 }, () => finish(visitor, id)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0].code).toBe("200");
  expect(await chargesOf(id)).toHaveLength(1);
});

test("DON-22: a copy of the payment while the bank asks is answered with the same attempt, and sends nothing", async () => {
  const visitor = await site.visitor();
  const { id, body, key, answer } = await giveChallenged(visitor);
  expect(await visitor.post("/api/payway-payment", body, key)).toEqual(answer);
  expect(await visitor.post("/api/payway-payment", body, newKey())).toEqual(answer);
  expect((await look(id)).state).toBe("action_required");
  const both = wirePayment(await site.cardToken(card("Y")), await visitor.solveCaptcha());
  const sameKey = newKey();
  const copies = await Promise.all([1, 2, 3].map(() => visitor.post("/api/payway-payment", both, sameKey)));
  expect(new Set(copies.map((copy) => JSON.stringify(copy))).size).toBe(1);
});

test("DON-18: an unknown id is 404, and a payment without a challenge is returned as it is", async () => {
  const visitor = await site.visitor();
  expect(await finish(visitor, randomUUID())).toMatchObject({ code: "404", error: "not_found" });
  expect(await visitor.post("/api/payway-3ds", { id: "x" })).toMatchObject({ code: "422", error: "invalid_input" });
  const { answer } = await site.givePayPal(visitor);
  expect(await finish(visitor, answer.data.id, true)).toEqual(answer);
});

test("DON-18: a bank that cannot be asked does not stop a small donation, and stops a large one", async () => {
  const visitor = await site.visitor();
  const item_details = JSON.stringify([{ donation_type: "Zakat", quantity: 1, donation_amount: 200 }]);
  const large = { amount: 213.15, item_details };
  expect((await site.give(visitor, { card: card("U") })).answer.code).toBe("200");
  const refused = await site.give(visitor, { card: card("U"), changes: large });
  expect(refused.answer).toMatchObject({ code: "402", data: { state: "failed" } });
  expect(refused.answer.message).toMatch(/^We couldn’t ask your bank to confirm this payment/);
  await site.simulator.installFault({ match: { op: "authenticate" }, do: "error_500_before" });
  const small = await site.give(visitor, { card: card("Y"), changes: { repeat: true } });
  expect(small.answer.code).toBe("200");
  expect((await rowOf(small.answer.data.id)).authentication).toBeNull();
  expect((await site.give(visitor, { card: card("Y"), changes: large })).answer.code).toBe("402");
});

test("DON-18: a token that was made without 3-D Secure is no way around it", async () => {
  const { answer } = await site.give(await site.visitor(), { card: testCards.approved });
  expect(answer).toMatchObject({ code: "402", data: { state: "failed" } });
  expect(await chargesOf(answer.data.id)).toEqual([]);
});

test("DON-18: once the bank has asked, the payment waits for its answer, even while the bank cannot be reached", async () => {
  const visitor = await site.visitor();
  const { id, token } = await giveChallenged(visitor);
  await press(token, "confirm");
  await site.simulator.installFault({ match: { op: "find_authentication" }, do: "error_500_before" });
  expect(await finish(visitor, id)).toMatchObject({ code: "202", data: { state: "action_required" } });
  await site.simulator.clearFaults();
  expect(await finish(visitor, id)).toMatchObject({ code: "200" });
});

test("REL-1: an abandoned challenge is cancelled when the card token expires, without an email", async () => {
  const visitor = await site.visitor();
  const { id, token } = await giveChallenged(visitor);
  site.clock.advance(9.5 * 60_000);
  await site.services.payments.tick(site.clock.now());
  expect((await look(id)).state).toBe("action_required");
  site.clock.advance(60_000);
  await press(token, "confirm").catch(() => undefined);
  expect(await finish(visitor, id)).toMatchObject({ code: "402", data: { state: "failed" } });
  const other = await giveChallenged(visitor);
  site.clock.advance(10.1 * 60_000);
  await site.services.payments.tick(site.clock.now());
  expect(await look(other.id)).toMatchObject({
    state: "failed",
    message: "This payment wasn’t confirmed with your bank. You can try again.",
  });
  expect((await statesOf(other.id)).at(-1)).toBe("cancelled sweeper");
  expect(await rowOf(other.id)).toMatchObject({ instrument: null, lease_until: null, was_uncertain: false });
  expect(await chargesOf(other.id)).toEqual([]);
  const { rowCount } = await site.pool.query("select 1 from pgboss.job where data->>'attemptId' = any($1)", [
    [id, other.id],
  ]);
  expect(rowCount).toBe(0);
});

test("REL-1: a payment whose answer is lost after the bank's yes is sent again and settled like any other", async () => {
  const visitor = await site.visitor();
  const { id, token } = await giveChallenged(visitor);
  await press(token, "confirm");
  await site.simulator.installFault({ match: { op: "charge" }, do: "reset_after" });
  expect(await finish(visitor, id)).toMatchObject({ code: "202", data: { state: "processing" } });
  await site.simulator.clearFaults();
  await site.settleOpen();
  expect((await look(id)).state).toBe("succeeded");
  expect(await chargesOf(id)).toHaveLength(1);
});

longTest(
  "DON-16, DON-18: if the bank takes longer than the payer waits, the payment goes on, and the page finds the bank's question",
  async () => {
    const slow = await openTestSite({ PAYWAY_3DS: "on", CUSTOMER_WAIT_MS: "300" });
    try {
      await slow.simulator.installFault({ match: { op: "authenticate" }, do: "slow", ms: 1500 });
      const { answer } = await slow.give(await slow.visitor(), { card: card("C") });
      expect(answer).toMatchObject({ code: "202", data: { state: "processing" } });
      const state = async () => (await slow.app.inject(`/api/payments/${answer.data.id}`)).json().data.state;
      await expect.poll(state).toBe("action_required");
    } finally {
      await slow.close();
    }
  },
);

test("DON-25: what the bank refuses counts towards the payer's limit", async () => {
  const guarded = await openTestSite({ PAYWAY_3DS: "on", LIMITS_DECLINES: "2" });
  try {
    const visitor = await guarded.visitor();
    for (let time = 0; time < 3; time += 1) await guarded.give(visitor, { card: card("N") });
    expect((await guarded.give(visitor, { card: card("Y") })).answer).toMatchObject({ code: "429", error: "too_many" });
  } finally {
    await guarded.close();
  }
});
