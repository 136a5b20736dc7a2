import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyRetention } from "#shared/retention/retention.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { compareTickets, ticketsAgree } from "#test/ticket-books.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";
import { ticketHoldings } from "../../server/retention.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ LIMITS_TICKET_HOLDS: "1000" });
});
afterAll(() => site.close());

/** An event with 'vip' at $100 and 'standard' at $50, and an events manager on its screen. */
async function open() {
  const event = await makeTicketedEvent(site.database);
  const sana = await site.logIn("events");
  await sana.get("/admin/events");
  const { rows } = await site.pool.query("select id from content_items where kind = 'events' and live_key = $1::text", [
    event.id,
  ]);
  const types = await site.pool.query("select id, code, capacity from ticket_types where event_id = $1", [event.id]);
  const fieldOf = Object.fromEntries(types.rows.map(({ id, code }) => [code, `type-${id}`]));
  const capacityOf = Object.fromEntries(types.rows.map(({ code, capacity }) => [code, capacity]));
  return {
    event,
    sana,
    path: `/admin/events/${rows[0].id}/give`,
    screen: `/admin/events/${rows[0].id}`,
    fieldOf,
    capacityOf,
  };
}

const person = { first_name: "Noor", last_name: "Ali", email: "noor@example.com" };
const form = (changes: Record<string, string>) => ({ form: randomUUID(), kind: "given", ...person, ...changes });

const ordersOf = async (eventId: number) =>
  (
    await site.pool.query(
      `select id, state, paid_by, total_cents, taken_cents, email,
              (select count(*)::integer from tickets where order_id = ticket_orders.id) as tickets
         from ticket_orders where event_id = $1 order by created_at`,
      [eventId],
    )
  ).rows;

test("EVT-16: complimentary tickets take seats, are emailed to their holder, and are named in the report and the audit trail", async () => {
  const { event, sana, path, screen, fieldOf } = await open();
  const sent = form({ [fieldOf.vip!]: "2" });
  const done = await sana.post(path, sent);
  expect([done.status, done.to]).toEqual([303, path]);
  const [order, ...others] = await ordersOf(event.id);
  expect(others).toEqual([]);
  expect(order).toMatchObject({ state: "paid", paid_by: "staff", total_cents: 0, taken_cents: 0, tickets: 2 });
  const emails = await site.pool.query("select data from pgboss.job where data->>'orderId' = $1", [order.id]);
  expect(emails.rows.map(({ data }) => data.template)).toEqual(["tickets"]);
  expect(readPage((await sana.get(path)).html).querySelector("tbody tr")?.textContent).toMatch(
    /Noor Ali.*2 tickets.*Given/,
  );
  expect((await sana.get(`${screen}/report`)).html).toContain("2 of these tickets were given.");
  const acts = await site.pool.query("select after from audit_trail where verb = 'events.give_tickets'");
  expect(acts.rows.at(-1)!.after).toMatchObject({ tickets: 2, takenCents: 0 });
  const again = await sana.post(path, sent);
  expect([again.status, again.html.includes("This form was sent before")]).toEqual([409, true]);
  expect(await ordersOf(event.id)).toHaveLength(1);
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
});

test("EVT-16: tickets that are paid at the door cost what their types cost; nothing of it is in the providers’ books", async () => {
  const { event, sana, path, screen, fieldOf } = await open();
  await sana.post(path, form({ kind: "door", email: "", [fieldOf.vip!]: "1", [fieldOf.standard!]: "2" }));
  const [order] = await ordersOf(event.id);
  expect(order).toMatchObject({ total_cents: 0, taken_cents: 20_000, tickets: 3, email: "" });
  expect((await site.pool.query("select 1 from pgboss.job where data->>'orderId' = $1", [order.id])).rows).toEqual([]);
  expect((await sana.get(`${screen}/report`)).html).toContain("$200.00 was taken at the door");
  const treasurer = await site.logIn("treasurer");
  expect((await treasurer.get(`/admin/orders/${order.id}`)).html).toContain("$200.00 taken at the door");
  const cells = readPage((await treasurer.get(`/admin/orders/${order.id}`)).html).querySelectorAll("tfoot td");
  expect([...cells].map(({ textContent }) => textContent)).toEqual(["$200.00"]);
  expect((await sana.get(`${screen}/call-off`)).html).toContain(
    "$200.00 was taken at the door: give it back yourselves.",
  );
});

