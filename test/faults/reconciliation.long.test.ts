import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProviderName } from "#payments/tables.ts";
import { addDays, dayInSydney, startOfDayInSydney } from "#shared/language.ts";
import { testCards } from "#simulators/control.ts";
import { openTestSite, type TestSite } from "../site.ts";
import { createPlanter, type Planted, type ProviderPayment } from "./planted-differences.ts";

const hour = 3_600_000;

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ RECONCILE_DAYS: "3" });
  await passUntil(addDays(dayInSydney(site.clock.now()), 1), 12);
});
afterAll(() => site.close());

/** Moves the site's and the providers' clocks to an hour of a day in Sydney. */
async function passUntil(day: string, hours: number) {
  const ms = startOfDayInSydney(day).getTime() + hours * hour - site.clock.now().getTime();
  site.clock.advance(ms);
  await site.simulator.advance(ms);
}

async function pay(provider: ProviderName, count: number): Promise<ProviderPayment[]> {
  const visitor = await site.visitor();
  const paid: ProviderPayment[] = [];
  for (let made = 0; made < count; made += 1) {
    const again = { changes: { repeat: true } };
    const { answer } = await (provider === "payway" ? site.give(visitor, again) : site.givePayPal(visitor, again));
    expect(answer.code, answer.message).toBe("200");
    const { rows } = await site.pool.query("select provider_transaction_id as id from payment_attempts where id = $1", [
      answer.data.id,
    ]);
    paid.push({ id: answer.data.id, provider, transactionId: rows[0].id });
  }
  return paid;
}

async function refund({ id }: ProviderPayment, amountCents: number | null) {
  const { refunds } = site.services.payments;
  const requested = { attemptId: id, amountCents, requestKey: `test ${id}`, requestedBy: "staff", reason: "" } as const;
  const reply = await refunds.request(requested);
  if (!reply.ok) throw new Error(reply.problem);
  expect((await refunds.run(reply.refund.id)).state).toBe("succeeded");
}

async function decline(): Promise<string> {
  const { answer } = await site.give(await site.visitor(), { card: testCards.declined });
  expect(answer.code).toBe("402");
  return answer.data.id;
}

/** What a day's runs found, open or corrected, and their totals. */
async function reconcile(day: string) {
  const before = site.clock.now();
  site.clock.advance(1000);
  const { report, busy } = await site.services.reconciliation.run(day);
  expect(busy).toEqual([]);
  expect(report.runs.map(({ state, detail }) => [state, detail])).toEqual([
    ["done", ""],
    ["done", ""],
  ]);
  const seen = report.findings.filter(({ last_seen_at }) => last_seen_at > before);
  return { report, seen, open: report.findings.filter(({ resolved_at }) => resolved_at === null) };
}

const nameOf = ({ kind, provider, attempt_id }: { kind: string; provider: string; attempt_id: string | null }) =>
  `${kind} ${provider} ${attempt_id ?? ""}`.trim();
const nameOfPlanted = ({ kind, provider, attemptId }: Planted) => `${kind} ${provider} ${attemptId}`.trim();

test("REL-1: reconciliation finds and names 50 planted differences of all kinds, and nothing else", async () => {
  const first = dayInSydney(site.clock.now());
  const day = addDays(first, 1);
  const cards = await pay("payway", 17);
  const paypal = await pay("braintree", 16);
  const declined = [await decline(), await decline(), await decline(), await decline()];
  await refund(cards[0]!, null);
  await refund(paypal[0]!, null);

  await passUntil(day, 13);
  for (const payment of [cards[1]!, cards[2]!, paypal[1]!, paypal[2]!]) await refund(payment, 400);
  const fresh = { payway: await pay("payway", 3), braintree: await pay("braintree", 4) };
  const calm = await reconcile(day);
  expect(calm.seen).toEqual([]);
  for (const { provider, provider_cents, ledger_cents, transactions } of calm.report.runs) {
    const taken = provider === "payway" ? 3 * 10_658 : 4 * 10_815;
    expect([provider_cents, ledger_cents, transactions]).toEqual([
      taken - 800,
      taken - 800,
      provider === "payway" ? 5 : 6,
    ]);
  }

  const plant = createPlanter(site);
  const planted: Planted[] = [];
  for (const provider of ["payway", "braintree"] as const) {
    const [, one, two, ...rest] = provider === "payway" ? cards : paypal;
    const next = () => rest.pop()!;
    planted.push(
      await plant.chargeWithoutPayment(provider),
      await plant.chargeWithoutPayment(provider),
      await plant.chargeWithoutPayment(provider),
      await plant.paymentWithoutCharge(provider),
      await plant.amountDiffers(next(), 100),
      await plant.amountDiffers(next(), -1),
      await plant.currencyDiffers(next()),
      await plant.paidThereAlone(next(), "failed"),
      await plant.paidThereAlone(next(), "not_found"),
      await plant.paidThereAlone(next(), "unknown"),
      await plant.chargedTwice(next()),
      await plant.refundedThere(next(), 300),
      await plant.refundedThere(next(), 10_000),
      await plant.refundMissing(next(), "refund"),
      await plant.refundMissing(next(), "void"),
      await plant.refundAmountDiffers(one!, 25),
      await plant.ledgerDiffers(two!, -50, true),
      await plant.ledgerDiffers(next(), 1),
      await plant.ledgerDiffers(next(), -10_000),
      await plant.doneThere(fresh[provider].pop()!, "void"),
    );
  }
  planted.push(
    await plant.paymentWithoutCharge("payway"),
    await plant.acceptedLate(declined[0]!),
    await plant.acceptedLate(declined[1]!),
    await plant.paidHereAlone(declined[2]!),
    await plant.paidHereAlone(declined[3]!),
    await plant.doneThere(paypal[3]!, "dispute_open"),
    await plant.doneThere(fresh.braintree.pop()!, "settlement_decline"),
    await plant.chargedTwice(fresh.payway.pop()!),
    await plant.chargedTwice(fresh.braintree.pop()!),
    await plant.chargeWithoutPayment("payway"),
  );
  expect(planted).toHaveLength(50);

  const found = await reconcile(day);
  expect(found.seen.map(nameOf).sort()).toEqual(planted.map(nameOfPlanted).sort());
  const bySite = planted.filter(({ mend }) => mend === "site").map(nameOfPlanted);
  const settled = found.seen.filter(({ resolved_at }) => resolved_at !== null);
  expect(settled.map(nameOf).sort()).toEqual(bySite.sort());

  const again = await reconcile(day);
  expect(again.open.map(nameOf).sort()).toEqual(found.open.map(nameOf).sort());
  expect(again.open.map(({ found_at }) => found_at)).toEqual(found.open.map(({ found_at }) => found_at));

  for (const { mend } of planted) if (mend !== "site") await mend();
  expect((await reconcile(day)).open).toEqual([]);
});
