import { expect, test } from "vitest";
import { testCards } from "#simulators/control.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { newKey, openTestSite, type TestSite, wirePayment } from "#test/site.ts";

const ATTEMPTS = 500;
const ADDRESSES = 50;

type Tally = Record<string, number>;

/**
 * What a thief does who tests stolen cards: many addresses, a session and an e-mail address of its own for each try, each
 * captcha solved, each token fresh, and every card declined. `pauseMs` of the site's clock passes before each try.
 */
async function testCardsOf(
  site: TestSite,
  { width, pauseMs = 0 }: { width: number; pauseMs?: number },
): Promise<Tally> {
  const tally: Tally = {};
  let next = 0;
  const worker = async () => {
    while (next < ATTEMPTS) {
      const attempt = next;
      next += 1;
      site.clock.advance(pauseMs);
      const visitor = await site.visitor(`198.51.100.${attempt % ADDRESSES}`);
      const token = await site.cardToken(testCards.declined);
      const email = `thief-${attempt}@example.com`;
      const changes = { donor_email: email, donorEmail: email };
      const answer = await visitor.post(
        "/api/payway-payment",
        wirePayment(token, await visitor.solveCaptcha(), changes),
        newKey(),
      );
      const said = answer.error ?? answer.code;
      tally[said] = (tally[said] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return tally;
}

const chargesOf = async (site: TestSite) =>
  (await site.simulator.listRequests()).filter(({ op, provider }) => op === "charge" && provider === "payway").length;

/** Somebody else, from elsewhere, who only wants to give. */
async function trueDonor(site: TestSite, address: string) {
  const changes = { donor_email: "aunt@example.com", donorEmail: "aunt@example.com" };
  const visitor = await site.visitor(address);
  return {
    byCard: async () => (await site.give(visitor, { changes })).answer,
    byPayPal: async () => (await site.givePayPal(visitor, { changes })).answer,
  };
}

test("DON-25: 500 tries of stolen cards from 50 addresses at once bring at most 30 to the bank, and a true donor gives by PayPal at once, by card five minutes later", async () => {
  const site = await openTestSite({ PROVIDER_TIMEOUT_MS: "5000", BRAINTREE_TIMEOUT_MS: "5000" });
  try {
    const tally = await testCardsOf(site, { width: 25 });
    const charges = await chargesOf(site);
    expect(charges).toBeLessThanOrEqual(30);
    expect(tally.payment_declined).toBe(charges);
    expect(Object.keys(tally).sort()).toEqual(["cards_paused", "payment_declined"]);

    const donor = await trueDonor(site, "203.0.113.200");
    expect(await donor.byCard()).toMatchObject({ code: "429", error: "cards_paused" });
    const { payway } = (await site.app.inject("/api/checkout")).json().data;
    expect(payway.message).toBe("Card payments are not available for a few minutes. You can pay by PayPal.");
    expect(await donor.byPayPal()).toMatchObject({ code: "200" });
    site.clock.advance(5 * 60_000);
    expect(await donor.byCard()).toMatchObject({ code: "200" });
    expect(faultsOf(await compareBooks(site.pool, await site.simulator.listLedger()))).toEqual(noFaults);
  } finally {
    await site.close();
  }
}, 120_000);

test("DON-25: the same 500 tries spread over an hour bring at most 30 to the bank as well, and a true donor is let in between pauses", async () => {
  const site = await openTestSite({ PROVIDER_TIMEOUT_MS: "5000", BRAINTREE_TIMEOUT_MS: "5000" });
  try {
    const began = site.clock.now().getTime();
    await testCardsOf(site, { width: 1, pauseMs: 7200 });
    expect(site.clock.now().getTime() - began).toBeGreaterThan(3_590_000);
    expect(await chargesOf(site)).toBeLessThanOrEqual(30);
    const donor = await trueDonor(site, "203.0.113.201");
    expect(await donor.byPayPal()).toMatchObject({ code: "200" });
    // The longest pause.
    site.clock.advance(30 * 60_000);
    expect(await donor.byCard()).toMatchObject({ code: "200" });
  } finally {
    await site.close();
  }
}, 120_000);
