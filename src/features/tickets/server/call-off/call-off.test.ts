import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { findEvent } from "#shared/events/find-event.ts";
import type { JobData } from "#shared/jobs/queues.ts";
import { type Person, planEvent } from "#test/called-off-event.ts";
import { expectBooksAgree } from "#test/expect-books.ts";
import { longTest } from "#test/long-test.ts";
import { openRefundSite, type RefundSite } from "#test/refund-site.ts";
import { compareTickets, ticketsAgree } from "#test/ticket-books.ts";
import { countSeats, type HeldOrder, settleRefunds } from "#test/ticket-buyer.ts";
import { ticketReads } from "../ticket-reads.ts";
import { withdrawCallOff } from "./call-off-requests.ts";
import { continueCallOffs, retryCalledOffRefund } from "./continue-call-offs.ts";

let site: RefundSite;
let sana: Person;
let amina: Person;
let yusuf: Person;
let peter: Person;
beforeAll(async () => {
  site = await openRefundSite({ LIMITS_TICKET_HOLDS: "1000", LIMITS_DECLINES: "1000" });
  sana = await site.join("events");
  amina = await site.join("treasurer");
  yusuf = await site.join("treasurer");
  peter = await site.join("administrator");
});
afterEach(async () => {
  await site.simulator.clearFaults();
  await site.settleOpen();
  await run();
  await settleRefunds(site);
  await expectBooksAgree(site);
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
  sana.browser = { ...(await site.openBrowser(sana.id)), id: sana.id, name: sana.name };
});
afterAll(() => site.close());

const run = (services: Parameters<typeof continueCallOffs>[0] = site.services) => continueCallOffs(services);
const vip = [{ type: "vip", quantity: 1 }];
const stateOf = async (slug: string) =>
  (await site.app.inject(`/api/ticket-event?event=${slug}`)).json().data.state as string;
/** What the event's page offers. */
const bookingOf = async (slug: string) =>
  ticketReads(site.services).findBooking!((await findEvent(site.database, slug, site.clock.now()))!);
const requestsOf = async (eventId: number) =>
  (await site.pool.query("select * from call_off_requests where event_id = $1 order by requested_at", [eventId])).rows;

test("EVT-9: while it waits for approval no seats are held, paid for or booked, and nothing is cancelled; declined, sales go on", async () => {
  const event = await planEvent(site, sana, { standard: { price_cents: 0 } });
  const [paid, holding, free] = [await event.buyer(), await event.buyer(), await event.buyer()];
  const { order } = await paid.book(event.slug, vip);
  const { data: held } = await holding.hold(event.slug, vip);
  const { data: freeHeld } = await free.hold(event.slug, [{ type: "standard", quantity: 1 }]);
  const requestId = await event.ask(sana);
  const stopped = { code: "409", error: "sales_stopped" };
  expect(await (await event.buyer()).hold(event.slug, vip)).toMatchObject(stopped);
  expect((await holding.pay(held)).answer).toMatchObject({ ...stopped, money: "untouched" });
  expect(await free.bookFree(freeHeld)).toMatchObject(stopped);
  expect(await stateOf(event.slug)).toBe("stopped");
  expect(await bookingOf(event.slug)).toMatchObject({ isStopped: true });
  await run();
  expect((await paid.find(order)).data).toMatchObject({ state: "paid", event: { isCalledOff: false } });
  await event.decline(requestId, amina);
  expect(await stateOf(event.slug)).toBe("on_sale");
  expect(await bookingOf(event.slug)).toMatchObject({ isStopped: false });
  expect((await holding.pay(held)).answer.code).toBe("200");
  expect((await free.bookFree(freeHeld)).code).toBe("200");
  // Somebody can ask again, and withdraw it.
  const second = await event.ask(sana);
  await withdrawCallOff(site.services, { id: second, event: event.event }, sana.actor);
  expect((await (await event.buyer()).hold(event.slug, vip)).code).toBe("200");
});

