import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";

const card = "4111 1111 1111 1111";

let site: AdminSite;
let amina: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  amina = await site.logIn("administrator");
});
afterAll(() => site.close());

const searches = ["find", "volunteers/list", "audit"];

test.each(searches)(
  "ADM-13: %s says what to search for instead of a card number, and does not repeat it",
  async (name) => {
    const query = new URLSearchParams({ q: card });
    const { status, html } = await amina.get(`/admin/${name}?${query}`);
    expect(status).toBe(200);
    expect(html).not.toContain(card);
    expect(readPage(html).getElementById("filter-q-error")?.textContent).toContain("Search for");
  },
);

test("ADM-13: the palette says so too", async () => {
  const { status, html } = await amina.get(`/admin/find.json?${new URLSearchParams({ q: card })}`);
  expect(status).toBe(422);
  expect(JSON.parse(html).problem).toContain("Search for");
});

test("ADM-13: a reason with a card number comes back, and is not stored", async () => {
  const yusuf = await site.logIn("auditor");
  const refused = await amina.post(`/admin/staff/${yusuf.id}/end`, { reason: `Paid with ${card}` });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("Take the card number out.");
  const trail = await site.database.selectFrom("audit_trail").selectAll().execute();
  expect(JSON.stringify(trail)).not.toContain(card);
});
