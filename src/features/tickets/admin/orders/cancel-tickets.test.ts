import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import type { JobData } from "#shared/jobs/queues.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { compareTickets, ticketsAgree } from "#test/ticket-books.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";
import { addPhone, pairPhone } from "../../server/door/door-phones.ts";
import { syncDoor } from "../../server/door/sync-door.ts";
import { offerFreeSeats } from "../../server/waiting/offer-seats.ts";
import { ticketNumber } from "../../ticket-token.ts";
import { requireEvent } from "../ticket-services.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ LIMITS_TICKET_HOLDS: "1000" });
});
afterAll(() => site.close());

const textOf = (html: string) => readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");

/** An event whose two VIP seats at $100 and two of its standard ones at $50 an events manager has booked in one order. */
async function book(changes: Record<string, string> = {}) {
  const event = await makeTicketedEvent(site.database, { vip: { capacity: 2 } });
  const sana = await site.logIn("events");
  await sana.get("/admin/events");
  const { rows } = await site.pool.query("select id from content_items where kind = 'events' and live_key = $1::text", [
    event.id,
  ]);
  const screen = `/admin/events/${rows[0].id}`;
  const types = await site.pool.query("select id from ticket_types where event_id = $1 order by position", [event.id]);
  const [vip, standard] = types.rows.map(({ id }) => `type-${id}`) as [string, string];
  const person = { first_name: "Noor", last_name: "Ali", email: "noor@example.com" };
  const form = { form: randomUUID(), kind: "door", ...person, [vip]: "2", [standard]: "2", ...changes };
  expect((await sana.post(`${screen}/give`, form)).status).toBe(303);
  const { rows: orders } = await site.pool.query("select id from ticket_orders where event_id = $1", [event.id]);
  const path = `/admin/orders/${orders[0].id}`;
  const listTickets = async () => {
    const tickets = await site.pool.query("select * from tickets where order_id = $1 order by position", [
      orders[0].id,
    ]);
    return tickets.rows as { id: string; serial: Buffer; cancelled_at: Date | null }[];
  };
  const tickets = await listTickets();
  return {
    event,
    sana,
    screen,
    path,
    typeId: types.rows[0].id as number,
    order: orders[0].id as string,
    ids: tickets.map(({ id }) => id),
    numbers: tickets.map(({ serial }) => ticketNumber(serial)),
    serials: tickets.map(({ serial }) => serial.toString("hex")),
    open: async (address = `${path}?act=cancel`) => readPage((await sana.get(address)).html),
    send: (step: "check" | "cancel", ids: readonly string[], browser = sana) =>
      browser.post(`${path}/cancel-tickets`, { step, tickets: ids }),
    countCancelled: async () => (await listTickets()).filter(({ cancelled_at }) => cancelled_at !== null).length,
  };
}

/** Sends the emails of an order that wait, and returns those about what staff cancelled. */
async function readEmails(orderId: string) {
  await site.pool.query("truncate mailbox_messages");
  const { rows } = await site.pool.query(
    `delete from pgboss.job where name = 'emails' and data ->> 'template' = 'tickets-cancelled-by-staff'
       and data ->> 'orderId' = $1 returning data`,
    [orderId],
  );
  for (const { data } of rows) await sendEmails(site.services)(data as JobData["emails"]);
  return (await site.pool.query("select recipient, subject, text_body from mailbox_messages")).rows;
}

test("ORD-6: staff tick tickets sold at the door, read what happens, and confirm; seats, books, history and trail agree", async () => {
  const { path, order, sana, ids, numbers, open, send, countCancelled } = await book();
  const boxes = [...(await open()).querySelectorAll<HTMLInputElement>("#cancel input[name=tickets]")];
  expect(boxes.map(({ value }) => value)).toEqual(ids);
  expect(boxes[0]!.closest("label")!.textContent).toContain("$100.00, taken at the door");
  const checked = await send("check", [ids[0]!, ids[2]!]);
  expect([checked.status, await countCancelled()]).toEqual([200, 0]);
  const shown = textOf(checked.html);
  for (const told of [
    "Nothing is cancelled yet.",
    `VIP Seat, ${numbers[0]}, Noor Ali`,
    "These tickets are no longer valid.",
    "Their seats can be sold again.",
    "$150.00 was taken for them at the door: give it back yourselves.",
    "noor@example.com gets an email about it.",
    "Cancel 2 tickets",
  ]) {
    expect(shown).toContain(told);
  }
  const done = await send("cancel", [ids[0]!, ids[2]!]);
  expect([done.status, done.to]).toEqual([303, path]);
  expect(await countCancelled()).toBe(2);
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
  const page = await open(path);
  expect(page.querySelector("main")!.textContent).toContain("Partly cancelled");
  expect(page.querySelector("main")!.textContent!.replace(/\s+/g, " ")).toContain(
    `${sana.name} cancelled tickets ${numbers[0]} and ${numbers[2]}, for which $150.00 was taken at the door.`,
  );
  const cells = [...page.querySelectorAll("tfoot td")].map(({ textContent }) => textContent);
  expect(cells).toEqual(["$300.00", "$150.00"]);
  const { rows } = await site.pool.query(
    "select actor, after from audit_trail where verb = 'order.cancel-tickets' and subject_id = $1",
    [order],
  );
  const after = { ticketNumbers: [numbers[0], numbers[2]], giveBackCents: 15_000 };
  expect(rows).toEqual([{ actor: sana.name, after }]);
});

