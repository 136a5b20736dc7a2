import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { dayInSydney } from "#shared/language.ts";
import { expectBooksAgree } from "#test/expect-books.ts";
import { readPage } from "#test/read-page.ts";
import { openRefundSite, type RefundSite } from "#test/refund-site.ts";
import { compareTickets, ticketsAgree } from "#test/ticket-books.ts";
import { countSeats, createBuyer, makeTicketedEvent, settleRefunds } from "#test/ticket-buyer.ts";
import { approveRefund, askForRefund, declineRefund } from "./refund-requests.ts";

let site: RefundSite;
type Person = Awaited<ReturnType<RefundSite["join"]>>;
let amina: Person;
let yusuf: Person;
let peter: Person;
beforeAll(async () => {
  site = await openRefundSite({ LIMITS_TICKET_HOLDS: "1000" });
  amina = await site.join("treasurer");
  yusuf = await site.join("treasurer");
  peter = await site.join("administrator");
});
afterEach(async () => {
  await site.simulator.clearFaults();
  await settleRefunds(site);
  await expectBooksAgree(site);
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
  site.nextDay();
  for (const person of [amina, yusuf, peter]) {
    person.browser = { ...(await site.openBrowser(person.id)), id: person.id, name: person.name };
  }
});
afterAll(() => site.close());

/** An order of one VIP Seat ($100) and two Standard Seats ($50 each). */
async function book() {
  const startsAt = new Date(site.clock.now().getTime() + 100 * 86_400_000);
  const event = await makeTicketedEvent(site.database, { startsAt });
  const buyer = createBuyer(site, await site.visitor());
  const { order } = await buyer.book(event.slug, [
    { type: "vip", quantity: 1 },
    { type: "standard", quantity: 2 },
  ]);
  const { tickets } = (await buyer.find(order)).data as { tickets: { id: string; type: string }[] };
  return { event, buyer, order, tickets: tickets.map(({ id }) => id) };
}

type Wanted = { id: string; amountCents: number; leftCents?: number; tickets?: readonly string[] };

const ask = (person: Person, { id, amountCents, leftCents = 20_000, tickets = [] }: Wanted) =>
  askForRefund(
    site.services,
    { id: randomUUID(), of: { kind: "ticket_order", id }, amountCents, leftCents, tickets, reason: "Fell ill" },
    person.actor,
  );

test("ORD-4: some tickets are cancelled with the refund of their price; the others and an amount alone stay valid", async () => {
  const { event, buyer, order, tickets } = await book();
  const { refund } = await ask(amina, { id: order.id, amountCents: 5000, tickets: [tickets[1]!] });
  expect(refund).toMatchObject({ amount_cents: 5000, requested_by: "staff" });
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 1 }, standard: { sold: 1 } });
  await settleRefunds(site);
  expect((await buyer.find(order)).data).toMatchObject({ state: "paid", refunded: 50 });
  await ask(amina, { id: order.id, amountCents: 1000, leftCents: 15_000 });
  await settleRefunds(site);
  const { data } = await buyer.find(order);
  expect(data).toMatchObject({ state: "paid", refunded: 60 });
  expect(data.tickets.map(({ isCancelled }: { isCancelled: boolean }) => isCancelled)).toEqual([false, true, false]);
  expect(await site.actsOf(order.id)).toEqual([`${amina.name}: refund.make`, `${amina.name}: refund.make`]);
});

test("ORD-4: above the limit tickets stay valid until another person approves, and 12 approvals over two pools cancel them once", async () => {
  const { event, order, tickets } = await book();
  const { requestId, refund } = await ask(amina, { id: order.id, amountCents: 20_000, tickets });
  expect(refund).toBeNull();
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 1 }, standard: { sold: 2 } });
  await expect(ask(yusuf, { id: order.id, amountCents: 5000, tickets: [tickets[1]!] })).rejects.toThrow(
    "of this order is already waiting",
  );
  await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) =>
      approveRefund(index % 2 === 0 ? site.services : site.besides, requestId, [amina, yusuf, peter][index % 3]!.actor),
    ),
  );
  const { rows } = await site.pool.query(
    `select requests.decision, requests.decided_by, refund.amount_cents, orders.state,
            (select count(*)::integer from tickets where order_id = orders.id and refund_id = refund.id) as cancelled
       from refund_requests requests join refunds refund on refund.id = requests.refund_id
       join ticket_orders orders on orders.id = requests.ticket_order_id where orders.id = $1`,
    [order.id],
  );
  expect(rows).toMatchObject([{ decision: "approved", amount_cents: 20_000, state: "cancelled", cancelled: 3 }]);
  expect([yusuf.id, peter.id]).toContain(rows[0].decided_by);
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 0 }, standard: { sold: 0 } });
});

test("ORD-4: a ticket that its buyer cancelled meanwhile is not refunded again; the request can only be declined", async () => {
  const { buyer, order, tickets } = await book();
  const { requestId } = await ask(amina, { id: order.id, amountCents: 20_000, tickets });
  await buyer.cancel(order, [tickets[0]!]);
  await expect(approveRefund(site.services, requestId, yusuf.actor)).rejects.toThrow("Nothing was refunded");
  const { requestId: second } = await ask(yusuf, {
    id: (await book()).order.id,
    amountCents: 20_000,
    tickets: [randomUUID()],
  });
  await expect(approveRefund(site.services, second, amina.actor)).rejects.toThrow("cancelled in the meantime");
  await settleRefunds(site);
  expect((await buyer.find(order)).data).toMatchObject({ state: "paid", refunded: 100 });
});

