import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { holdPresence, newProcessId } from "#shared/database/process-presence.ts";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { writeProviderEmail } from "../provider-emails.ts";
import { createReconciliation } from "./reconciliation.ts";
import { presentReport } from "./reconciliation-report.ts";

const hour = 3_600_000;

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ RECONCILE_DAYS: "2", RECONCILE_HOUR: "4" });
});
afterEach(() => site.simulator.clearFaults());
afterAll(() => site.close());

/** Moves both clocks to that hour of tomorrow in Sydney; returns today, which is yesterday then. */
async function passToTomorrow(hours: number): Promise<string> {
  const today = dayInSydney(site.clock.now());
  const ms = startOfDayInSydney(addDays(today, 1)).getTime() + hours * hour - site.clock.now().getTime();
  site.clock.advance(ms);
  await site.simulator.advance(ms);
  return today;
}

const tick = () => site.services.reconciliation.tick();
const runsOf = async (day: string) =>
  (
    await site.pool.query("select provider, state, detail from reconciliation_runs where day = $1 order by provider", [
      day,
    ])
  ).rows;
const emailsOf = async (day: string) =>
  (
    await site.pool.query(
      "select 1 from pgboss.job where name = 'emails' and data->>'template' = 'reconciliation' and data->>'day' = $1",
      [day],
    )
  ).rowCount;

const emailContext = () => ({
  database: site.database,
  sender: { organisation: site.services.organisation.current(), publicUrl: site.config.publicUrl },
  config: site.config,
});
const emailOf = (day: string) => writeProviderEmail(emailContext(), { template: "reconciliation", day });

test("REL-1: once its hour has come, yesterday is compared with each provider, and the treasurer gets one email", async () => {
  const visitor = await site.visitor();
  await site.give(visitor);
  await site.give(visitor, { changes: { repeat: true } });
  await site.givePayPal(visitor);
  const day = await passToTomorrow(3.9);
  await tick();
  expect(await runsOf(day)).toEqual([]);

  site.clock.advance(0.2 * hour);
  await Promise.all([tick(), tick(), tick()]);
  await tick();
  expect(await runsOf(day)).toMatchObject([
    { provider: "braintree", state: "done", detail: "" },
    { provider: "payway", state: "done", detail: "" },
  ]);
  expect(await emailsOf(day)).toBe(1);

  const email = (await emailOf(day))!;
  expect(email.to.address).toBe(site.config.organisation.donationsEmail);
  expect(email.subject).toMatch(/All equal$/);
  expect(email.text).toContain("PayWay, payments and refunds: 2\nCharged less refunded, by the provider: $213.16");
  expect(email.text).toContain("By our ledger: $213.16\nDifference: $0.00");
  expect(email.text).toContain("Braintree (PayPal), payments and refunds: 1");
});

test.each([
  ["forward", "2026-10-03T16:59:00Z", "2026-10-03T17:00:00Z"],
  ["back", "2027-04-03T17:59:00Z", "2027-04-03T18:00:00Z"],
])(
  "REL-1: on the day when clocks go %s, the comparison begins at its hour on the clock in Sydney",
  async (_, before, from) => {
    const { reconciliation } = site.services;
    const day = addDays(dayInSydney(new Date(from)), -1);
    await reconciliation.tick(new Date(before));
    expect(await runsOf(day)).toEqual([]);
    await reconciliation.tick(new Date(from));
    expect(await runsOf(day)).toContainEqual(expect.objectContaining({ provider: "payway", state: "done" }));
  },
);

test("REL-1: a provider that cannot be read is tried again by the next tick, and after six hours the email says so", async () => {
  const day = await passToTomorrow(5);
  await site.simulator.installFault({ match: { provider: "payway", op: "search" }, do: "search_500" });
  await tick();
  const failed = {
    provider: "payway",
    state: "failed",
    detail: "PayWay's books cannot be read now: it answered HTTP 500.",
  };
  expect(await runsOf(day)).toMatchObject([{ provider: "braintree", state: "done" }, failed]);
  expect(await emailsOf(day)).toBe(0);

  site.clock.advance(6 * hour);
  await tick();
  expect(await runsOf(day)).toMatchObject([{ state: "done" }, failed]);
  expect(await emailsOf(day)).toBe(1);
  expect((await emailOf(day))!.text).toContain(`We couldn’t compare the books of PayWay: ${failed.detail}`);

  await site.simulator.clearFaults();
  site.clock.advance(hour);
  await tick();
  expect(await runsOf(day)).toMatchObject([{ state: "done" }, { provider: "payway", state: "done" }]);
  expect(await emailsOf(day)).toBe(1);
});

