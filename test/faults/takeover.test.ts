import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmPayment, waitFor } from "#payments/checkout/ui/confirm-payment.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { defaultDurations } from "#test/child-site.ts";
import { type CrashHouse, type CrashLife, openCrashHouse } from "./crash-house.ts";
import { createDonor, type Gift } from "./donor.ts";

/**
 * From the death of a process until the donor knows: two ticks of 2 s until it counts as dead, 5 s to the second look and a
 * tick of 2 s until that, which sends what was never sent: 11 s, and the rest for a busy machine.
 */
const takeoverMs = 20_000;
const patient = 120_000;
let house: CrashHouse;
let survivor: CrashLife;
beforeAll(async () => {
  house = await openCrashHouse("takeover");
  survivor = await house.begin("survivor", defaultDurations);
  await survivor.site.start();
}, patient);
afterAll(async () => {
  const books = await compareBooks(survivor.db.pool, await house.simulator.listLedger());
  await house.stop();
  expect(books.donations).toBe(6);
  expect(faultsOf(books)).toEqual(noFaults);
});

const donorAt = (url: string, payPalShare: number) =>
  createDonor({ url, paywayUrl: house.simulator.paywayUrl, address: "198.51.100.9", random: Math.random, payPalShare });

let lastStart: Promise<void> = Promise.resolve();

/** One start at a time: five at once would keep a small machine busy for longer than the wait that is measured. */
async function begin(name: string, payPalShare = 0, environment: Record<string, string> = {}) {
  const { site } = await house.begin(name, defaultDurations, survivor.db);
  lastStart = lastStart.then(() => site.start(environment));
  await lastStart;
  return {
    site,
    donor: donorAt(site.url, payPalShare),
    later: donorAt(survivor.site.url, payPalShare),
  };
}

type Donor = ReturnType<typeof createDonor>;

/** Milliseconds until the payment is final, as whoever asks is told. */
async function untilFinal(donor: Donor, gift: Gift): Promise<number> {
  const began = Date.now();
  for (;;) {
    const answer = await donor.look(gift);
    const elapsed = Date.now() - began;
    if ((answer.ok && answer.data.state !== "processing") || elapsed > 2 * takeoverMs) return elapsed;
    await sleep(100);
  }
}

/** The page that waits for the outcome, with its own pauses. */
const page = (donor: Donor, gift: Gift) =>
  confirmPayment({
    find: () => donor.look(gift),
    resend: undefined,
    onChallenge: async () => undefined,
    wait: waitFor,
    now: Date.now,
    signal: new AbortController().signal,
    noun: "donation",
  });

async function expectTakenOver(donor: Donor, gift: Gift) {
  const [elapsed, verdict] = await Promise.all([untilFinal(donor, gift), page(donor, gift)]);
  expect(verdict).toMatchObject({ kind: "succeeded" });
  expect(elapsed).toBeLessThan(takeoverMs);
  const { rows } = await survivor.db.pool.query("select order_reference from payment_attempts where client_key = $1", [
    gift.key,
  ]);
  const charges = (await house.simulator.listLedger()).filter(
    ({ orderReference }) => orderReference === rows[0].order_reference,
  );
  expect(charges.map(({ amountCents }) => amountCents)).toEqual([gift.totalCents]);
}

test.concurrent.each([
  ["inserted", "card", 0],
  ["sending", "card", 0],
  ["answered", "card", 0],
  ["inserted", "PayPal", 1],
  ["answered", "PayPal", 1],
])(
  "REL-8: a server with default settings dies at '%s' of a payment by %s: another charges it once within 20 s, and the page says so",
  async (point, method, payPalShare) => {
    const { site, donor, later } = await begin(`${point}-${method}`, payPalShare, { CRASH_POINT: point });
    const { gift, body } = await donor.prepare(`${point}-${method}`.toLowerCase());
    const posted = donor.post(gift, body);
    expect(await site.hasDied(30_000), "the server dies").toBe(true);
    await expectTakenOver(later, gift);
    await posted;
  },
  patient,
);

test.concurrent(
  "REL-8: a server that dies while the bank is charging is taken over too, and the bank charges once",
  async () => {
    const { site, donor, later } = await begin("under-way");
    const { gift, body } = await donor.prepare("under-way");
    await house.simulator.installFault({ match: { op: "charge", token: gift.instrument }, do: "slow", ms: 3000 });
    const posted = donor.post(gift, body);
    while (!(await later.look(gift)).ok) await sleep(50);
    await site.kill();
    await expectTakenOver(later, gift);
    await posted;
  },
  patient,
);