test("ORD-4: staff and buyer who cancel the same tickets at the same moment refund them once", async () => {
  const { event, buyer, order, tickets } = await book();
  await Promise.allSettled([
    ask(amina, { id: order.id, amountCents: 5000, tickets: [tickets[1]!] }),
    buyer.cancel(order, [tickets[1]!]),
    ask(yusuf, { id: order.id, amountCents: 5000, tickets: [tickets[1]!] }),
    buyer.cancel(order, [tickets[1]!]),
  ]);
  await settleRefunds(site);
  expect((await buyer.find(order)).data).toMatchObject({ state: "paid", refunded: 50 });
  expect(await countSeats(site, event.id)).toMatchObject({ standard: { sold: 1 } });
});

const textOf = (html: string) => readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");
const fieldsOf = (html: string) =>
  Object.fromEntries(
    [...readPage(html).querySelectorAll<HTMLInputElement>("#refund input[type=hidden]")].map(({ name, value }) => [
      name,
      value,
    ]),
  );

test("ORD-4: the form says what happens to money, tickets and buyer, and refunds only the amount on its button", async () => {
  const { order, tickets } = await book();
  const path = `/admin/orders/${order.id}/refund`;
  const first = await amina.browser.get(path);
  expect(first.status).toBe(200);
  expect(textOf(first.html)).toContain("All 3 tickets are cancelled immediately");
  const sent = { ...fieldsOf(first.html), how: "tickets", tickets: [tickets[1]!], reason: "Fell ill" };
  const checked = await amina.browser.post(path, sent);
  expect(textOf(checked.html)).toContain("One ticket is cancelled immediately, and its seat is free again.");
  expect(readPage(checked.html).querySelector(".now button")!.textContent).toBe("Refund $50.00");
  const done = await amina.browser.post(path, { ...sent, ...fieldsOf(checked.html) });
  expect([done.status, done.to]).toEqual([303, expect.stringMatching(/^\/admin\/refunds\//)]);
  const shown = await amina.browser.get(done.to!.split("?")[0]!);
  expect(textOf(shown.html)).toContain(`Of ticket order ${order.reference}`);
  const none = await amina.browser.post(path, { ...fieldsOf((await amina.browser.get(path)).html), how: "tickets" });
  expect(textOf(none.html)).toContain("Please choose tickets.");
  const list = await amina.browser.get("/admin/refunds");
  expect(textOf(list.html)).toContain(order.reference);
});

test("ORD-4: the request's email names a ticket order, and the dashboard counts it", async () => {
  const { order, tickets } = await book();
  await ask(amina, { id: order.id, amountCents: 20_000, tickets });
  expect(textOf((await yusuf.browser.get("/admin")).html)).toMatch(/waiting for a second person/);
  const { rows } = await site.pool.query(
    "select data from pgboss.job where name = 'emails' and data ->> 'template' = 'staff-refund-to-approve'",
  );
  expect(rows.length).toBeGreaterThan(0);
});

test("RFD-9: a refund that waits shows on its ticket order, in the list and on the buyer's page, until it is decided", async () => {
  const { order, tickets } = await book();
  const screens = [`/admin/orders/${order.id}`, `/admin/orders?q=${order.reference}`, `/admin/people/${order.id}`];
  const { requestId } = await ask(amina, { id: order.id, amountCents: 20_000, tickets });
  const linksOn = async (path: string) =>
    [
      ...readPage((await amina.browser.get(path)).html).querySelectorAll(`main a[href="/admin/refunds/${requestId}"]`),
    ].map((link) => link.textContent);
  const [head, move] = await linksOn(screens[0]!);
  expect([head, move]).toEqual(["A refund of $200.00 waits for approval", "A refund of $200.00 waits for approval"]);
  expect(await linksOn(screens[1]!)).toEqual(["To approve"]);
  expect(await linksOn(screens[2]!)).toEqual(["To approve"]);
  await declineRefund(site.services, requestId, { actor: yusuf.actor, reason: "They have the tickets" });
  for (const path of screens) {
    const texts = (await linksOn(path)).join(" ");
    expect(texts).not.toMatch(/waits for approval|To approve/);
  }
});

test("REC-32: a ticket order whose payment the provider does not have is reversed: its tickets are void and its seats free", async () => {
  const { event, buyer, order } = await book();
  const { rows } = await site.pool.query("select * from payment_attempts where ticket_order_id = $1", [order.id]);
  const [payment] = rows;
  await site.pool.query(
    "update payment_attempts set provider_transaction_id = '9123456789', order_reference = 'P-LOST' where id = $1",
    [payment.id],
  );
  await site.simulator.actExternally({ do: "void", transactionId: payment.provider_transaction_id });
  await site.services.reconciliation.run(dayInSydney(site.clock.now()));
  const wanted = { of: { kind: "ticket_order", id: order.id }, amountCents: 20_000, leftCents: 20_000 } as const;
  const facts = { ...wanted, id: randomUUID(), tickets: [], reason: "PayWay does not have it", isReversal: true };
  const { requestId, refund } = await askForRefund(site.services, facts, amina.actor);
  expect(refund).toBeNull();
  const approved = await approveRefund(site.services, requestId, yusuf.actor);
  expect(approved.refund).toMatchObject({ kind: "reversal", state: "succeeded", amount_cents: 20_000 });
  expect(await countSeats(site, event.id)).toMatchObject({ vip: { sold: 0 }, standard: { sold: 0 } });
  expect((await buyer.find(order)).data).toMatchObject({ refunded: 200 });
  expect(await site.actsOf(order.id)).toEqual([
    `${amina.name}: refund.request-reversal`,
    `${yusuf.name}: refund.approve`,
  ]);
  await site.services.reconciliation.run(dayInSydney(site.clock.now()));
  const open = await site.pool.query("select kind from reconciliation_findings where resolved_at is null");
  expect(open.rows).toEqual([]);
});