test("EVT-16: never more than there are seats, beside buyers too; what was typed stays, and the message says how many are left", async () => {
  const { event, sana, path, fieldOf, capacityOf } = await open();
  const buyer = createBuyer(site, await site.visitor());
  await buyer.hold(event.slug, [{ type: "vip", quantity: 3 }]);
  const left = capacityOf.vip - 3;
  const refused = await sana.post(path, form({ [fieldOf.vip!]: String(left + 1), last_name: "Kept" }));
  expect(refused.status).toBe(422);
  const page = readPage(refused.html);
  expect(page.querySelector(`#give-${fieldOf.vip}-error`)?.textContent).toMatch(new RegExp(`\\b${left}\\b`));
  expect(page.querySelector<HTMLInputElement>("#give-last_name")?.value).toBe("Kept");
  const both = await Promise.all([1, 2].map(() => sana.post(path, form({ [fieldOf.vip!]: String(left) }))));
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 422]);
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
});

test("EVT-16: a gift needs an address, some tickets and the right; nothing is booked for an event that is over, and the screen says why", async () => {
  const { event, sana, path, fieldOf } = await open();
  const faultOf = async (changes: Record<string, string>) => {
    const { status, html } = await sana.post(path, form(changes));
    return [status, readPage(html).querySelector(".err")?.textContent];
  };
  expect(await faultOf({ [fieldOf.vip!]: "1", email: "" })).toEqual([
    422,
    "Enter their email address: the tickets go there.",
  ]);
  expect(await faultOf({})).toEqual([422, "Enter how many tickets."]);
  expect(await faultOf({ [fieldOf.vip!]: "many" })).toEqual([422, "Enter a whole number from 0 to 200."]);
  const auditor = await site.logIn("auditor");
  expect((await auditor.post(path, form({ [fieldOf.vip!]: "1" }))).status).toBe(403);
  const toldIn = async (browser: typeof sana) => {
    const page = readPage((await browser.get(path)).html);
    return [".empty h2", "form#give", ".hint"].map((part) => page.querySelector(`main ${part}`)?.textContent ?? null);
  };
  expect(await toldIn(auditor)).toEqual(["Staff gave and sold no tickets", null, null]);
  await site.pool.query(
    "update events set starts_at = now() - interval '2 days', ends_at = now() - interval '1 day' where id = $1",
    [event.id],
  );
  expect((await sana.post(path, form({ [fieldOf.vip!]: "1" }))).html).toContain("This event is over");
  expect(await toldIn(sana)).toEqual([
    "Staff gave and sold no tickets",
    null,
    "The event is over: no more tickets can be given or sold.",
  ]);
  expect(await ordersOf(event.id)).toEqual([]);
});

