import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findAttempt } from "#payments/attempts.ts";
import { refundCrashPoints } from "#payments/crash-points.ts";
import { callFaults } from "#simulators/faults.ts";
import type { ExternalAct } from "#simulators/provider-part.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { expectBooksAgree } from "#test/expect-books.ts";
import { isLongRun } from "#test/long-run.ts";
import { longTest } from "#test/long-test.ts";
import { openTestSite, shortProviderWait, type TestSite } from "#test/site.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const providers = ["payway", "braintree"] as const;
type ProviderName = (typeof providers)[number];

/**
 * In `npm test` one fault of each kind: nothing was done, something was done, and one that must not be resent
 * immediately.
 */
const fewFaults = ["reset_after", "error_503"] as const;

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({
    LIMITS_DECLINES: "1000",
    LIMITS_BREAKER_PAYMENTS: "1000",
    ...(isLongRun && shortProviderWait),
  });
});
afterEach(async () => {
  await site.simulator.clearFaults();
  await settle();
  await expectBooksAgree(site);
});
afterAll(() => site.close());

/** A donation charged by this provider, as it is on the books. */
async function give(provider: ProviderName) {
  const visitor = await site.visitor();
  const { answer } = await (provider === "payway" ? site.give(visitor) : site.givePayPal(visitor));
  expect(answer.data.state).toBe("succeeded");
  return (await findAttempt(site.database, answer.data.id))!;
}
type Attempt = Awaited<ReturnType<typeof give>>;

async function refund({ id: attemptId }: Attempt, amountCents: number | null) {
  const requested = {
    attemptId,
    amountCents,
    requestKey: crypto.randomUUID(),
    requestedBy: "staff",
    reason: "",
  } as const;
  const reply = await site.services.payments.refunds.request(requested);
  if (!reply.ok) throw new Error(reply.problem);
  return reply.refund;
}

const find = (id: string) =>
  site.database.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const refundsOf = ({ id }: Attempt) => site.services.payments.refunds.listOf(id);
const stateOf = async ({ id }: Attempt) => (await findAttempt(site.database, id))!.state;
const tick = () => site.services.payments.tick(site.clock.now());

/** Moves the site's clock and ticks until no refund is open. */
async function settle() {
  for (let step = 0; step < 40; step += 1) {
    await tick();
    const open = await site.pool.query("select 1 from refunds where state not in ('succeeded', 'failed')");
    if (open.rowCount === 0) return;
    site.clock.advance(step < 20 ? 10_000 : 60 * minute);
  }
}

/** Acts at the provider, and gives the hint that a webhook would. */
async function act(attempt: Attempt, what: ExternalAct["do"], amountCents?: number) {
  await site.simulator.actExternally({ do: what, transactionId: attempt.provider_transaction_id!, amountCents });
  await hint(attempt);
}

async function hint({ id }: Attempt) {
  await site.pool.query("update payment_attempts set next_check_at = $2 where id = $1", [id, site.clock.now()]);
  await tick();
}

