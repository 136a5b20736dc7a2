import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { createBuyer, makeTicketedEvent } from "#test/ticket-buyer.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite();
});
afterAll(() => site.close());

test("ORD-2: what happened, the payment and the books of an order have their day, even if it is today", async () => {
  const event = await makeTicketedEvent(site.services.database);
  const buyer = createBuyer(site, await site.visitor());
  const { order } = await buyer.book(event.slug, [{ type: "standard", quantity: 1 }]);
  const page = readPage((await (await site.logIn("treasurer")).get(`/admin/orders/${order.id}`)).html);
  for (const section of ["happened", "payment", "books"]) {
    const times = [...page.querySelectorAll(`section[aria-labelledby=${section}] time`)];
    expect(times.length, section).toBeGreaterThan(0);
    for (const { textContent } of times) expect(textContent).toMatch(/^\d{1,2} \p{L}+ 20\d\d, \d/u);
  }
});
