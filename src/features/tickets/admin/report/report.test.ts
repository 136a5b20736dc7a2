import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRefund } from "#database/factories.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { createBuyer, makeTicketedEvent, settleRefunds } from "#test/ticket-buyer.ts";
import { insertOrder, insertTicketedEvent, insertTicketPayment, insertTickets } from "#test/ticket-rows.ts";
import { addPhone, pairPhone } from "../../server/door/door-phones.ts";
import { syncDoor } from "../../server/door/sync-door.ts";
import { readEventReport } from "../../server/staff/event-report.ts";
import { requireEvent } from "../ticket-services.ts";

let site: AdminSite;
let sana: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite({ LIMITS_TICKET_HOLDS: "1000" });
});
afterAll(() => site.close());

/** An event with two orders: one ticket with a discount, one cancelled and refunded, and one whose holder came. */
async function open() {
  const event = await makeTicketedEvent(site.database);
  await site.database
    .insertInto("discount_codes")
    .values({ event_id: event.id, code: "SPRING", cents: 1000, percent: null, most_uses: 1, most_per_order: 1 })
    .execute();
  const buyer = createBuyer(site, await site.visitor());
  const { data } = await buyer.hold(event.slug, [{ type: "vip", quantity: 2 }], { discount: "SPRING" });
  await buyer.pay(data);
  const { order } = await buyer.book(event.slug, [{ type: "standard", quantity: 2 }]);
  const { tickets } = (await buyer.find(order)).data as { tickets: { id: string }[] };
  await buyer.rename(order, tickets[1]!.id, "=Nadia, or a formula");
  await buyer.cancel(order, [tickets[0]!.id]);
  await settleRefunds(site);
  // A refund takes longer than a session.
  sana = await site.logIn("events");
  await sana.get("/admin/events");
  const { rows } = await site.pool.query("select id from content_items where kind = 'events' and live_key = $1::text", [
    event.id,
  ]);
  const screen = `/admin/events/${rows[0].id}`;
  const came = await site.pool.query("select encode(serial, 'hex') as serial from tickets where id = $1", [
    tickets[1]!.id,
  ]);
  const now = site.clock.now();
  const id = await site.database.transaction().execute(async (transaction) => {
    const found = await requireEvent(transaction, String(rows[0].id));
    const added = await addPhone(
      transaction,
      { event: found, name: "Main entrance" },
      { staff: sana, ipAddress: "" },
      now,
    );
    await pairPhone(transaction, added, now);
    return added;
  });
  const scan = { id: randomUUID(), serial: came.rows[0].serial, undoes: null, at: now.getTime() };
  const sent = { scans: [scan, { ...scan, id: randomUUID() }], sentAt: now.getTime(), after: 0, version: "" };
  await syncDoor(site.database, { id, eventId: event.id, name: "Main entrance" }, sent, { publicKey: "", now });
  return { event, screen };
}

test("EVT-14: the report shows by type what was issued, cancelled, paid and refunded, and who came; its sums agree with the orders", async () => {
  const { event, screen } = await open();
  const { types, otherRefundsCents } = await readEventReport(site.database, event.id);
  expect(types.map(({ id: _, ...type }) => type)).toEqual([
    { title: "VIP Seat", issued: 2, cancelled: 0, came: 0, paidCents: 19_000, refundedCents: 0 },
    { title: "Standard Seat", issued: 2, cancelled: 1, came: 1, paidCents: 10_000, refundedCents: 5000 },
  ]);
  expect(otherRefundsCents).toBe(0);
  const { rows } = await site.pool.query(
    `select (select sum(total_cents)::integer from ticket_orders where event_id = $1 and paid_at is not null) as paid,
            (select sum(refunds.amount_cents)::integer from refunds
               join payment_attempts attempt on attempt.id = attempt_id
               join ticket_orders o on o.id = attempt.ticket_order_id
              where event_id = $1 and refunds.state = 'succeeded') as refunded`,
    [event.id],
  );
  const sum = (of: "paidCents" | "refundedCents") => types.reduce((total, type) => total + type[of], 0);
  expect(rows[0]).toEqual({ paid: sum("paidCents"), refunded: sum("refundedCents") + otherRefundsCents });
  const page = readPage((await sana.get(`${screen}/report`)).html);
  // 1.5 % of what was charged by card, rounded.
  expect(page.querySelector("main")!.textContent!.replace(/\s+/g, " ")).toContain(
    "PayWay and PayPal keep about $4.35 of what was paid: 1.5% of $290.00 by card, at the rates of Settings, Fees.",
  );
  const cells = [...page.querySelectorAll("tfoot td")];
  expect(cells.map(({ textContent }) => textContent)).toEqual(["4", "1", "1", "$290.00", "$50.00", "$240.00"]);
});