test("EVT-9: nobody approves their own request, or without the right to make refunds, or for somebody who lost theirs", async () => {
  const event = await planEvent(site, sana);
  const asked = await event.ask(peter);
  await expect(event.approve(asked, peter)).rejects.toThrow("someone else has to approve it");
  await expect(event.decline(asked, peter)).rejects.toThrow("someone else decides");
  await expect(event.approve(asked, sana)).rejects.toThrow("Only somebody who may make refunds");
  await expect(
    site.pool.query(
      "update call_off_requests set decision = 'approved', decided_by = requested_by, decided_at = now() where id = $1",
      [asked],
    ),
  ).rejects.toThrow("call_off_requests_two_people");
  await expect(event.ask(sana)).rejects.toThrow("Somebody has asked to call off this event in the meantime.");
  const setRoles = (roles: string) =>
    site.pool.query("update staff set roles = $2::text[] where id = $1", [peter.id, roles]);
  await setRoles("{auditor}");
  await expect(event.approve(asked, amina)).rejects.toThrow("may no longer plan events");
  await setRoles("{administrator}");
  await expect(site.pool.query("update call_off_requests set reason = 'x' where id = $1", [asked])).rejects.toThrow(
    "append only",
  );
  await event.approve(asked, amina);
  // Again changes nothing.
  await event.approve(asked, amina);
  await expect(event.approve(asked, yusuf)).rejects.toThrow("approved already");
  await expect(event.ask(sana)).rejects.toThrow("in the meantime");
});

/** Three people approve and decline at the same moment, in two processes. */
async function decideTogether() {
  const event = await planEvent(site, sana);
  const buyer = await event.buyer();
  await buyer.book(event.slug, vip);
  const asked = await event.ask(sana);
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => {
      const person = [amina, yusuf, peter][index % 3]!;
      const services = index % 2 === 0 ? site.services : site.besides;
      return index % 4 < 2 ? event.approve(asked, person, services) : event.decline(asked, person, services);
    }),
  );
  const [request] = await requestsOf(event.id);
  const { rows } = await site.pool.query("select called_off_at from events where id = $1", [event.id]);
  expect(rows[0].called_off_at !== null).toBe(request.decision === "approved");
  // Repeating one's own approval is allowed.
  const done = results.filter(({ status }) => status === "fulfilled").length;
  expect(done).toBeGreaterThanOrEqual(1);
  const acts = await site.pool.query(
    "select verb, staff_id from audit_trail where subject = 'events' and subject_id = $1 and verb ~ '^events.(approve|decline)_call_off$'",
    [String(event.event.screenId)],
  );
  expect(acts.rows).toEqual([
    {
      verb: request.decision === "approved" ? "events.approve_call_off" : "events.decline_call_off",
      staff_id: request.decided_by,
    },
  ]);
  await Promise.all([run(), run(site.besides)]);
  expect(await event.listOrders()).toMatchObject([
    request.decision === "approved"
      ? { state: "cancelled", refunds: 1, emails: 1, valid: 0 }
      : { state: "paid", refunds: 0, emails: 0, valid: 1 },
  ]);
  return request.decision as string;
}

test("EVT-9: of approvals and refusals at the same moment, in two processes, one counts", async () => {
  expect(["approved", "declined"]).toContain(await decideTogether());
});

longTest("EVT-9: the same, twenty times", async () => {
  for (let round = 0; round < 20; round += 1) await decideTogether();
});

