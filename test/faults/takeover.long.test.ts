import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmPayment, waitFor } from "#payments/checkout/ui/confirm-payment.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { defaultDurations } from "#test/child-site.ts";
import { type CrashFixture, type CrashLife, openCrashFixture } from "./crash-fixture.ts";
import { createScriptedDonor, type SentDonation } from "./donor.ts";

/**
 * From a process's death until the donor knows: two ticks of 2 s until it counts as dead, 5 s to the second check and a
 * tick of 2 s to run it, which sends what was never sent. That is 11 s; the rest is for a busy machine.
 */
const takeoverMs = 20_000;
let fixture: CrashFixture;
let survivor: CrashLife;
beforeAll(async () => {
  fixture = await openCrashFixture("takeover");
  survivor = await fixture.begin("survivor", defaultDurations);
  await survivor.site.start();
});
afterAll(async () => {
  const books = await compareBooks(survivor.db.pool, await fixture.simulator.listLedger());
  await fixture.stop();
  expect(books.donations).toBe(6);
  expect(faultsOf(books)).toEqual(noFaults);
});

const donorAt = (url: string, payPalShare: number) =>
  createScriptedDonor({
    url,
    paywayUrl: fixture.simulator.paywayUrl,
    address: "198.51.100.9",
    random: Math.random,
    payPalShare,
  });

let lastStart: Promise<void> = Promise.resolve();

/** One start at a time: five at once would keep a small machine busy for longer than the measured wait. */
async function begin(name: string, payPalShare = 0, environment: Record<string, string> = {}) {
  const { site } = await fixture.begin(name, defaultDurations, survivor.db);
  lastStart = lastStart.then(() => site.start(environment));
  await lastStart;
  return {
    site,
    donor: donorAt(site.url, payPalShare),
    later: donorAt(survivor.site.url, payPalShare),
  };
}

type Donor = ReturnType<typeof createScriptedDonor>;

/** Milliseconds until the server reports the payment as final. */
async function untilFinal(donor: Donor, donation: SentDonation): Promise<number> {
  const began = Date.now();
  for (;;) {
    const answer = await donor.lookUp(donation);
    const elapsed = Date.now() - began;
    if ((answer.ok && answer.data.state !== "processing") || elapsed > 2 * takeoverMs) return elapsed;
    await sleep(100);
  }
}

/** Waits for the outcome as the page does, with its pauses. */
const page = (donor: Donor, donation: SentDonation) =>
  confirmPayment({
    find: () => donor.lookUp(donation),
    resend: undefined,
    onChallenge: async () => undefined,
    wait: waitFor,
    now: Date.now,
    signal: new AbortController().signal,
  });

async function expectTakenOver(donor: Donor, donation: SentDonation) {
  const [elapsed, verdict] = await Promise.all([untilFinal(donor, donation), page(donor, donation)]);
  expect(verdict).toMatchObject({ kind: "succeeded" });
  expect(elapsed).toBeLessThan(takeoverMs);
  const { rows } = await survivor.db.pool.query("select order_reference from payment_attempts where client_key = $1", [
    donation.key,
  ]);
  const charges = (await fixture.simulator.listLedger()).filter(
    ({ orderReference }) => orderReference === rows[0].order_reference,
  );
  expect(charges.map(({ amountCents }) => amountCents)).toEqual([donation.totalCents]);
}

test.concurrent.each([
  ["inserted", "card", 0],
  ["sending", "card", 0],
  ["answered", "card", 0],
  ["inserted", "PayPal", 1],
  ["answered", "PayPal", 1],
])(
  "REL-8: when a server with default settings dies at '%s' of a payment by %s, another charges it once within 20 s, and the page says so",
  async (point, method, payPalShare) => {
    const { site, donor, later } = await begin(`${point}-${method}`, payPalShare, { CRASH_POINT: point });
    const { donation, body } = await donor.prepare(`${point}-${method}`.toLowerCase());
    const posted = donor.post(donation, body);
    expect(await site.hasDied(), "the server dies").toBe(true);
    await expectTakenOver(later, donation);
    await posted;
  },
);

test.concurrent("REL-8: a payment whose server dies while the bank is charging is taken over too, and charged once", async () => {
  const { site, donor, later } = await begin("under-way");
  const { donation, body } = await donor.prepare("under-way");
  await fixture.simulator.installFault({ match: { op: "charge", token: donation.instrument }, do: "slow", ms: 3000 });
  const posted = donor.post(donation, body);
  while (!(await later.lookUp(donation)).ok) await sleep(50);
  await site.kill();
  await expectTakenOver(later, donation);
  await posted;
});
