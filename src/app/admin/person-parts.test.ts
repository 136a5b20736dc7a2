import { afterAll, beforeAll, expect, test } from "vitest";
import type { HitGroup } from "#admin/search.ts";
import { makeDonation, makeUser } from "#database/factories.ts";
import { type DonationPages, openDonationPages, wordsOf } from "#test/donation-pages.ts";
import { readPage } from "#test/read-page.ts";
import { insertOrder, insertTicketedEvent, type TicketedRows } from "#test/ticket-rows.ts";
import { makeApplication } from "#test/volunteer-rows.ts";

let site: DonationPages;
let event: TicketedRows;
beforeAll(async () => {
  site = await openDonationPages();
  event = await insertTicketedEvent(site.database);
});
afterAll(() => site.close());

type Browser = Awaited<ReturnType<DonationPages["logIn"]>>;

const find = async (browser: Browser, q: string): Promise<HitGroup[]> =>
  JSON.parse((await browser.get(`/admin/find.json?${new URLSearchParams({ q })}`)).html);

const rowsOf = (html: string, section: string) =>
  [...readPage(html).querySelectorAll(`section[aria-labelledby=${section}] tbody tr`)].map((row) =>
    row.textContent!.replace(/\s+/g, " "),
  );

test("PER-5: a person's page has their ticket orders and applications, however the address was written", async () => {
  const id = await makeDonation(site.database, { donation: { email: "noor@example.com" } });
  const mine = { first_name: "Noor", last_name: "Ali", email: "Noor@Example.com" };
  await insertOrder(site.database, event, { order: { ...mine, reference: "T-AAAA-BBBB-CCCC" } });
  await insertOrder(site.database, event, { order: { email: "noor@example.com.au", reference: "T-AAAA-BBBB-DDDD" } });
  await makeApplication(site.database, { name: "Noor A Ali", email: "NOOR@example.com" });
  const { html } = await (await site.logIn("auditor")).get(`/admin/people/${id}`);
  const tickets = rowsOf(html, "tickets");
  expect(tickets).toHaveLength(1);
  for (const said of ["Charity dinner", "T-AAAA-BBBB-CCCC", "1 × VIP Seat", "2 × Standard Seat", "Paid", "$200.00"]) {
    expect(tickets[0]).toContain(said);
  }
  expect(rowsOf(html, "volunteering")).toEqual([expect.stringMatching(/Events, Fundraising.*Received/)]);
  expect(wordsOf(html)).toContain("Noor A Ali");
});

test("PER-5: somebody without a right to applications sees none, and nobody sees sensitive fields there", async () => {
  const id = await makeApplication(site.database, { email: "hidden@example.com" });
  const treasurer = await site.logIn("treasurer");
  expect((await treasurer.get(`/admin/people/${id}`)).status).toBe(404);
  const donation = await makeDonation(site.database, { donation: { email: "hidden@example.com" } });
  const seen = await treasurer.get(`/admin/people/${donation}`);
  expect(wordsOf(seen.html)).not.toMatch(/Volunteering|applied/i);
  expect(wordsOf(seen.html)).toContain("No tickets were ordered with this email address.");
  const whole = await (await site.logIn("administrator")).get(`/admin/people/${donation}`);
  expect(rowsOf(whole.html, "volunteering")).toHaveLength(1);
  for (const sensitive of [
    "Bilal Raza",
    "bilal@example.com",
    "0412 345 678",
    "12 Harbour Street",
    '<img src="/admin',
  ]) {
    expect(whole.html).not.toContain(sensitive);
  }
});

test("PER-6: people who only ordered tickets or applied have a page too, until that is erased", async () => {
  const order = await insertOrder(site.database, event, {
    order: { first_name: "Wei", last_name: "Chen", email: "wei@example.com", state: "cancelled" },
  });
  const application = await makeApplication(site.database, { name: "Wei Chen", email: "wei@example.com" });
  const auditor = await site.logIn("auditor");
  for (const id of [order, application]) {
    const { status, html } = await auditor.get(`/admin/people/${id}`);
    expect(status).toBe(200);
    expect(readPage(html).querySelector("h1 bdi")!.textContent).toBe("Wei Chen");
    expect(wordsOf(html)).toContain("Nothing was given with this email address.");
    expect(rowsOf(html, "tickets")[0]).toContain("Cancelled");
  }
  await site.database.updateTable("ticket_orders").set({ email: "", first_name: "" }).where("id", "=", order).execute();
  expect((await auditor.get(`/admin/people/${order}`)).status).toBe(404);
});

test("FIND-2: people who may see ticket orders and applications find them by name, email and reference", async () => {
  const order = await insertOrder(site.database, event, {
    order: { first_name: "Zoë", last_name: "O’Brien", email: "zoe@example.org", reference: "T-7KQ2-M9XW-4TBC" },
  });
  const application = await makeApplication(site.database, {
    name: "Zoë O’Brien",
    email: "zoe@example.org",
    reference: "V-7KQ2-M9XW-4TBC",
  });
  const auditor = await site.logIn("auditor");
  for (const text of ["zoe", "obri", "ZOE O'BRIEN", "zoe@example.org", "zoe@exa"]) {
    const groups = await find(auditor, text);
    expect(groups.find(({ title }) => title === "Ticket orders")?.hits, text).toEqual([
      {
        label: "\u2068Zoë O’Brien\u2069, Charity dinner",
        path: `/admin/orders/${order}`,
        detail: "T-7KQ2-M9XW-4TBC, 3 tickets, 21 Nov 2026",
      },
    ]);
    const [found] = groups.find(({ title }) => title === "Applications to volunteer")!.hits;
    expect(found).toMatchObject({ label: "Zoë O’Brien", path: `/admin/volunteers/${application}` });
  }
  expect((await find(auditor, "t7kq2m9xw4tbc")).map(({ title }) => title)).toEqual(["Ticket orders"]);
  expect((await find(auditor, "V-7KQ2-M9XW-4TBC")).map(({ title }) => title)).toEqual(["Applications to volunteer"]);
  for (const nothing of ["'", "\\", ":* | !", "T-7KQ2-M9XW-XXXX"]) expect(await find(auditor, nothing)).toEqual([]);
  const treasurer = await find(await site.logIn("treasurer"), "zoe");
  expect(treasurer.map(({ title }) => title)).toEqual(["Ticket orders"]);
});

test("PER-6: somebody who only has an account has a page, which the search finds by the beginnings of name or email", async () => {
  const { id } = await makeUser(site.database, {
    first_name: "Zainab",
    last_name: "Qureshi",
    email: "zainab.member@example.com",
  });
  const treasurer = await site.logIn("treasurer");
  for (const q of ["zain qur", "zainab.mem"]) {
    const hits = (await find(treasurer, q)).flatMap((group) => group.hits);
    expect(hits.map(({ label, path }) => [label, path])).toContainEqual([
      "Zainab Qureshi",
      `/admin/people/account-${id}`,
    ]);
  }
  const { html } = await treasurer.get(`/admin/people/account-${id}`);
  expect(readPage(html).querySelector("h1")?.textContent).toContain("Zainab Qureshi");
  expect(wordsOf(html)).toContain("Nothing was given with this email address.");
  expect(wordsOf(html)).not.toContain("Anonymous donor");
  expect((await treasurer.get("/admin/people/account-99999999")).status).toBe(404);
  const coordinator = await site.logIn("coordinator");
  expect((await find(coordinator, "zainab")).flatMap(({ title }) => title)).not.toContain("Members with an account");
  expect((await coordinator.get(`/admin/people/account-${id}`)).status).toBe(403);
});