test("EVT-10: every order is refunded in full once, by card and PayPal, also the rest of one that was partly refunded; free ones are cancelled", async () => {
  const event = await planEvent(site, sana, { standard: { price_cents: 0 } });
  const [byCard, byPayPal, partly, free, gone] = await Promise.all(Array.from({ length: 5 }, () => event.buyer()));
  const orders: HeldOrder[] = [];
  for (const [buyer, payPal] of [
    [byCard, false],
    [byPayPal, true],
    [partly, false],
    [gone, false],
  ] as const) {
    const { data } = await buyer!.hold(event.slug, [{ type: "vip", quantity: 2 }]);
    await buyer!.pay(data, { payPal });
    orders.push(data);
  }
  const ticketsOf = async (buyer: typeof partly, order: HeldOrder) =>
    ((await buyer!.find(order)).data.tickets as { id: string }[]).map(({ id }) => id);
  await partly!.cancel(orders[2]!, [(await ticketsOf(partly, orders[2]!))[0]!]);
  await gone!.cancel(orders[3]!, await ticketsOf(gone, orders[3]!));
  await settleRefunds(site);
  const { data: freeOrder } = await free!.hold(event.slug, [{ type: "standard", quantity: 3 }]);
  await free!.bookFree(freeOrder);
  await event.approve(await event.ask(sana), amina);
  await Promise.all([run(), run(site.besides), run()]);
  await run();
  await settleRefunds(site);
  expect(await event.listOrders()).toMatchObject([
    { state: "cancelled", isCalledOff: true, refunds: 1, cents: 20_000, emails: 1, valid: 0 },
    { state: "cancelled", isCalledOff: true, refunds: 1, cents: 20_000, emails: 1, valid: 0 },
    { state: "cancelled", isCalledOff: true, refunds: 1, cents: 20_000, emails: 1, valid: 0 },
    // Its buyer had cancelled all of it before.
    { state: "cancelled", isCalledOff: false, refunds: 0, cents: 20_000, emails: 0, valid: 0 },
    { state: "cancelled", isCalledOff: true, refunds: 0, cents: 0, emails: 1, valid: 0 },
  ]);
  expect((await requestsOf(event.id))[0].finished_at).not.toBeNull();
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 0 }, standard: { sold: 0 } });
});

test("EVT-10: a run that ends after any order goes on there, and an order that fails holds up no other", async () => {
  const event = await planEvent(site, sana);
  for (let count = 0; count < 5; count += 1) await (await event.buyer()).book(event.slug, vip);
  await event.approve(await event.ask(sana), amina);
  let sent = 0;
  const { jobs } = site.services;
  const dying = (until: number) => ({
    ...site.services,
    jobs: {
      ...jobs,
      send: (async (...job: Parameters<typeof jobs.send>) => {
        sent += 1;
        if (sent > until) throw new Error("killed");
        return jobs.send(...job);
      }) as typeof jobs.send,
    },
  });
  await expect(run(dying(2))).rejects.toThrow("failed for 1 of 1");
  const states = (await event.listOrders()).map(({ state }) => state).sort();
  expect(states).toEqual(["cancelled", "cancelled", "paid", "paid", "paid"]);
  expect((await requestsOf(event.id))[0].finished_at).toBeNull();
  sent = -1;
  await expect(run(dying(0))).rejects.toThrow();
  await Promise.all([run(), run(site.besides)]);
  await settleRefunds(site);
  for (const order of await event.listOrders()) {
    expect(order).toMatchObject({ state: "cancelled", refunds: 1, cents: 10_000, emails: 1, valid: 0 });
  }
  expect((await requestsOf(event.id))[0].finished_at).not.toBeNull();
});

/** Pays, and loses the answer although the bank has charged: only its books show the payment. */
async function payIntoTheDark(event: Awaited<ReturnType<typeof planEvent>>) {
  const buyer = await event.buyer();
  const { data: order } = await buyer.hold(event.slug, vip);
  await site.simulator.installFault({ match: {}, do: "error_500_after", times: 1 });
  const { answer } = await buyer.pay(order);
  expect(answer).toMatchObject({ code: "202", data: { state: "processing" } });
  return { buyer, order };
}