test("REL-1: a list that lacks payments is not a finding if each is found individually", async () => {
  const visitor = await site.visitor();
  await site.give(visitor);
  await site.givePayPal(visitor);
  const day = await passToTomorrow(5);
  await site.simulator.installFault({ match: { op: "search" }, do: "search_empty" });
  const { report } = await site.services.reconciliation.run(day);
  const { isEqual, title } = presentReport(report);
  expect([isEqual, title]).toEqual([true, "All equal"]);
  expect(report.runs.map(({ ledger_cents, provider_cents }) => [ledger_cents, provider_cents])).toEqual([
    [10_658, 10_658],
    [10_815, 10_815],
  ]);
});

test("REL-1: while a process of unknown name compares, another does not; it is replaced after two hours", async () => {
  const day = await passToTomorrow(5);
  const { reconcileDay } = site.services.reconciliation;
  await site.pool.query(
    `insert into reconciliation_runs (provider, day, state, lease_until, started_at)
     values ('payway', $1, 'running', $2, $3)`,
    [day, new Date(site.clock.now().getTime() + 2 * hour), site.clock.now()],
  );
  expect(await reconcileDay("payway", day)).toBeNull();
  expect(await reconcileDay("payway", addDays(day, -1))).toBeNull();
  expect(await reconcileDay("braintree", day)).toMatchObject({ state: "done" });
  expect(await reconcileDay("braintree", day)).toBeNull();
  expect(await reconcileDay("braintree", day, { isAgain: true })).toMatchObject({ state: "done" });
  site.clock.advance(2 * hour + 1000);
  expect(await reconcileDay("payway", day)).toMatchObject({ state: "done", lease_until: null });
});

test("REC-39: a comparison is replaced at once if its process has died, or if its own process lost it", async () => {
  const day = await passToTomorrow(5);
  const [own, other] = [newProcessId(), newProcessId()];
  const { reconcileDay } = createReconciliation({
    ...site.services,
    processId: own,
    hasPaypal: true,
    settings: site.config.payments,
    reconciliation: site.config.reconciliation,
  });
  const leaveRunning = (owner: number) =>
    site.pool.query(
      `insert into reconciliation_runs (provider, day, state, lease_until, started_at, owner)
       values ('payway', $1, 'running', $2, $3, $4)
       on conflict (provider, day) do update set state = 'running', lease_until = excluded.lease_until, owner = $4`,
      [day, new Date(site.clock.now().getTime() + 2 * hour), site.clock.now(), owner],
    );
  const presence = new pg.Client({ connectionString: site.services.databaseUrl });
  await presence.connect();
  await holdPresence(presence, other);
  await leaveRunning(other);
  expect(await reconcileDay("payway", day)).toBeNull();
  await presence.end();
  // PostgreSQL may take a moment to end the connection.
  await vi.waitFor(async () => expect(await reconcileDay("payway", day)).toMatchObject({ state: "done" }));

  await leaveRunning(own);
  const searches = async () => (await site.simulator.listRequests()).filter(({ op }) => op === "search").length;
  const before = await searches();
  expect(await reconcileDay("payway", day)).toMatchObject({ state: "done", owner: own });
  const ofOne = (await searches()) - before;
  await leaveRunning(own);
  const both = await Promise.all([reconcileDay("payway", day), reconcileDay("payway", day)]);
  expect(both).toEqual([expect.objectContaining({ state: "done" }), null]);
  expect([ofOne > 0, (await searches()) - before]).toEqual([true, 2 * ofOne]);
});

test("REL-1: staff are told that a provider is unavailable, unless it is back before the email is written", async () => {
  const away = { template: "provider-unavailable", provider: "payway", since: "2026-11-20T23:30:00.000Z" } as const;
  const context = emailContext();
  expect(await writeProviderEmail(context, away)).toBeNull();
  await site.pool.query("insert into provider_health (provider, failures, opened_at) values ('payway', 3, $1)", [
    away.since,
  ]);
  const email = (await writeProviderEmail(context, away))!;
  expect(email.to.address).toBe(site.config.organisation.donationsEmail);
  expect(email.subject).toBe("Card payments are unavailable: PayWay is not answering");
  expect(email.text).toContain("Saturday 21 November 2026 at 10:30");
  expect(email.text).toContain("Donors see that card payments are unavailable");
});
