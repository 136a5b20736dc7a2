import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRefund } from "#database/factories.ts";
import { testCards } from "#simulators/control.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ LIMITS_TICKET_HOLDS: "1000" });
});
afterAll(() => site.close());

test("ORD-1, ORD-5: what was paid, refunded and kept, on the list and in its export, is what the ledger says", async () => {
  const event = await makeTicketedEvent(site.services.database);
  const buyer = createBuyer(site, await site.visitor());
  const book = async (quantity: number) => {
    const { order } = await buyer.book(event.slug, [{ type: "standard", quantity }]);
    const { rows } = await site.pool.query("select id from payment_attempts where ticket_order_id = $1", [order.id]);
    return rows[0].id as string;
  };
  await makeRefund(site.database, await book(2), { tickets: 3000 });
  await makeRefund(site.database, await book(3), { tickets: 15_000 });
  const { data: unpaid } = await buyer.hold(event.slug, [{ type: "standard", quantity: 1 }]);
  await buyer.pay(unpaid, { card: testCards.declined });

  const treasurer = await site.logIn("treasurer");
  const { html } = await treasurer.get(`/admin/orders?event=${event.id}`);
  const figures = [...readPage(html).querySelectorAll("#sums > div")].map(({ textContent }) => textContent);
  expect(figures).toEqual(["Orders found3", "Valid tickets5", "Paid$250.00", "Refunded$180.00", "Kept$70.00"]);
  const [names, ...rows] = (await treasurer.get(`/admin/orders.csv?event=${event.id}`)).html
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  const sumOf = (name: string) => rows.reduce((sum, row) => sum + Number(row[names!.indexOf(name)]), 0);
  expect(["Amount", "Received", "Refunded"].map(sumOf)).toEqual([300, 250, -180]);
  const ledger = await site.pool.query(
    "select sum(amount_cents)::integer as cents from ledger_entries where account like 'receivable:%'",
  );
  expect(ledger.rows[0].cents).toBe(7000);
});