test("ORD-6: the last ticket cancels the order; what is given or free is cancelled without money, and a buyer without an email is told by staff", async () => {
  const { open, path, ids, order, send } = await book({ kind: "given" });
  expect(textOf((await send("check", ids)).html)).toContain("Nothing was paid, so there is nothing to give back.");
  expect((await send("cancel", ids)).status).toBe(303);
  const page = await open(path);
  expect(page.querySelector("main h1")!.textContent).toContain("Cancelled");
  expect(page.querySelector(`a[href="${path}?act=cancel#act"]`)).toBeNull();
  const [given] = await readEmails(order);
  expect(given.text_body).toContain("Nothing was paid for this, so there is nothing to refund.");
  expect(given.text_body).toContain("This order has no valid tickets left.");

  const door = await book({ email: "" });
  expect(textOf((await door.send("check", door.ids)).html)).toContain(
    "We have no email address of the buyer: tell them yourselves.",
  );
  expect((await door.send("cancel", door.ids)).status).toBe(303);
  expect(await readEmails(door.order)).toEqual([]);

  const event = await makeTicketedEvent(site.database, { standard: { price_cents: 0 } });
  const buyer = createBuyer(site, await site.visitor());
  const { data } = await buyer.hold(event.slug, [{ type: "standard", quantity: 1 }]);
  await buyer.bookFree(data);
  const free = (await buyer.find(data)).data.tickets;
  const cancelled = await door.sana.post(`/admin/orders/${data.id}/cancel-tickets`, {
    step: "cancel",
    tickets: free[0].id,
  });
  expect(cancelled.status).toBe(303);
  expect((await buyer.find(data)).data.state).toBe("cancelled");
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
});

test("ORD-6: the email says that we cancelled, which tickets stay valid, and what was paid in person", async () => {
  const { ids, order, numbers, send } = await book();
  await send("cancel", [ids[0]!]);
  const [email, ...others] = await readEmails(order);
  expect(others).toEqual([]);
  expect(email).toMatchObject({ recipient: "noor@example.com", subject: "1 ticket for Charity dinner is cancelled" });
  const [cancelled, valid] = email.text_body.split("These tickets stay valid:");
  expect(cancelled).toContain("We have cancelled this ticket of your order");
  expect(cancelled).toContain(numbers[0]);
  expect(cancelled).toContain(
    "You paid us $100.00 in person for this. If you have not had it back yet, reply to this email.",
  );
  for (const number of numbers.slice(1)) expect(valid).toContain(number);
  expect(valid).toContain("If you did not ask us to cancel, reply to this email.");
});

test("ORD-6: a form that is sent twice cancels once, whether one after the other or at the same time", async () => {
  const { ids, order, typeId, send, countCancelled } = await book();
  const both = await Promise.all([1, 2].map(() => send("cancel", [ids[0]!])));
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  expect((await send("cancel", [ids[0]!])).status).toBe(409);
  expect(await countCancelled()).toBe(1);
  expect(await readEmails(order)).toHaveLength(1);
  const { rows } = await site.pool.query("select sold from ticket_types where id = $1", [typeId]);
  expect(rows).toEqual([{ sold: 1 }]);
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
});

test("ORD-6: what was cancelled or let in in the meantime is said, nothing is done, and what was ticked stays ticked", async () => {
  const { event, screen, ids, numbers, serials, open, send, countCancelled } = await book();
  await send("cancel", [ids[0]!]);
  const refused = await send("cancel", [ids[0]!, ids[1]!]);
  expect(refused.status).toBe(409);
  expect(textOf(refused.html)).toContain(`Ticket ${numbers[0]} was cancelled in the meantime, so nothing was done.`);
  const ticked = readPage(refused.html).querySelectorAll<HTMLInputElement>("#cancel input[name=tickets][checked]");
  expect([...ticked].map(({ value }) => value)).toEqual([ids[1]]);

  const scan = { id: randomUUID(), serial: serials[1]!, undoes: null, at: site.clock.now().getTime() };
  await (await openPhone(event.id, screen))([scan]);
  for (const step of ["check", "cancel"] as const) {
    const came = await send(step, [ids[1]!, ids[2]!]);
    expect(came.status).toBe(409);
    expect(textOf(came.html)).toContain(`Somebody has come in with ticket ${numbers[1]}, so nothing was cancelled.`);
  }
  expect(await countCancelled()).toBe(1);
  const page = await open();
  expect(page.querySelector("#cancel")!.textContent).toContain("1 ticket is not in this list");
  expect(page.querySelectorAll("#cancel input[name=tickets]")).toHaveLength(2);
});