describe.each(providers)("by %s", (provider) => {
  test("DON-22: a full refund before settlement is a void; a partial one waits until settlement, and the rest follows", async () => {
    const whole = await give(provider);
    const voided = await refund(whole, null);
    await tick();
    expect(await find(voided.id)).toMatchObject({ state: "succeeded", kind: "void" });
    expect(await stateOf(whole)).toBe("refunded");
    const parted = await give(provider);
    const part = await refund(parted, 2500);
    await tick();
    expect(await find(part.id)).toMatchObject({ state: "requested" });
    await site.simulator.advance(day + minute);
    site.clock.advance(day + minute);
    await settle();
    expect(await find(part.id)).toMatchObject({ state: "succeeded", kind: "refund" });
    expect(await stateOf(parted)).toBe("partially_refunded");
    const rest = await refund(parted, null);
    await settle();
    expect(await find(rest.id)).toMatchObject({ state: "succeeded", amount_cents: parted.amount_cents - 2500 });
    expect(await stateOf(parted)).toBe("refunded");
  });

  test.each(isLongRun ? callFaults : fewFaults)(
    "REL-1: after '%s' no refund is lost or made twice, and the books agree",
    async (fault) => {
      const [whole, parted] = [await give(provider), await give(provider)];
      await site.simulator.installFault({ match: { provider, op: "void" }, do: fault, times: 1 });
      await refund(whole, null);
      await settle();
      await site.simulator.advance(day + minute);
      await site.simulator.installFault({ match: { provider, op: "refund" }, do: fault, times: 1 });
      await refund(parted, 2500);
      await settle();
      // Nothing was refunded, so it failed and may be requested again.
      for (const attempt of [whole, parted]) {
        const [made] = await refundsOf(attempt);
        if (made?.state === "failed") await refund(attempt, made.amount_cents);
      }
      await settle();
      expect([await stateOf(whole), await stateOf(parted)]).toEqual(["refunded", "partially_refunded"]);
    },
  );

  test("REL-1: a refund made at the provider, full or partial, is recorded once", async () => {
    const voided = await give(provider);
    const id = voided.provider_transaction_id!;
    await site.simulator.actExternally({ do: "void", transactionId: id });
    const unequal = faultsOf(await compareBooks(site.pool, await site.simulator.listLedger()));
    expect(unequal).toEqual({
      ...noFaults,
      paidWithoutCharge: [voided.order_reference],
      amountsThatDiffer: [voided.order_reference],
      isBalanced: false,
    });
    await hint(voided);
    await hint(voided);
    expect(await refundsOf(voided)).toMatchObject([{ kind: "void", requested_by: "provider", state: "succeeded" }]);
    const parted = await give(provider);
    await site.simulator.advance(day + minute);
    await act(parted, "refund", 1000);
    await site.simulator.actExternally({
      do: "refund",
      transactionId: parted.provider_transaction_id!,
      amountCents: 1000,
    });
    const part = faultsOf(await compareBooks(site.pool, await site.simulator.listLedger()));
    expect(part).toEqual({ ...noFaults, refundsThatDiffer: [parted.order_reference], isBalanced: false });
    await hint(parted);
    expect(await refundsOf(parted)).toMatchObject([{ amount_cents: 1000 }, { amount_cents: 1000 }]);
    expect(await stateOf(parted)).toBe("partially_refunded");
    await act(parted, "refund");
    expect(await stateOf(parted)).toBe("refunded");
  });

  test("REL-1: a refund whose answer is lost is found at the provider, not made again", async () => {
    const attempt = await give(provider);
    await site.simulator.advance(day + minute);
    await site.simulator.installFault({ match: { provider, op: "refund" }, do: "reset_after", times: 1 });
    const { id } = await refund(attempt, 2500);
    await site.services.payments.refunds.tick(site.clock.now());
    await act(attempt, "refund", 300);
    expect(await refundsOf(attempt)).toMatchObject([
      { id, state: "succeeded", amount_cents: 2500, requested_by: "staff" },
      { amount_cents: 300, requested_by: "provider" },
    ]);
  });
});

test("DON-22: a PayPal dispute alerts staff; won it changes nothing, lost it takes the money back", async () => {
  const [won, lost] = [await give("braintree"), await give("braintree")];
  await site.simulator.advance(day + minute);
  for (const attempt of [won, lost]) {
    await act(attempt, "dispute_open");
    expect(await stateOf(attempt)).toBe("disputed");
  }
  await act(won, "dispute_won");
  await act(lost, "dispute_lost");
  expect(await stateOf(won)).toBe("succeeded");
  expect(await stateOf(lost)).toBe("refunded");
  expect(await refundsOf(lost)).toMatchObject([{ kind: "chargeback", requested_by: "provider" }]);
});

test("REL-1: a payment that PayPal declines later is taken off the books", async () => {
  const attempt = await give("braintree");
  await act(attempt, "settlement_decline");
  expect(await stateOf(attempt)).toBe("refunded");
  expect(await refundsOf(attempt)).toMatchObject([{ kind: "reversal", amount_cents: attempt.amount_cents }]);
});

longTest.each(refundCrashPoints)(
  "REL-1: a process killed at '%s' refunds once, and the books say so",
  async (point) => {
    const attempt = await give("payway");
    const { rows } = await site.pool.query("select reference from donations where id = $1", [attempt.donation_id]);
    const ended = await runRefund([rows[0].reference], { CRASH_POINT: point });
    expect(ended).toBe("SIGKILL");
    site.clock.advance(site.config.payments.leaseMs + minute);
    await settle();
    expect(await refundsOf(attempt)).toMatchObject([{ state: "succeeded", amount_cents: attempt.amount_cents }]);
    expect(await stateOf(attempt)).toBe("refunded");
  },
);

/** Runs the command as a process on the site's database and simulators; returns the signal that ended it. */
function runRefund(words: string[], environment: Record<string, string>): Promise<NodeJS.Signals | undefined> {
  const { config, services } = site;
  const settings = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATA_DIR: config.dataDir,
    DATABASE_URL: services.databaseUrl,
    PAYWAY_URL: config.payway.url,
    BRAINTREE_URL: config.braintree.url,
    ...environment,
  };
  const program = join(import.meta.dirname, "../../src/app/commands/refund.ts");
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env: settings }, (error) => resolve(error?.signal ?? undefined));
  });
}
