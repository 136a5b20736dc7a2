import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { findAttempt } from "#payments/attempts.ts";
import { settle } from "#payments/settle.ts";
import { expectBooksAgree } from "#test/expect-books.ts";
import { isLongRun } from "#test/long-run.ts";
import { openTestSite, shortProviderWait, type TestSite } from "#test/site.ts";

const limits = { LIMITS_DECLINES: "1000", LIMITS_BREAKER_PAYMENTS: "1000" };
let site: TestSite;
/** For faults that hang. */
let hasty: TestSite;
beforeAll(async () => {
  [site, hasty] = await Promise.all([openTestSite(limits), openTestSite({ ...limits, ...shortProviderWait })]);
});
afterEach(async () => {
  for (const one of [site, hasty]) {
    await one.simulator.clearFaults();
    await one.settleOpen();
    await expectBooksAgree(one);
  }
});
afterAll(() => Promise.all([site.close(), hasty.close()]));

const siteFor = (fault: string) => (fault.startsWith("hang") ? hasty : site);
const stateOf = async (id: string, { app } = site) => (await app.inject(`/api/payments/${id}`)).json().data;
const sendsOf = async (id: string, { pool } = site) =>
  (await pool.query("select sends from payment_attempts where id = $1", [id])).rows[0].sends;

/** These wait for a time limit. */
const hanging = [
  ["hang_after", "succeeded"],
  ["hang_before", "failed"],
] as const;

test.each([
  ...(isLongRun ? hanging : []),
  ["reset_after", "succeeded"],
  ["reset_before", "failed"],
  ["error_500_after", "succeeded"],
  ["error_500_before", "failed"],
  ["malformed_after", "succeeded"],
  ["html_200_after", "succeeded"],
  ["empty_201_after", "succeeded"],
  ["truncated_after", "succeeded"],
  ["wrong_amount", "succeeded"],
  ["wrong_order", "succeeded"],
  ["missing_id", "succeeded"],
  ["error_503", "failed"],
] as const)(
  "REL-1: after '%s' every time the payer is told to wait, and the books decide: %s",
  async (fault, outcome) => {
    const on = siteFor(fault);
    await on.simulator.installFault({ match: {}, do: fault });
    const { answer } = await on.give(await on.visitor());
    expect(answer).toMatchObject({ status: "false", code: "202", error: "payment_processing" });
    expect(answer.data.state).toBe("processing");
    expect(answer.message).toBe("We are confirming your payment. Please do not pay again.");
    await on.simulator.clearFaults();
    await on.settleOpen();
    expect((await stateOf(answer.data.id, on)).state).toBe(outcome);
  },
);

test.each([
  ...(isLongRun ? (["hang_before"] as const) : []),
  "hang_after",
  "reset_before",
  "reset_after",
  "error_503",
  "error_429",
] as const)(
  "REL-1: an answer lost once to '%s' is requested again with the same key and token, and charges once",
  async (fault) => {
    const on = siteFor(fault);
    await on.simulator.installFault({ match: {}, do: fault, times: 1 });
    const { answer } = await on.give(await on.visitor());
    expect(answer).toMatchObject({ code: "200", data: { state: "succeeded" } });
    expect(await sendsOf(answer.data.id, on)).toBe(2);
  },
);

test("DON-16: when the bank is slow the payer is asked to wait, and the payment goes on without them", async () => {
  const slow = await openTestSite({ CUSTOMER_WAIT_MS: "300" });
  try {
    await slow.simulator.installFault({ match: {}, do: "slow", ms: 1500 });
    const { answer } = await slow.give(await slow.visitor());
    expect(answer).toMatchObject({ code: "202", data: { state: "processing" } });
    await expect
      .poll(async () => (await slow.app.inject(`/api/payments/${answer.data.id}`)).json().data.state, {
        timeout: 10_000,
      })
      .toBe("succeeded");
  } finally {
    await slow.close();
  }
});