test.each(["before the approval", "after it"])(
  "EVT-10: a payment that is not known yet and turns out to be charged %s is refunded too",
  async (when) => {
    const event = await planEvent(site, sana);
    const { buyer, order } = await payIntoTheDark(event);
    const asked = await event.ask(sana);
    if (when === "before the approval") await site.settleOpen();
    await event.approve(asked, amina);
    await run();
    await site.settleOpen();
    await run();
    await settleRefunds(site);
    const { data } = await buyer.find(order);
    expect(data).toMatchObject({ refunded: 100, event: { isCalledOff: true } });
    const cancelled = data.tickets.map(({ isCancelled }: { isCancelled: boolean }) => isCancelled);
    // Afterwards none is issued.
    expect(cancelled).toEqual(when === "before the approval" ? [true] : []);
    expect((await event.listOrders())[0]).toMatchObject({ isCalledOff: true, cents: 10_000, valid: 0 });
    expect((await requestsOf(event.id))[0].finished_at).not.toBeNull();
  },
);

async function buyWhileCalledOff(buyers: number) {
  const event = await planEvent(site, sana);
  const holding = await Promise.all(
    Array.from({ length: buyers }, async (_, index) => {
      const buyer = await event.buyer(`198.51.100.${index + 1}`);
      return { buyer, order: (await buyer.hold(event.slug, vip)).data as HeldOrder };
    }),
  );
  const newcomers = await Promise.all(
    Array.from({ length: buyers }, (_, index) => event.buyer(`203.0.113.${index + 100}`)),
  );
  const callOff = async () => {
    await event.approve(await event.ask(sana), amina);
    await Promise.all([run(), run(site.besides)]);
  };
  await Promise.allSettled([
    ...holding.map(({ buyer, order }) => buyer.pay(order)),
    callOff(),
    ...newcomers.map((buyer) => buyer.book(event.slug, vip)),
  ]);
  await site.settleOpen();
  await run();
  await settleRefunds(site);
  for (const order of await event.listOrders()) {
    expect(["held", "lapsed", "cancelled", "refunded"]).toContain(order.state);
    expect(order.valid).toBe(0);
    if (order.state === "cancelled") expect(order).toMatchObject({ cents: 10_000, refunds: 1, emails: 1 });
    if (order.state === "refunded") expect(order).toMatchObject({ cents: 10_000, isCalledOff: true });
  }
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 0 } });
  expect((await requestsOf(event.id))[0].finished_at).not.toBeNull();
}

test("EVT-10: whoever holds seats or pays while the event is called off keeps no ticket, and gets every cent back", async () => {
  await buyWhileCalledOff(3);
});

longTest("EVT-10: the same with eight buyers and eight newcomers, five times", async () => {
  for (let round = 0; round < 5; round += 1) await buyWhileCalledOff(8);
});

/** The emails of all jobs that the outbox has for an order's buyer, and removes the jobs. */
async function readEmails() {
  const templates = ["tickets-refund", "tickets-cancelled", "tickets-refused", "event-called-off"];
  await site.pool.query("truncate mailbox_messages");
  const { rows } = await site.pool.query(
    "delete from pgboss.job where name = 'emails' and data ->> 'template' = any($1) returning data, created_on",
    [templates],
  );
  for (const { data } of rows) await sendEmails(site.services)(data as JobData["emails"]);
  return (await site.pool.query("select subject, text_body, html_body, recipient from mailbox_messages order by id"))
    .rows;
}

