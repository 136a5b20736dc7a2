import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";
import { insertOrder, insertTicketedEvent } from "#test/ticket-rows.ts";
import { listOrders } from "../../server/staff/list-orders.ts";
import { orderStates } from "../../server/staff/order-filter.ts";
import { readOrderFilter } from "./read-filter.ts";
import { orderColumns } from "./write-orders.ts";

type Browser = Awaited<ReturnType<AdminSite["logIn"]>>;
type Ticket = { id: string; number: string };

let site: AdminSite;
let treasurer: Browser;
let auditor: Browser;
let event: { id: number; slug: string };
let order: { id: string; key: string; reference: string };
let tickets: readonly Ticket[];
let buyer: ReturnType<typeof createBuyer>;
beforeAll(async () => {
  site = await openAdminSite({ LIMITS_TICKET_HOLDS: "1000" });
  treasurer = await site.logIn("treasurer");
  auditor = await site.logIn("auditor");
  event = await makeTicketedEvent(site.services.database);
  buyer = createBuyer(site, await site.visitor());
  order = (await buyer.book(event.slug, [{ type: "standard", quantity: 2 }])).order;
  tickets = (await buyer.find({ ...order })).data.tickets;
  // Seats that nobody tried to pay for.
  await createBuyer(site, await site.visitor()).hold(event.slug, [{ type: "vip", quantity: 1 }]);
});
afterAll(() => site.close());

const textOf = (html: string) => readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");
const list = async (query: Record<string, string>, { get } = treasurer) => {
  const { html } = await get(`/admin/orders?${new URLSearchParams(query)}`);
  return {
    text: textOf(html),
    ids: [...readPage(html).querySelectorAll("tr[data-id]")].map((row) => row.getAttribute("data-id")),
  };
};

test("ORD-1: an order is found by reference, ticket number, provider's id, name, email, event, state and day", async () => {
  const { rows } = await site.pool.query(
    "select order_reference as ours, provider_transaction_id as theirs from payment_attempts where ticket_order_id = $1",
    [order.id],
  );
  const today = new Date().toISOString().slice(0, 4);
  for (const query of [
    {},
    { q: order.reference.toLowerCase() },
    { q: tickets[0]!.number },
    { q: rows[0].theirs },
    { q: rows[0].ours },
    { q: "ami raz" },
    { q: "amina@example" },
    { event: String(event.id) },
    { state: "paid" },
    { from: `${Number(today) - 1}-01-01`, to: `${Number(today) + 2}-01-01` },
  ] as Record<string, string>[]) {
    expect((await list(query)).ids, JSON.stringify(query)).toEqual([order.id]);
  }
  for (const query of [
    { q: "T-AAAA-AAAA-AAAA" },
    { q: "nobody" },
    { state: "cancelled" },
    { state: "partly" },
    { to: "2020-01-01" },
  ]) {
    expect((await list(query as Record<string, string>)).ids, JSON.stringify(query)).toEqual([]);
  }
  const { text } = await list({});
  expect(text).toContain("Valid tickets2");
  expect(text).toContain("$100.00");
});

test("ORD-1: a filter that makes no sense is reported at its field, and the rest applies", async () => {
  const { ids, text } = await list({ from: "2026-02-30", event: "0", state: "sold", q: "amina" });
  expect(ids).toEqual([order.id]);
  for (const told of ["There is no such day", "Choose an event", "Choose a state"]) expect(text).toContain(told);
});

test("ADM-13: a card number is neither searched for nor repeated", async () => {
  const { ids, text } = await list({ q: "4111 1111 1111 1111" });
  expect(ids).toContain(order.id);
  expect(text).toContain("never for a whole card number");
  expect(text).not.toContain("4111 1111 1111 1111");
});

test("ORD-1: pages in both directions skip and repeat nothing, even among orders of the same moment", async () => {
  const crowd = await makeTicketedEvent(site.services.database, { standard: { capacity: 1000 } });
  const at = new Date("2026-03-01T00:00:00Z");
  await site.pool.query(
    `with made as (
       insert into ticket_orders (id, reference, event_id, request_hash, state, hold_until, total_cents, email, first_name,
         last_name, country, created_at)
       select gen_random_uuid(), 'T-0000-0000-' || lpad(place::text, 4, '0'), $1, '', 'lapsed', $2, 5000, 'a@example.com',
              'Ann', 'Lee', 'Australia', $2 from generate_series(1, 60) as place returning id)
     insert into ticket_order_lines (order_id, type_id, quantity, title, price_cents)
     select made.id, type.id, 1, 'Standard Seat', 5000 from made, ticket_types type
      where type.event_id = $1 and type.code = 'standard'`,
    [crowd.id, at],
  );
  const { filter } = readOrderFilter({ event: String(crowd.id) }, [{ id: crowd.id, title: "" }]);
  const seen: string[] = [];
  let page = await listOrders(site.database, { filter, limit: 25 });
  const firstIds = page.rows.map(({ id }) => id);
  seen.push(...firstIds);
  while (page.older !== null) {
    page = await listOrders(site.database, { filter, limit: 25, olderThan: page.older });
    seen.push(...page.rows.map(({ id }) => id));
  }
  expect([seen.length, new Set(seen).size]).toEqual([60, 60]);
  while (page.newer !== null) page = await listOrders(site.database, { filter, limit: 25, newerThan: page.newer });
  expect(page.rows.map(({ id }) => id)).toEqual(firstIds);
});

