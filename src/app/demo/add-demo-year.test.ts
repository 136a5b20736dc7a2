import { afterAll, beforeAll, expect, test } from "vitest";
import { addDemoStaff } from "#database/demo-staff.ts";
import { bookPast } from "#simulators/book-past.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { addDemoYear } from "./add-demo-year.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
  const { services, simulator } = site;
  await addDemoStaff(services.database);
  expect(await addDemoYear(services, (payments) => bookPast(simulator.url, payments))).toBe(true);
});
afterAll(() => site.close());

const count = async (text: string): Promise<number> => Number((await site.pool.query(text)).rows[0].count);

test("DEMO-1: a year of donations with receipts, refunds, declines and a dispute, and no email to anybody", async () => {
  expect(await count("select count(*) from donations")).toBe(480);
  const { rows } = await site.pool.query("select state, count(*)::int from payment_attempts group by state");
  const states = Object.fromEntries(rows.map(({ state, count: many }) => [state, many]));
  expect(states).toMatchObject({ refunded: 3, partially_refunded: 3, disputed: 1 });
  expect(states.failed).toBeGreaterThan(10);
  expect(await count("select count(*) from receipts")).toBe(480 - states.failed + 3);
  expect(await count("select count(*) from pgboss.job where name = 'emails'")).toBe(0);
});

test("DEMO-1: the books of the simulators and of the site differ in the one planted charge", async () => {
  const { rows } = await site.pool.query("select kind, theirs_cents::int as cents from reconciliation_findings");
  expect(rows).toEqual([{ kind: "charge_without_payment", cents: 5329 }]);
  const days = await site.pool.query("select distinct day::text from reconciliation_runs");
  expect(days.rowCount).toBe(28);
  // Compared day by day, the whole year agrees.
  const given = await site.pool.query(
    "select distinct (created_at at time zone 'Australia/Sydney')::date::text as day from donations order by 1",
  );
  for (const { day } of given.rows.slice(0, 12)) await site.services.reconciliation.reconcileDay("payway", day);
  expect(await count("select count(*) from reconciliation_findings")).toBe(1);
});

test("DEMO-1: one refund waits for a second person, and nobody was told", async () => {
  const { rows } = await site.pool.query(
    "select staff.name from refund_requests join staff on staff.id = requested_by where decision is null",
  );
  expect(rows).toEqual([{ name: "Graeme Whitford" }]);
});

test("DEMO-1: a site with donations gets none", async () => {
  expect(await addDemoYear(site.services, () => Promise.reject(new Error("not asked")))).toBe(false);
});
