import { expect, test } from "vitest";
import { testCards } from "#simulators/control.ts";
import { compareBooks, faultsOf, noFaults } from "#test/books.ts";
import { openTestSite, type TestSite } from "#test/site.ts";

const ATTEMPTS = 500;
const ADDRESSES = 50;

type Tally = Record<string, number>;
type Attack = {
  readonly width: number;
  /** Of the site's clock, before each try. */
  readonly pauseMs?: number;
  readonly addressOf?: (nth: number) => string;
  /** Called after so many tries. */
  readonly meanwhile?: { readonly after: number; readonly run: () => Promise<void> };
};

const ofOneNetwork = (nth: number) => `198.51.100.${nth}`;
const ofManyNetworks = (nth: number) => `10.${nth}.0.1`;

/**
 * What a thief does who tests stolen cards: many addresses, a browser and an email of its own for each try, each captcha
 * solved whatever it costs, each token fresh, and every card declined.
 */
async function testCardsOf(
  site: TestSite,
  { width, pauseMs = 0, addressOf = ofOneNetwork, meanwhile }: Attack,
): Promise<Tally> {
  const tally: Tally = {};
  let next = 0;
  const worker = async () => {
    while (next < ATTEMPTS) {
      const attempt = next;
      next += 1;
      site.clock.advance(pauseMs);
      if (attempt === meanwhile?.after) await meanwhile.run();
      const visitor = await site.visitor(addressOf(attempt % ADDRESSES));
      const email = `thief-${attempt}@example.com`;
      const changes = { donor_email: email, donorEmail: email };
      const { answer } = await site.give(visitor, { card: testCards.declined, changes });
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
  const changes = { donor_email: "aunt@example.com", donorEmail: "aunt@example.com", repeat: true };
  const visitor = await site.visitor(address);
  return {
    byCard: async () => (await site.give(visitor, { changes })).answer,
    byPayPal: async () => (await site.givePayPal(visitor, { changes })).answer,
  };
}

const slowProviders = { PROVIDER_TIMEOUT_MS: "5000", BRAINTREE_TIMEOUT_MS: "5000" };

test("DON-25, SEC-4: 500 tries of stolen cards from 50 addresses at once bring at most 30 to the bank, and a true donor gives by card and by PayPal meanwhile", async () => {
  const site = await openTestSite(slowProviders);
  try {
    const donor = await trueDonor(site, "203.0.113.200");
    const given: unknown[] = [];
    const give = async () => void given.push((await donor.byCard()).code, (await donor.byPayPal()).code);
    const tally = await testCardsOf(site, { width: 25, meanwhile: { after: 400, run: give } });
    expect(given).toEqual(["200", "200"]);
    const charges = await chargesOf(site);
    expect(charges - 1).toBeLessThanOrEqual(30);
    expect(tally.payment_declined).toBe(charges - 1);
    expect(Object.keys(tally)).toEqual(expect.arrayContaining(["cards_paused", "payment_declined"]));

    const another = await trueDonor(site, "203.0.114.7");
    expect(await another.byCard()).toMatchObject({ code: "200" });
    expect(faultsOf(await compareBooks(site.pool, await site.simulator.listLedger()))).toEqual(noFaults);
  } finally {
    await site.close();
  }
}, 120_000);

test("DON-25, SEC-4: from 50 networks at once they bring at most 30 as well; who has given before gives by card, anybody by PayPal, and newcomers by card again within ten minutes", async () => {
  const site = await openTestSite(slowProviders);
  try {
    const known = await trueDonor(site, "203.0.113.200");
    expect(await known.byCard()).toMatchObject({ code: "200" });
    await testCardsOf(site, { width: 25, addressOf: ofManyNetworks });
    expect((await chargesOf(site)) - 1).toBeLessThanOrEqual(30);
    expect(await known.byCard()).toMatchObject({ code: "200" });
    const newcomer = await trueDonor(site, "203.0.114.7");
    expect(await newcomer.byPayPal()).toMatchObject({ code: "200" });
    site.clock.advance(10 * 60_000);
    expect(await newcomer.byCard()).toMatchObject({ code: "200" });
  } finally {
    await site.close();
  }
}, 120_000);

test("DON-25, SEC-4: the same 500 tries spread over an hour bring at most 30 to the bank as well, and a true donor gives by card in the middle of it", async () => {
  const site = await openTestSite(slowProviders);
  try {
    const began = site.clock.now().getTime();
    const donor = await trueDonor(site, "203.0.113.201");
    const given: unknown[] = [];
    const give = async () => void given.push((await donor.byCard()).code, (await donor.byPayPal()).code);
    await testCardsOf(site, { width: 1, pauseMs: 7200, meanwhile: { after: 250, run: give } });
    expect(site.clock.now().getTime() - began).toBeGreaterThan(3_590_000);
    expect((await chargesOf(site)) - 1).toBeLessThanOrEqual(30);
    expect(given).toEqual(["200", "200"]);
  } finally {
    await site.close();
  }
}, 120_000);