test("ORD-2: an order's page shows tickets, buyer, payment, what happened and the books, and a person leads to it", async () => {
  const text = textOf((await auditor.get(`/admin/orders/${order.id}`)).html);
  for (const told of [
    tickets[0]!.number,
    "Amina Raza",
    "amina@example.com",
    order.reference,
    "Standard Seat",
    "Paid. PayWay approved the charge",
    "PayWay owes us",
    "Sold as tickets",
    "Debits equal credits",
    "Email: The tickets, for the buyer.",
  ]) {
    expect(text).toContain(told);
  }
  expect(text).toMatch(/Paid, \$\d+\.\d\d, code \w+/);
  expect(text).not.toContain("Send the tickets again");
  const person = readPage((await treasurer.get(`/admin/people/${order.id}`)).html);
  expect(person.querySelector(`a[href="/admin/orders/${order.id}"]`)).not.toBeNull();
  const found = JSON.parse((await treasurer.get(`/admin/find.json?q=${order.reference}`)).html);
  expect(JSON.stringify(found)).toContain(`/admin/orders/${order.id}`);
  expect((await treasurer.get("/admin/orders/00000000-0000-4000-8000-000000000000")).status).toBe(404);
});

test("EVT-7: the page of an order that is not paid shows what a discount code takes off, so that its lines add up", async () => {
  const other = await insertTicketedEvent(site.database);
  const unpaid = { state: "lapsed", paid_at: null, discount_code: "SPRING" } as const;
  const id = await insertOrder(site.database, other, { order: unpaid, vipOffCents: 2000 });
  const page = readPage((await treasurer.get(`/admin/orders/${id}`)).html);
  const rows = [...page.querySelectorAll("section[aria-labelledby=h-tickets] :is(tbody, tfoot) tr")];
  expect(rows.map(({ lastChild }) => lastChild!.textContent)).toEqual(["100.00", "100.00", "-$20.00", "$180.00"]);
  expect(rows[2]!.firstChild!.textContent).toBe("Discount code SPRING");
});

const actsOf = async () => {
  const { rows } = await site.pool.query(
    "select verb, before, after from audit_trail where subject = 'ticket_order' and subject_id = $1 order by id desc limit 1",
    [order.id],
  );
  return rows[0];
};
const post = (act: string, fields: Record<string, string>, browser = treasurer) =>
  browser.post(`/admin/orders/${order.id}/${act}`, fields);

test("ORD-3: tickets are sent again at most three times a day, and only to the address that was shown", async () => {
  const changed = await post("resend", { to: "other@example.com" });
  expect(textOf(changed.html)).toContain("Someone else has changed this order");
  for (let time = 0; time < 3; time += 1) expect((await post("resend", { to: "amina@example.com" })).status).toBe(303);
  expect(textOf((await post("resend", { to: "amina@example.com" })).html)).toContain("three times within a day");
  expect(await actsOf()).toMatchObject({ verb: "order.resend" });
  expect((await post("resend", { to: "amina@example.com" }, auditor)).status).toBe(403);
});

test("ORD-3: another holder's name is on the ticket, and not in the audit trail", async () => {
  const ticket = tickets[1]!.id;
  expect(textOf((await post("holder", { ticket, name: " " })).html)).toContain(
    "Enter the name of the person attending",
  );
  expect((await post("holder", { ticket, name: "Zoë O’Brien" })).status).toBe(303);
  expect(JSON.stringify((await buyer.find(order)).data)).toContain("Zoë O’Brien");
  const act = await actsOf();
  expect(act).toMatchObject({ verb: "order.rename-holder" });
  expect(JSON.stringify(act)).not.toContain("Zoë");
});

test("ORD-3: a corrected address gets the tickets with a link that works, and earlier links end", async () => {
  const was = "amina@example.com";
  expect(textOf((await post("email", { was, email: "not one" })).html)).toContain("email");
  expect((await post("email", { was, email: "amina.raza@example.org" })).status).toBe(303);
  expect(await actsOf()).toMatchObject({
    verb: "order.correct-email",
    before: { email: "a…@example.com" },
    after: { email: "a…@example.org" },
  });
  expect((await buyer.find(order)).code).not.toBe("200");
  expect(textOf((await post("email", { was, email: "third@example.org" })).html)).toContain("Someone else has changed");
});

test("ORD-3: a note is kept with the order", async () => {
  expect((await post("note", { text: "Comes by wheelchair" })).status).toBe(303);
  expect(textOf((await auditor.get(`/admin/orders/${order.id}`)).html)).toContain("“Comes by wheelchair”");
});

test("ORD-5: the export has a documented column for everything, plain amounts, and is recorded with its count", async () => {
  const { status, html, headers } = await treasurer.get(`/admin/orders.csv?event=${event.id}`);
  expect(status).toBe(200);
  expect(headers["content-disposition"]).toContain(`orders_`);
  const [names, row, end] = html.split("\r\n");
  expect(names).toBe(`\ufeff${orderColumns.map(({ name }) => name).join(",")}`);
  expect(row).toMatch(/,Amina,Raza,[^,]+,Paid,2,0,2 × Standard Seat,100\.00,100\.00,0\.00,0\.00,0\.00,AUD,payway,/);
  expect(end).toBe("");
  const { rows } = await site.pool.query(
    "select after from audit_trail where verb = 'orders.export-whole' order by id desc limit 1",
  );
  expect(rows[0].after).toEqual({ orders: 1 });
  expect((await auditor.get("/admin/orders.csv")).status).toBe(403);
  expect((await treasurer.get("/admin/orders.xlsx")).status).toBe(200);
  expect((await treasurer.get("/admin/orders.csv?state=sold")).to).toBe("/admin/orders?state=sold");
  expect(Object.keys(orderStates)).toHaveLength(6);
});