test("EVT-14: report, ticket types and export count the money of an order once, and agree on what was taken in and refunded", async () => {
  const event = await insertTicketedEvent(site.database);
  const paid = await insertOrder(site.database, event);
  await insertTickets(site.database, paid);
  await insertTicketPayment(site.database, paid);
  // A second payment for it was returned.
  const second = await insertTicketPayment(site.database, paid, { state: "refunded" });
  await makeRefund(site.database, second, { tickets: 20_000 }, { requested_by: "system" });
  // No seats were left.
  const refused = await insertOrder(site.database, event, { order: { state: "refunded" }, vip: 0 });
  const late = await insertTicketPayment(site.database, refused, { state: "refunded" });
  await makeRefund(site.database, late, { tickets: 10_000 }, { requested_by: "system" });
  const treasurer = await site.logIn("treasurer", "events");
  const byStaff = { paid_by: "staff", sold_by: treasurer.id, taken_cents: 3000 } as const;
  const sold = await insertOrder(site.database, event, { order: byStaff, isFree: true });
  await insertTickets(site.database, sold);

  await treasurer.get("/admin/events");
  const { rows } = await site.pool.query("select id from content_items where kind = 'events' and live_key = $1::text", [
    event.id,
  ]);
  const pageOf = async (view: string) => readPage((await treasurer.get(`/admin/events/${rows[0].id}/${view}`)).html);
  const textsOf = (elements: Iterable<{ textContent: string | null }>) =>
    [...elements].map(({ textContent }) => textContent);
  const sums = textsOf((await pageOf("tickets")).querySelectorAll(".seat-sums dd"));
  expect(sums.slice(-2)).toEqual(["$330.00", "$100.00"]);
  const report = await pageOf("report");
  expect(textsOf(report.querySelectorAll("tbody tr:last-child td")).slice(-3)).toEqual(["$100.00", "$100.00", "$0.00"]);
  expect(textsOf(report.querySelectorAll("tfoot td")).slice(-3)).toEqual(["$300.00", "$100.00", "$200.00"]);
  expect(report.querySelector("main")!.textContent).toContain("$30.00 was taken at the door");
  const { html } = await treasurer.get(`/admin/orders.csv?event=${event.id}`);
  const amounts = [...html.matchAll(/,([\d.]+),(-?[\d.]+),([\d.]+),0\.00,AUD,/g)].map((row) => row.slice(1));
  expect(amounts.toSorted()).toEqual([
    ["0.00", "0.00", "30.00"],
    ["100.00", "-100.00", "0.00"],
    ["200.00", "0.00", "0.00"],
  ]);
});

test("EVT-15: the attendance has every ticket with its state, and when and where its holder came; the trail names who took it", async () => {
  const { screen } = await open();
  const { html, headers } = await sana.get(`${screen}/attendance.csv`);
  expect(headers["content-disposition"]).toMatch(/^attachment; filename="attendance-dinner-\w+\.csv"$/);
  const lines = html.replace("\ufeff", "").trimEnd().split("\r\n");
  expect(lines[0]).toBe('"Name","Ticket","Number","Order","State","Came at","Door"');
  expect(lines).toHaveLength(5);
  // A name that a spreadsheet would run is made harmless.
  const came = lines.find((line) => line.includes("Nadia"))!;
  expect(came).toMatch(/^"'=Nadia, or a formula","Standard Seat","[0-9A-Z]{4}-[0-9A-Z]{4}",/);
  expect(came).toMatch(/"Valid","\d{4}-\d\d-\d\d \d\d:\d\d","Main entrance"$/);
  expect(lines.filter((line) => line.endsWith('"Cancelled","",""'))).toHaveLength(1);
  const { rows } = await site.pool.query("select actor from audit_trail where verb = 'events.export_attendance'");
  expect(rows).toEqual([{ actor: sana.name }]);
});
