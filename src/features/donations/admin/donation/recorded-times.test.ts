import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite();
});
afterAll(() => site.close());

test("DSK-1: what happened, the receipts, the payment and the books have their day, even if it is today", async () => {
  const { answer } = await site.give(await site.visitor());
  const [id] = /[0-9a-f-]{36}/.exec(answer.data.receiptUrl)!;
  const { html } = await (await site.logIn("treasurer")).get(`/admin/donations/${id}`);
  const page = readPage(html);
  for (const section of ["happened", "receipts", "payment", "books"]) {
    const times = [...page.querySelectorAll(`section[aria-labelledby=${section}] time`)];
    expect(times.length, section).toBeGreaterThan(0);
    for (const { textContent } of times) expect(textContent).toMatch(/^\d{1,2} \p{L}+ 20\d\d, \d/u);
  }
});
