import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { testCards } from "#simulators/control.ts";
import { countMessages, stopClock } from "#test/count-messages.ts";
import { expectBooksAgree } from "#test/expect-books.ts";
import { listStatements } from "#test/list-statements.ts";
import { newKey, openTestSite, type TestSite } from "#test/site.ts";
import { compareTickets, ticketsAgree } from "#test/ticket-books.ts";
import { countSeats, createBuyer, makeTicketedEvent, settleRefunds } from "#test/ticket-buyer.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ LIMITS_TICKET_HOLDS: "1000", LIMITS_DECLINES: "1000", LIMITS_BREAKER_PAYMENTS: "1000" });
});
afterEach(async () => {
  await site.simulator.clearFaults();
  await site.settleOpen();
  await settleRefunds(site);
  await expectBooksAgree(site);
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
});
afterAll(() => site.close());

const open = async () => createBuyer(site, await site.visitor());
const stateOf = async (id: string) => (await site.app.inject(`/api/payments/${id}`)).json().data;
const listEmails = async () =>
  (await site.pool.query("select data from pgboss.job where name = 'emails' order by created_on")).rows.map(
    ({ data }) => data,
  );

test.each(["card", "PayPal"])(
  "TIC-6: an order is paid by %s once, its tickets are issued and sent, and the seats are sold",
  async (way) => {
    const event = await makeTicketedEvent(site.database);
    const buyer = await open();
    const { data: order } = await buyer.hold(event.slug, [
      { type: "vip", quantity: 1 },
      { type: "standard", quantity: 2 },
    ]);
    const { answer, body, key } = await buyer.pay(order, { payPal: way === "PayPal" });
    expect(answer).toMatchObject({
      code: "200",
      message: "Thank you. Your tickets are booked.",
      data: { state: "succeeded", reference: order.reference },
    });
    expect(await buyer.pay(order, { changes: { ...body }, key })).toMatchObject({
      answer: { code: "200", data: { id: answer.data.id } },
    });
    const { data: paid } = await buyer.find(order);
    expect(paid).toMatchObject({
      state: "paid",
      total: 200,
      email: "amina@example.com",
      holdUntil: null,
      payment: { state: "succeeded" },
    });
    expect(
      paid.tickets.map(({ type, holder, price, isCancelled }: Record<string, unknown>) => [
        type,
        holder,
        price,
        isCancelled,
      ]),
    ).toEqual([
      ["vip", "Amina Raza", 100, false],
      ["standard", "Amina Raza", 50, false],
      ["standard", "Amina Raza", 50, false],
    ]);
    expect(new Set(paid.tickets.map(({ number }: { number: string }) => number)).size).toBe(3);
    expect(await countSeats(site, event.id)).toMatchObject({
      vip: { sold: 1, held: 0, issued: 1 },
      standard: { sold: 2, held: 0, issued: 2 },
    });
    expect(await listEmails()).toContainEqual({ template: "tickets", orderId: order.id });
    const { rows } = await site.pool.query(
      "select account, amount_cents from ledger_entries where attempt_id = $1 order by id",
      [answer.data.id],
    );
    expect(rows.map(({ account, amount_cents }) => [account, Number(amount_cents)])).toEqual([
      [way === "card" ? "receivable:payway" : "receivable:braintree", 20_000],
      ["tickets", -20_000],
    ]);
    // A paid order cannot be paid again.
    expect((await buyer.pay(order)).answer).toMatchObject({ code: "409", error: "order_closed" });
  },
);

test("TIC-7: seats are sold by one statement without a transaction around it, so others wait only while it runs", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  const statements = await listStatements(() => buyer.pay(order));
  expect(statements.filter((text) => text.includes("settle_ticket_order"))).toHaveLength(1);
  expect(statements).not.toContain("begin");
});

test("PERF-7: paying for tickets takes 3 messages to the database, the first of which also reads the order's key", async () => {
  const event = await makeTicketedEvent(site.database);
  const visitor = await site.visitor();
  const buyer = createBuyer(site, visitor);
  const lines = [{ type: "standard", quantity: 1 }];
  stopClock();
  for (let time = 0; time < 5; time += 1) await buyer.book(event.slug, lines);
  const { data: other } = await buyer.hold(event.slug, lines);
  const { body } = await buyer.pay(other);
  const { data: order } = await buyer.hold(event.slug, lines);
  const [instrument, captcha] = [await site.cardToken(), await visitor.solveCaptcha("tickets")];
  const pay = (key: string) =>
    visitor.post(`/api/ticket-orders/${order.id}/payment`, { ...body, key, instrument, captcha }, newKey());
  expect((await pay(other.key)).code).toBe("404");
  expect(await countMessages(() => pay(order.key))).toBe(3);
  expect((await buyer.find(order)).data.state).toBe("paid");
});