test("EVT-16, ORD-1: the list of orders and the buyer's page show what was taken at the door, and add it up as the report does", async () => {
  const { event, sana, path, screen, fieldOf } = await open();
  await createBuyer(site, await site.visitor()).book(event.slug, [{ type: "standard", quantity: 1 }]);
  await sana.post(path, form({ kind: "door", [fieldOf.vip!]: "1" }));
  await sana.post(path, form({ kind: "given", [fieldOf.vip!]: "1" }));
  const treasurer = await site.logIn("treasurer");
  const page = readPage((await treasurer.get(`/admin/orders?event=${event.id}`)).html);
  const amounts = [...page.querySelectorAll("tbody .v-c")].map(({ textContent }) => textContent);
  expect(amounts).toEqual(["$0.00", "$100.00 taken at the door", "$50.00"]);
  const figures = [...page.querySelectorAll("#sums > div")].map(({ textContent }) => textContent);
  expect(figures.slice(2)).toEqual(["Paid$50.00", "Refunded$0.00", "Kept$50.00", "Taken at the door$100.00"]);
  expect((await sana.get(`${screen}/report`)).html).toContain("$100.00 was taken at the door");
  const [, sold] = await ordersOf(event.id);
  const table = readPage((await treasurer.get(`/admin/people/${sold.id}`)).html).querySelector(
    "[aria-labelledby=tickets]",
  )!;
  const head = readPage((await treasurer.get(`/admin/orders/${sold.id}`)).html).querySelector("main h1 .amt")!;
  expect(head.textContent).toBe("$100.00");
  const row = [...table.querySelectorAll("tbody tr")].find(({ textContent }) => textContent!.includes("at the door"))!;
  expect(row.textContent).toContain("$100.00 taken at the door");
  expect(row.querySelector(".v-c")!.textContent).toBe("$100.00");
});

test("EVT-16, ORD-2: who pays at the door without an email is named on the order, and a ticket gets another name", async () => {
  const { event, sana, path, fieldOf } = await open();
  await sana.post(path, form({ kind: "door", email: "", [fieldOf.vip!]: "1" }));
  const [{ id }] = await ordersOf(event.id);
  const treasurer = await site.logIn("treasurer");
  const page = readPage((await treasurer.get(`/admin/orders/${id}`)).html);
  expect(page.querySelector("[aria-labelledby=h-buyer]")!.textContent).toMatch(/NameNoor Ali/);
  const ticket = page.querySelector<HTMLInputElement>("input[name=ticket]")!.value;
  expect((await treasurer.post(`/admin/orders/${id}/holder`, { ticket, name: "Zoë Ali" })).status).toBe(303);
  const { rows } = await site.pool.query("select holder_name from tickets where order_id = $1", [id]);
  expect(rows).toEqual([{ holder_name: "Zoë Ali" }]);
});

test("EVT-16: if a type was taken off sale since the form was opened, nothing is booked", async () => {
  const { event, sana, path, fieldOf } = await open();
  await site.pool.query("update ticket_types set retired_at = now() where event_id = $1 and code = 'vip'", [event.id]);
  const sent = await sana.post(path, form({ [fieldOf.vip!]: "1", [fieldOf.standard!]: "2" }));
  expect([sent.status, sent.html.includes("off sale in the meantime")]).toEqual([409, true]);
  expect(await ordersOf(event.id)).toEqual([]);
  // What was left empty changes nothing.
  expect((await sana.post(path, form({ [fieldOf.vip!]: " ", [fieldOf.standard!]: "2" }))).status).toBe(303);
});

test("SEC-9, EVT-16: a year after the event the names of those who paid at the door are erased, also without an email", async () => {
  const { event, sana, path, fieldOf } = await open();
  await sana.post(path, form({ kind: "door", email: "", [fieldOf.vip!]: "1" }));
  const names = async () =>
    (
      await site.pool.query(
        "select first_name, last_name, holder_name from ticket_orders o join tickets on order_id = o.id where event_id = $1",
        [event.id],
      )
    ).rows;
  expect(await names()).toEqual([{ first_name: "Noor", last_name: "Ali", holder_name: "Noor Ali" }]);
  await site.pool.query(
    "update events set starts_at = now() - interval '400 days', ends_at = now() - interval '399 days' where id = $1",
    [event.id],
  );
  await applyRetention(site.services, ticketHoldings.rules);
  expect(await names()).toEqual([{ first_name: "", last_name: "", holder_name: "" }]);
  const [{ id }] = await ordersOf(event.id);
  const treasurer = await site.logIn("treasurer");
  expect((await treasurer.get(`/admin/orders/${id}`)).html).toContain("The buyer’s personal data has been erased.");
});