test("EVT-11: each buyer gets one email, which says what is refunded, when to expect it, and why", async () => {
  await site.pool.query("delete from pgboss.job where name = 'emails'");
  const event = await planEvent(site, sana, { standard: { price_cents: 0 } });
  const [buyer, free] = [await event.buyer(), await event.buyer()];
  await buyer.book(event.slug, [{ type: "vip", quantity: 2 }]);
  const { data } = await free.hold(event.slug, [{ type: "standard", quantity: 1 }]);
  await free.bookFree(data);
  await event.approve(await event.ask(sana, "The <storm> damaged the hall."), amina);
  await run();
  const emails = await readEmails();
  expect(emails.map(({ subject }) => subject)).toEqual(Array(2).fill("Charity dinner has been called off"));
  const texts = emails.map(({ text_body }) => text_body as string);
  for (const told of [
    "We are refunding the whole $200.00 that you paid for your order T-",
    "Most banks show it within five to ten business days.",
    "The <storm> damaged the hall.",
    "Tickets for it are no longer valid.",
    "It was planned for: ",
    "cost nothing, so there is nothing to refund.",
  ])
    expect(texts.join("\n"), told).toContain(told);
  expect(emails[0].html_body).toContain("The &lt;storm&gt; damaged the hall.");
  await settleRefunds(site);
  // No second one when the refund is paid.
  expect(await readEmails()).toEqual([]);
});

test.each(["a published event", "a draft"])(
  "EVT-11: calling off %s changes nothing of what staff wrote",
  async (what) => {
    const event = await planEvent(site, sana);
    if (what === "a draft") {
      await site.pool.query("update events set state = 'draft' where id = $1", [event.id]);
      await sana.browser.get("/admin/events");
      await site.pool.query(
        "update content_items set is_planned = true, published_version = null where kind = 'events' and live_key = $1",
        [String(event.id)],
      );
    }
    const read = async () => {
      await sana.browser.get("/admin/events");
      await sana.browser.get(`/admin/events/${event.event.screenId}`);
      const { rows } = await site.pool.query(
        `select item.*, (select count(*) from content_versions where item_id = item.id) as versions
         from content_items item where kind = 'events' and live_key = $1`,
        [String(event.id)],
      );
      return rows;
    };
    const before = await read();
    expect(before).toHaveLength(1);
    await event.approve(await event.ask(sana), amina);
    expect(await read()).toEqual(before);
  },
);

test("EVT-11: whoever pays for an event that has been called off gets the same email, once", async () => {
  const event = await planEvent(site, sana);
  const dark = await payIntoTheDark(event);
  await event.approve(await event.ask(sana), amina);
  await run();
  await site.settleOpen();
  const late = await readEmails();
  expect(late).toMatchObject([{ subject: "Charity dinner has been called off" }]);
  expect(late[0].text_body).toContain("the whole $100.00");
  await settleRefunds(site);
  expect(await readEmails()).toEqual([]);
  expect((await dark.buyer.find(dark.order)).data).toMatchObject({ state: "refunded", refunded: 100 });
});

test("EVT-12: a refund that the provider refuses is listed until it is made, and a retry pays it once", async () => {
  const event = await planEvent(site, sana);
  const [one, other] = [await event.buyer(), await event.buyer()];
  const { order } = await one.book(event.slug, vip);
  await other.book(event.slug, vip);
  await event.approve(await event.ask(sana), amina);
  await run();
  await site.pool.query(
    `update refunds set state = 'failed', next_check_at = null, provider_status = 'the card is closed'
      where attempt_id in (select id from payment_attempts where ticket_order_id = $1)`,
    [order.id],
  );
  await settleRefunds(site);
  expect((await event.listOrders()).map(({ cents }) => cents)).toEqual([0, 10_000]);
  const retry = (services = site.services) =>
    retryCalledOffRefund(services, { orderId: order.id, eventId: event.id }, amina.actor);
  const results = await Promise.allSettled([retry(), retry(site.besides), retry()]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await settleRefunds(site);
  expect((await event.listOrders())[0]).toMatchObject({ cents: 10_000, refunds: 2 });
  await expect(retry()).rejects.toThrow("Nothing more was refunded.");
  const elsewhere = await planEvent(site, sana);
  await expect(
    retryCalledOffRefund(site.services, { orderId: order.id, eventId: elsewhere.id }, amina.actor),
  ).rejects.toThrow();
});
