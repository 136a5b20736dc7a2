import { expect, test } from "vitest";
import { expectBooksAgree } from "#test/expect-books.ts";
import { openTestSite } from "#test/site.ts";
import { chargesOf, realDonor, testCardsOf } from "./card-thief.ts";

test("DON-25, SEC-4: of 500 stolen cards tried at the same time from 50 addresses at most 30 reach the bank, and a real donor can still pay by card and PayPal", async () => {
  const site = await openTestSite();
  try {
    const donor = await realDonor(site, "203.0.113.200");
    const given: unknown[] = [];
    const give = async () => void given.push((await donor.byCard()).code, (await donor.byPayPal()).code);
    const tally = await testCardsOf(site, { attempts: 500, width: 25, meanwhile: { after: 400, run: give } });
    expect(given).toEqual(["200", "200"]);
    const charges = await chargesOf(site);
    expect(charges - 1).toBeLessThanOrEqual(30);
    expect(tally.payment_declined).toBe(charges - 1);
    expect(Object.keys(tally)).toEqual(expect.arrayContaining(["cards_paused", "payment_declined"]));

    const another = await realDonor(site, "203.0.114.7");
    expect(await another.byCard()).toMatchObject({ code: "200" });
    await expectBooksAgree(site);
  } finally {
    await site.close();
  }
});

test("DON-25, SEC-4: of 500 tries over an hour at most 30 reach the bank too, and a real donor pays by card half-way through", async () => {
  const site = await openTestSite();
  try {
    const began = site.clock.now().getTime();
    const donor = await realDonor(site, "203.0.113.201");
    const given: unknown[] = [];
    const give = async () => void given.push((await donor.byCard()).code, (await donor.byPayPal()).code);
    await testCardsOf(site, { attempts: 500, width: 1, pauseMs: 7200, meanwhile: { after: 250, run: give } });
    expect(site.clock.now().getTime() - began).toBeGreaterThan(3_590_000);
    expect((await chargesOf(site)) - 1).toBeLessThanOrEqual(30);
    expect(given).toEqual(["200", "200"]);
  } finally {
    await site.close();
  }
});
