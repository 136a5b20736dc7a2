import { afterAll, beforeAll, expect, test } from "vitest";
import { MADE_PASSWORD } from "#database/factories.ts";
import { testCards } from "#simulators/control.ts";
import { openMember } from "#test/member.ts";
import { openTestSite, type TestSite, type Visitor } from "#test/site.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";

// Someone who knows another person's Idempotency-Key or payment id learns only the payment's status.

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ PAYWAY_3DS: "on" });
});
afterAll(() => site.close());

type Key = { "idempotency-key": string };
const passing = { ...testCards.approved, name: "3DS-Y", threeDS2: true };
const findPayment = async (visitor: Visitor, idOrKey: string) =>
  (await visitor.ask({ url: `/api/payments/${idOrKey}` })).json().data;
const stateAlone = (id: string) => ({ id, state: "succeeded", message: expect.stringMatching(/^Thank you\./) });

test("API-13: a stranger with the key of a donation sees that it was paid, and neither its reference nor its receipt", async () => {
  const [donor, stranger] = [await site.visitor(), await site.visitor("198.51.100.9")];
  const { answer, body, key } = await site.give(donor, { card: passing });
  const { id, reference, receiptUrl } = answer.data;
  const theirs = { ...stateAlone(id), reference, receiptUrl };
  for (const name of [id, key["idempotency-key"]]) {
    expect(await findPayment(donor, name), "the same browser, also after a reload").toEqual(theirs);
    expect(await findPayment(stranger, name)).toEqual(stateAlone(id));
  }
  const noCookies = await site.app.inject(`/api/payments/${key["idempotency-key"]}`);
  expect(noCookies.json().data).toEqual(stateAlone(id));
  expect((await stranger.post("/api/payway-3ds", { id })).data).toEqual(stateAlone(id));
  expect((await donor.post("/api/payway-3ds", { id })).data).toEqual(theirs);
  expect((await stranger.post("/api/payway-payment", body, key)).data, "a copy of the request").toEqual(stateAlone(id));
  expect((await donor.post("/api/payway-payment", body, key)).data).toEqual(theirs);
});

test("API-13: the donor's account sees the receipt in any browser where it is logged in", async () => {
  const { id: userId, email, visitor } = await openMember(site);
  const { answer, key } = await site.give(visitor, { card: passing, changes: { user_id: userId } });
  const elsewhere = await site.visitor();
  expect(await findPayment(elsewhere, key["idempotency-key"])).toEqual(stateAlone(answer.data.id));
  await elsewhere.post("/api/login", { email, password: MADE_PASSWORD });
  expect(await findPayment(elsewhere, key["idempotency-key"])).toEqual(answer.data);
  const other = await openMember(site);
  expect(await findPayment(other.visitor, key["idempotency-key"])).toEqual(stateAlone(answer.data.id));
});

test("API-13: a stranger can neither continue nor cancel a payment that waits for the bank", async () => {
  const [donor, stranger] = [await site.visitor(), await site.visitor("198.51.100.9")];
  const card = { ...testCards.approved, name: "3DS-C", threeDS2: true };
  const { answer, body } = await site.give(donor, { card });
  const { id } = answer.data;
  expect(answer.data.state).toBe("action_required");
  for (const abandoned of [true, false]) {
    const { data } = await stranger.post("/api/payway-3ds", { id, abandoned });
    expect(data).toEqual({ id, state: "action_required", message: "Your bank asks you to confirm this payment." });
  }
  const challenge = `${site.config.payway.url}/single-use-tokens/${body.singleUseTokenId}/challenge`;
  await fetch(challenge, { method: "POST", body: new URLSearchParams({ choice: "confirm" }) });
  const { data } = await donor.post("/api/payway-3ds", { id });
  expect(data).toMatchObject({ state: "succeeded", receiptUrl: expect.any(String) });
});

test("API-13: a stranger with the key of a hold or of its payment has neither the order nor its tickets", async () => {
  const { slug } = await makeTicketedEvent(site.database);
  const [visitor, stranger] = [await site.visitor(), await site.visitor("198.51.100.9")];
  const [buyer, other] = [createBuyer(site, visitor), createBuyer(site, stranger)];
  const lines = [{ type: "vip", quantity: 1 }];
  const holdKey: Key = { "idempotency-key": crypto.randomUUID() };
  const { data: order } = await buyer.hold(slug, lines, {}, holdKey);
  expect(await other.hold(slug, lines, {}, holdKey)).toMatchObject({ code: "409", error: "key_reused" });
  expect((await buyer.hold(slug, lines, {}, holdKey)).data.id).toBe(order.id);
  const { answer, key } = await buyer.pay(order, { card: passing });
  expect(await findPayment(visitor, key["idempotency-key"])).toMatchObject({ receiptUrl: expect.any(String) });
  expect(await findPayment(stranger, key["idempotency-key"])).toEqual(stateAlone(answer.data.id));
});