/** A phone at the door of an event; it sends scans, and returns what it learns of the tickets. */
async function openPhone(eventId: number, screen: string) {
  const now = site.clock.now();
  const actor = { staff: await site.logIn("events"), ipAddress: "" };
  const id = await site.database.transaction().execute(async (transaction) => {
    const found = await requireEvent(transaction, screen.split("/").at(-1));
    const added = await addPhone(transaction, { event: found, name: "Main entrance" }, actor, now);
    await pairPhone(transaction, added, now);
    return added;
  });
  return async (scans: Parameters<typeof syncDoor>[2]["scans"], version = "") => {
    const sent = { scans, sentAt: now.getTime(), after: 0, version };
    return (await syncDoor(site.database, { id, eventId, name: "" }, sent, { publicKey: "", now })).list!;
  };
}

test("ORD-6, DOOR-6, WAIT-2: the phones at the door learn of it, and the seat is offered to whoever waits", async () => {
  const { event, screen, typeId, ids, numbers, send } = await book();
  const sync = await openPhone(event.id, screen);
  const { version } = await sync([]);
  const entry = {
    ...{ id: randomUUID(), event_id: event.id, type_id: typeId, quantity: 1 },
    ...{ email: "amina@example.com", first_name: "Amina", last_name: "Raza", joined_at: site.clock.now() },
  };
  await site.database.insertInto("waiting_entries").values(entry).execute();
  await send("cancel", [ids[0]!]);
  const { tickets } = await sync([], version);
  expect(tickets.filter(({ cancelledAt }) => cancelledAt !== null).map(({ number }) => number)).toEqual([numbers[0]]);
  await offerFreeSeats(site.services);
  const { rows } = await site.pool.query("select order_id is not null as offered from waiting_entries where id = $1", [
    entry.id,
  ]);
  expect(rows).toEqual([{ offered: true }]);
});

test("ORD-6: only with the right, only tickets of this order, and none that was paid online", async () => {
  const { ids, sana, path, send } = await book();
  const auditor = await site.logIn("auditor");
  expect((await send("cancel", ids, auditor)).status).toBe(403);
  expect((await auditor.get(`${path}?act=cancel`)).html).not.toContain("Tickets to cancel");
  const none = await sana.post(`${path}/cancel-tickets`, { step: "cancel" });
  expect([none.status, textOf(none.html).includes("Choose the tickets to cancel.")]).toEqual([422, true]);
  const other = await book();
  expect((await send("cancel", [other.ids[0]!])).status).toBe(404);
  const event = await makeTicketedEvent(site.database, { standard: { price_cents: 0 } });
  const buyer = createBuyer(site, await site.visitor());
  const { order } = await buyer.book(event.slug, [
    { type: "vip", quantity: 1 },
    { type: "standard", quantity: 1 },
  ]);
  const [paid, free] = (await buyer.find(order)).data.tickets;
  const cancel = (id: string) => sana.post(`/admin/orders/${order.id}/cancel-tickets`, { step: "cancel", tickets: id });
  expect((await cancel(paid.id)).status).toBe(404);
  expect((await cancel(free.id)).status).toBe(303);
  expect(
    readPage((await sana.get(`/admin/orders/${order.id}`)).html).querySelector('a[href*="act=cancel"]'),
  ).toBeNull();
  expect((await buyer.find(order)).data).toMatchObject({ state: "paid", refunds: [] });
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
});

test("ORD-6, EVT-12, EVT-14: report, list, export and calling off say how much was taken for cancelled tickets, at the price of that day", async () => {
  const { event, screen, ids, sana, send } = await book();
  await site.pool.query("update ticket_types set price_cents = 70000 where event_id = $1", [event.id]);
  await send("cancel", [ids[0]!]);
  expect(textOf((await sana.get(`${screen}/report`)).html)).toContain(
    "$300.00 was taken at the door, besides what the table says. $100.00 of it was for tickets that are cancelled.",
  );
  expect(textOf((await sana.get(`${screen}/tickets`)).html)).toContain("Taken for cancelled tickets$100.00");
  expect(textOf((await sana.get(`${screen}/call-off`)).html)).toContain(
    "$200.00 was taken at the door: give it back yourselves.",
  );
  const treasurer = await site.logIn("treasurer");
  const { html } = await treasurer.get(`/admin/orders?event=${event.id}`);
  const figures = [...readPage(html).querySelectorAll("#sums > div")].map(({ textContent }) => textContent);
  expect(figures.slice(-2)).toEqual(["Taken at the door$300.00", "Taken for cancelled tickets$100.00"]);
  expect((await treasurer.get(`/admin/orders.csv?event=${event.id}`)).html).toContain(",300.00,-100.00,AUD,");
});