test("REL-1: a payment held for review is settled when the provider has decided", async () => {
  await site.simulator.installFault({ match: {}, do: "pending", resolvesTo: "approved", times: 1 });
  const { answer } = await site.give(await site.visitor());
  expect(answer.code).toBe("202");
  await site.settleOpen(6000, 2);
  expect((await stateOf(answer.data.id)).state).toBe("processing");
  await site.simulator.advance(24 * 3_600_000);
  await site.settleOpen(3_600_000, 6);
  expect((await stateOf(answer.data.id)).state).toBe("succeeded");
});

test("REL-1: a charge that the provider's search shows late is not given up too early", async () => {
  await site.simulator.installFault({ match: {}, do: "reset_after" });
  await site.simulator.installFault({ match: {}, do: "search_lag", ms: 15_000 });
  const { answer } = await site.give(await site.visitor());
  await site.services.payments.tick(site.clock.now());
  expect((await stateOf(answer.data.id)).state).toBe("processing");
  await site.simulator.advance(20_000);
  await site.settleOpen();
  expect((await stateOf(answer.data.id)).state).toBe("succeeded");
});

test("REL-1: while the provider's books cannot be read, a payment stays open and is checked again", async () => {
  await site.simulator.installFault({ match: {}, do: "reset_after" });
  await site.simulator.installFault({ match: {}, do: "search_500" });
  const { answer } = await site.give(await site.visitor());
  await site.settleOpen(6000, 3);
  expect((await stateOf(answer.data.id)).state).toBe("processing");
  await site.simulator.clearFaults();
  await site.settleOpen(20_000);
  expect((await stateOf(answer.data.id)).state).toBe("succeeded");
});

test("REL-1: two processes that reconcile at the same time settle a payment once", async () => {
  await site.simulator.installFault({ match: {}, do: "error_500_after", times: 1 });
  const { answer } = await site.give(await site.visitor());
  site.clock.advance(2000);
  await Promise.all(Array.from({ length: 8 }, () => site.services.payments.tick(site.clock.now())));
  const { rows } = await site.pool.query("select to_state from payment_events where attempt_id = $1 order by id", [
    answer.data.id,
  ]);
  expect(rows.map(({ to_state }) => to_state)).toEqual(["submitting", "unknown", "succeeded"]);
});

test("DON-22: an outcome that arrives eight times at the same time is posted once", async () => {
  await site.simulator.installFault({ match: {}, do: "error_500_after", times: 1 });
  const { answer } = await site.give(await site.visitor());
  const attempt = (await findAttempt(site.database, answer.data.id))!;
  const { outcomes } = await site.services.providers.payway.findByOrderReference(attempt.order_reference);
  const subject = site.services.subject;
  const settled = await Promise.all(
    Array.from({ length: 8 }, () =>
      settle({ database: site.database, subject }, attempt, outcomes[0]!, {
        actor: "reconciler",
        now: site.clock.now(),
      }),
    ),
  );
  expect(settled.map(({ state }) => state)).toEqual(Array(8).fill("succeeded"));
  const { rows } = await site.pool.query(
    "select count(distinct transaction_id) as postings from ledger_entries where attempt_id = $1",
    [attempt.id],
  );
  expect(rows[0].postings).toBe(1);
});

test("DON-16: a payer who was told to wait gets the outcome by email", async () => {
  await site.simulator.installFault({ match: {}, do: "reset_before" });
  const { answer } = await site.give(await site.visitor());
  await site.simulator.clearFaults();
  await site.settleOpen();
  const { rows } = await site.pool.query(
    "select data->>'template' as template from pgboss.job where data->>'attemptId' = $1",
    [answer.data.id],
  );
  expect(rows.map(({ template }) => template)).toContain("payment-outcome");
});

test("DON-22: the card token is forgotten as soon as a payment is settled", async () => {
  await site.give(await site.visitor());
  const { rows } = await site.pool.query("select count(*) from payment_attempts where instrument is not null");
  expect(rows[0].count).toBe(0);
});
