import { afterAll, beforeAll, expect, test } from "vitest";
import { addDemoStaff } from "#database/demo-staff.ts";
import { makeTicketEvent } from "#database/ticket-factories.ts";
import { listKnownLinks } from "#features/content/server/external-links/known-links.ts";
import type { BookPast } from "#payments/demo/demo-payments.ts";
import { bookPast } from "#simulators/book-past.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { compareTickets, ticketsAgree } from "#test/ticket-books.ts";
import { addDemoYear } from "./add-demo-year.ts";

let site: TestSite;
const afterFailure: Record<string, number> = {};
const added: boolean[] = [];
// Preparing takes longer than in other files: it adds a whole year and part of another.
beforeAll(async () => {
  site = await openTestSite();
  const { services, simulator } = site;
  await addDemoStaff(services.database);
  for (const days of [-60, 50]) {
    const starts_at = new Date(Date.now() + days * 86_400_000);
    const ends_at = new Date(starts_at.getTime() + 3 * 3_600_000);
    await makeTicketEvent(services.database, { event: { starts_at, ends_at } });
  }
  await site.pool.query(`
    update pages set links = '[{"label": "Map", "url": "https://maps.example/services"}]' where type = 'world'`);
  const book: BookPast = (payments) => bookPast(simulator.url, payments, { startsOver: true });
  // The provider's list ends too early, which must roll everything back.
  await expect(addDemoYear(services, async (payments) => (await book(payments)).slice(0, 50))).rejects.toThrow();
  for (const table of ["donations", "payment_attempts", "ledger_entries", "ticket_orders"]) {
    afterFailure[table] = await count(`select count(*) from ${table}`);
  }
  added.push(...(await Promise.all([addDemoYear(services, book), addDemoYear(services, book)])));
});
afterAll(() => site.close());

const count = async (text: string): Promise<number> => Number((await site.pool.query(text)).rows[0].count);

test("DEMO-1: a year of donations with receipts, refunds, declines and a dispute, and no email to anybody", async () => {
  expect(await count("select count(*) from donations")).toBe(480);
  const { rows } = await site.pool.query(
    "select state, count(*)::int from payment_attempts where donation_id is not null group by state",
  );
  const states = Object.fromEntries(rows.map(({ state, count: many }) => [state, many]));
  expect(states).toMatchObject({ refunded: 3, partially_refunded: 3, disputed: 1 });
  expect(states.failed).toBeGreaterThan(10);
  expect(await count("select count(*) from receipts")).toBe(480 - states.failed + 3);
  expect(await count("select count(*) from pgboss.job where name = 'emails'")).toBe(0);
});

test("DEMO-2: ticket orders of past and coming events, some cancelled and refunded, and their seats add up", async () => {
  const { rows } = await site.pool.query("select state, count(*)::int from ticket_orders group by state");
  const states = Object.fromEntries(rows.map(({ state, count: many }) => [state, many]));
  expect(states.paid + states.cancelled).toBe(60);
  expect(states.cancelled).toBeGreaterThanOrEqual(2);
  expect(states).toMatchObject({ lapsed: 4 });
  expect(await count("select count(*) from refunds where requested_by = 'system' and state = 'succeeded'")).toBe(
    await count("select count(distinct refund_id) from tickets"),
  );
  expect(await count("select count(distinct event_id) from ticket_orders")).toBe(2);
  expect(await count("select count(*) from tickets where cancelled_at is null")).toBe(
    await count("select sum(sold) as count from ticket_types"),
  );
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);
});

test("DEMO-3: applications to volunteer in all stages, each with a photo unless it was withdrawn", async () => {
  const { rows } = await site.pool.query("select stage, count(*)::int from volunteer_applications group by stage");
  expect(Object.fromEntries(rows.map(({ stage, count: many }) => [stage, many]))).toEqual({
    received: 4,
    in_review: 3,
    approved: 8,
    waiting: 2,
    declined: 2,
    withdrawn: 1,
  });
  expect(await count("select count(*) from volunteer_applications where photo_file_id is not null")).toBe(19);
  expect(await count("select count(*) from working_with_children_checks where verified_at is not null")).toBe(9);
});

test("DEMO-1: the books of the simulators and of the site differ in the one planted charge", async () => {
  const { rows } = await site.pool.query("select kind, theirs_cents::int as cents from reconciliation_findings");
  expect(rows).toEqual([{ kind: "charge_without_payment", cents: 5329 }]);
  const days = await site.pool.query("select distinct day::text from reconciliation_runs");
  expect(days.rowCount).toBe(28);
  // Each day of the whole year agrees with the provider's books.
  const given = await site.pool.query(
    "select distinct (created_at at time zone 'Australia/Sydney')::date::text as day from donations order by 1",
  );
  for (const { day } of given.rows.slice(0, 12)) await site.services.reconciliation.reconcileDay("payway", day);
  expect(await count("select count(*) from reconciliation_findings")).toBe(1);
});

test("DEMO-1: one refund waits for a second person, and nobody was emailed", async () => {
  const { rows } = await site.pool.query(
    "select staff.name from refund_requests join staff on staff.id = requested_by where decision is null",
  );
  expect(rows).toEqual([{ name: "Graeme Whitford" }]);
});

test("DEMO-5: one link leads nowhere, although nobody on the internet was asked", async () => {
  const { dead } = await listKnownLinks(site.database, site.clock.now());
  expect(dead).toMatchObject([{ address: "https://maps.example/services", reason: "no_host" }]);
  expect(await count("select count(*) from external_links where state <> 'new'")).toBe(1);
});

test("DEMO-4: a start that fails half-way adds nothing, and of two starts at the same time one adds the year", () => {
  expect(afterFailure).toEqual({ donations: 0, payment_attempts: 0, ledger_entries: 0, ticket_orders: 0 });
  expect(added.toSorted()).toEqual([false, true]);
});

test("DEMO-1: a site with donations gets none", async () => {
  expect(await addDemoYear(site.services, () => Promise.reject(new Error("not asked")))).toBe(false);
});