test("TIC-6: a declined card charges nothing, and the seats stay held", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 2 }]);
  expect((await buyer.pay(order, { card: testCards.declined })).answer).toMatchObject({
    code: "402",
    data: { state: "failed" },
  });
  expect((await buyer.find(order)).data).toMatchObject({ state: "held", payment: { state: "failed" } });
  expect((await buyer.pay(order)).answer.code).toBe("200");
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 2, held: 0 } });
});

test("TIC-4, API-12: missing and wrong fields each have an error, and nothing is stored", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  const pay = async (changes: Record<string, unknown>) => (await buyer.pay(order, { changes })).answer;
  const bad = await pay({ email: "amina", firstName: "", lastName: " ", country: "", phone: "call me" });
  expect(bad.code).toBe("422");
  expect(Object.keys(bad.data).sort()).toEqual(["country", "email", "firstName", "lastName", "phone"]);
  expect((await pay({ country: "Atlantis" })).data).toEqual({ country: ["Choose a country from the list"] });
  expect((await pay({ total: 1 })).data).toEqual({ total: ["These tickets cost $100.00. Please review your order"] });
  expect(await pay({ captcha: undefined })).toMatchObject({ code: "422", error: "captcha_required" });
  expect(await pay({ captcha: "wrong" })).toMatchObject({ code: "403", error: "captcha_failed" });
  expect(await pay({ key: "x" })).toMatchObject({ code: "404" });
  expect(
    (await site.pool.query("select 1 from payment_attempts where ticket_order_id = $1", [order.id])).rowCount,
  ).toBe(0);
  expect((await buyer.find(order)).data).toMatchObject({ state: "held", email: "" });
});

test("TIC-7: a lapsed hold cannot be paid for, and the answer says that nothing was charged", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  site.clock.advance(901_000);
  expect((await buyer.pay(order)).answer).toMatchObject({ code: "409", error: "hold_lapsed" });
  const tried = await site.pool.query("select 1 from payment_attempts where ticket_order_id = $1", [order.id]);
  expect(tried.rowCount).toBe(0);
});

test("TIC-7: a payment that starts with little time left holds its seats for three minutes, but never beyond half an hour", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  const began = Date.parse(order.now);
  site.clock.advance(890_000);
  await buyer.pay(order, { card: testCards.declined });
  const held = async () => Date.parse((await buyer.find(order)).data.holdUntil) - began;
  expect(await held()).toBeGreaterThan(1_060_000);
  for (let step = 0; step < 6; step += 1) {
    site.clock.advance(170_000);
    await buyer.pay(order, { card: testCards.declined });
  }
  expect((await buyer.find(order)).data.state).toBe("lapsed");
});

/** Pays for an order and loses the answer although the bank has charged: only its books show the payment. */
async function payIntoTheDark(
  buyer: ReturnType<typeof createBuyer>,
  order: { id: string; key: string; total: number },
  options = {},
) {
  await site.simulator.installFault({ match: {}, do: "error_500_after", times: 1 });
  const { answer } = await buyer.pay(order, options);
  expect(answer).toMatchObject({ code: "202", data: { state: "processing" } });
  return answer.data.id as string;
}

test("TIC-7: a payment during which the hold lapses is honoured while seats are left", async () => {
  const event = await makeTicketedEvent(site.database, { vip: { capacity: 4 } });
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 2 }]);
  const id = await payIntoTheDark(buyer, order);
  site.clock.advance(901_000);
  const other = await (await open()).hold(event.slug, [{ type: "vip", quantity: 2 }]);
  expect(other.code).toBe("200");
  expect((await buyer.find(order)).data.state).toBe("lapsed");
  await site.settleOpen();
  expect(await stateOf(id)).toMatchObject({ state: "succeeded", message: "Thank you. Your tickets are booked." });
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 2, held: 2, issued: 2 } });
});

test("TIC-7: if seats sell out during payment, all of it is refunded and the buyer is told", async () => {
  const event = await makeTicketedEvent(site.database, { vip: { capacity: 3 } });
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 2 }]);
  const id = await payIntoTheDark(buyer, order);
  site.clock.advance(901_000);
  expect((await (await open()).book(event.slug, [{ type: "vip", quantity: 2 }])).answer.code).toBe("200");
  await site.settleOpen();
  const sentences = {
    state: "refunded",
    message: "Your seats were gone by the time your payment arrived, so we are refunding all of it.",
  };
  expect(await stateOf(id)).toMatchObject(sentences);
  expect((await buyer.find(order)).data).toMatchObject({ state: "refunded", tickets: [], ticketsUrl: null });
  await settleRefunds(site);
  expect(await stateOf(id)).toMatchObject(sentences);
  expect((await buyer.find(order)).data).toMatchObject({ refunded: 200 });
  expect(await listEmails()).toContainEqual({ template: "tickets-refused", attemptId: id });
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 2, held: 0, issued: 2 } });
});

