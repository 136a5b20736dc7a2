import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/sydney.ts";
import { openTestSite, type TestSite } from "#test/site.ts";
import { writeProviderLetter } from "../provider-letters.ts";
import { presentReport } from "./reconciliation-report.ts";

const hour = 3_600_000;

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ RECONCILE_DAYS: "2", RECONCILE_HOUR: "4" });
});
afterEach(() => site.simulator.clearFaults());
afterAll(() => site.close());

/** Both clocks go on to that hour of tomorrow in Sydney; today, which is yesterday then. */
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
const lettersOf = async (day: string) =>
  (
    await site.pool.query(
      "select 1 from pgboss.job where name = 'letters' and data->>'letter' = 'reconciliation' and data->>'day' = $1",
      [day],
    )
  ).rowCount;

const letterOf = (day: string) =>
  writeProviderLetter(
    { database: site.database, organisation: site.services.organisation.current, config: site.config },
    { letter: "reconciliation", day },
  );

test("REL-1: once its hour has come, yesterday is compared with each provider, and the treasurer gets one letter", async () => {
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
  expect(await lettersOf(day)).toBe(1);

  const letter = (await letterOf(day))!;
  expect(letter.to.address).toBe(site.config.organisation.donationsEmail);
  expect(letter.subject).toMatch(/all equal$/);
  expect(letter.text).toContain("PayWay, payments and refunds: 2\nCharged less refunded, by the provider: $213.16");
  expect(letter.text).toContain("By our ledger: $213.16\nDifference: $0.00");
  expect(letter.text).toContain("Braintree (PayPal), payments and refunds: 1");
});

test("REL-1: a provider that cannot be read is tried again by the next tick, and after six hours the letter says so", async () => {
  const day = await passToTomorrow(5);
  await site.simulator.installFault({ match: { provider: "payway", op: "search" }, do: "search_500" });
  await tick();
  const failed = {
    provider: "payway",
    state: "failed",
    detail: "PayWay's books cannot be read now: it answered HTTP 500.",
  };
  expect(await runsOf(day)).toMatchObject([{ provider: "braintree", state: "done" }, failed]);
  expect(await lettersOf(day)).toBe(0);

  site.clock.advance(6 * hour);
  await tick();
  expect(await runsOf(day)).toMatchObject([{ state: "done" }, failed]);
  expect(await lettersOf(day)).toBe(1);
  expect((await letterOf(day))!.text).toContain(`The books of PayWay could not be compared: ${failed.detail}`);

  await site.simulator.clearFaults();
  site.clock.advance(hour);
  await tick();
  expect(await runsOf(day)).toMatchObject([{ state: "done" }, { provider: "payway", state: "done" }]);
  expect(await lettersOf(day)).toBe(1);
});

test("REL-1: a list that lacks payments is no finding where each, asked for by itself, is there", async () => {
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

test("REL-1: while one process compares, another does not; a killed one is followed after two hours", async () => {
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

test("REL-1: staff hear that a provider is away, unless it is back before the letter is written", async () => {
  const away = { letter: "provider-away", provider: "payway", since: "2026-11-20T23:30:00.000Z" } as const;
  const context = { database: site.database, organisation: site.services.organisation.current, config: site.config };
  expect(await writeProviderLetter(context, away)).toBeNull();
  await site.pool.query("insert into provider_health (provider, failures, opened_at) values ('payway', 3, $1)", [
    away.since,
  ]);
  const letter = (await writeProviderLetter(context, away))!;
  expect(letter.to.address).toBe(site.config.organisation.donationsEmail);
  expect(letter.subject).toBe("Card payments are away: PayWay does not answer");
  expect(letter.text).toContain("Saturday, 21 November 2026 at 10:30");
  expect(letter.text).toContain("Donors see that card payments are not available");
});