test("TIC-6: during a payment a second one is refused, whatever its key, and the answer names the first", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  const id = await payIntoTheDark(buyer, order);
  const second = await buyer.pay(order);
  expect(second.answer).toMatchObject({
    code: "202",
    data: { id, state: "processing" },
    message: "We are confirming your payment. Please do not pay again.",
  });
  // Its seats are not freed for another choice either.
  await buyer.hold(event.slug, [{ type: "vip", quantity: 2 }], { instead: { id: order.id, key: order.key } });
  expect((await buyer.find(order)).data.state).toBe("held");
  // Nor does the answer say that nothing was charged once the hold has lapsed.
  site.clock.advance(901_000);
  expect((await buyer.pay(order)).answer).toMatchObject({ code: "202", data: { id } });
  await site.settleOpen();
  expect(await stateOf(id)).toMatchObject({ state: "succeeded" });
});

test("TIC-6: two simultaneous payments for one order charge once", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => buyer.pay(order)));
  const codes = answers.map(({ answer }) => answer.code);
  expect(codes).toContain("200");
  expect(codes.every((code) => ["200", "202", "409"].includes(code))).toBe(true);
  const ledger = await site.simulator.listLedger();
  const { rows } = await site.pool.query("select order_reference from payment_attempts where ticket_order_id = $1", [
    order.id,
  ]);
  expect(rows).toHaveLength(1);
  expect(ledger.filter(({ orderReference }) => orderReference === rows[0].order_reference)).toHaveLength(1);
});

test("TIC-7: a late charge for an order that is already paid is refunded in full", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  await site.simulator.installFault({ match: {}, do: "error_500_after", times: 1 });
  const { answer } = await buyer.pay(order);
  await site.pool.query(
    "update payment_attempts set state = 'not_found', next_check_at = null, settled_at = now() where id = $1",
    [answer.data.id],
  );
  expect((await buyer.pay(order, { key: newKey() })).answer.code).toBe("200");
  await site.simulator.clearFaults();
  await site.pool.query("update payment_attempts set next_check_at = $2 where id = $1", [
    answer.data.id,
    site.clock.now(),
  ]);
  await site.services.payments.tick(site.clock.now());
  expect(await stateOf(answer.data.id)).toMatchObject({
    state: "refunded",
    message: "This order was already paid, so we are refunding this payment in full.",
  });
  await settleRefunds(site);
  expect((await buyer.find(order)).data).toMatchObject({
    state: "paid",
    refunded: 0,
    refunds: [{ amount: 100, state: "paid", isSecondPayment: true }],
  });
  expect((await buyer.find(order)).data.tickets).toHaveLength(1);
});

test("TIC-6: the empty payment that the old ticket page posted is refused and creates nothing", async () => {
  const visitor = await site.visitor();
  for (const body of ["{}", ""]) {
    const response = await visitor.ask({
      method: "POST",
      url: "/api/payment",
      headers: { "content-type": "application/json" },
      payload: body,
    });
    expect([400, 422]).toContain(response.statusCode);
  }
  const empty = await visitor.ask({ method: "POST", url: "/api/payment" });
  expect(empty.statusCode).toBe(422);
  expect((await site.pool.query("select 1 from donations")).rowCount).toBe(0);
});

test("TIC-7: if another payment has already settled the order without seats, a payment is refunded and gets no tickets", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "vip", quantity: 1 }]);
  const id = await payIntoTheDark(buyer, order);
  const other = await site.pool.connect();
  try {
    await other.query("begin");
    await other.query("select lock_seats($1)", [event.id]);
    const settling = site.settleOpen();
    await expect
      .poll(async () => (await site.pool.query("select 1 from pg_locks where not granted")).rowCount)
      .toBeGreaterThan(0);
    await other.query("update ticket_orders set state = 'refunded', paid_at = now() where id = $1", [order.id]);
    await other.query("update ticket_types set held = 0 where event_id = $1", [event.id]);
    await other.query("commit");
    await settling;
  } finally {
    other.release();
  }
  expect(await stateOf(id)).toMatchObject({ state: "refunded" });
  expect((await buyer.find(order)).data.tickets).toEqual([]);
});

test("TIC-6: a payment sent again after an update is the same submission, so a new field has no default", async () => {
  const event = await makeTicketedEvent(site.database);
  const buyer = await open();
  const { data: order } = await buyer.hold(event.slug, [{ type: "standard", quantity: 1 }]);
  const { body, key } = await buyer.pay(order);
  const keptByRelease01 = {
    email: "amina@example.com",
    firstName: "Amina",
    lastName: "Raza",
    country: "Australia",
    phone: "",
    address: "",
    postcode: "",
    suburb: "",
    key: order.key,
    method: "cc",
    instrument: body.instrument,
    totalCents: 5000,
    orderId: order.id,
  };
  const { rows } = await site.pool.query(
    "select encode(request_hash, 'hex') as hash from payment_attempts where client_key = $1",
    [key["idempotency-key"]],
  );
  const hash = createHash("sha256").update(JSON.stringify(keptByRelease01)).digest("hex");
  expect(rows, "a page that waits for its outcome would get 409 key_reused").toEqual([{ hash }]);
});
