import { expect, test } from "vitest";
import { expectBooksAgree } from "#test/expect-books.ts";
import { longTest } from "#test/long-test.ts";
import { openTestSite } from "#test/site.ts";
import { chargesOf, ofManyNetworks, realDonor, testCardsOf } from "./card-thief.ts";

test("DON-25, SEC-4: of 100 stolen cards tried at the same time from 50 addresses at most 30 reach the bank, and a real donor can still pay by card and PayPal", async () => {
  const site = await openTestSite();
  try {
    const donor = await realDonor(site, "203.0.113.200");
    const given: unknown[] = [];
    const give = async () => void given.push((await donor.byCard()).code, (await donor.byPayPal()).code);
    const tally = await testCardsOf(site, { attempts: 100, width: 25, meanwhile: { after: 80, run: give } });
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

longTest(
  "DON-25, SEC-4: of 100 simultaneous tries from 50 networks at most 30 reach the bank; earlier donors can pay by card, anybody by PayPal, and new donors by card again within ten minutes",
  async () => {
    const site = await openTestSite();
    try {
      const known = await realDonor(site, "203.0.113.200");
      expect(await known.byCard()).toMatchObject({ code: "200" });
      await testCardsOf(site, { attempts: 100, width: 25, addressOf: ofManyNetworks });
      expect((await chargesOf(site)) - 1).toBeLessThanOrEqual(30);
      expect(await known.byCard()).toMatchObject({ code: "200" });
      const newcomer = await realDonor(site, "203.0.114.7");
      expect(await newcomer.byPayPal()).toMatchObject({ code: "200" });
      site.clock.advance(10 * 60_000);
      expect(await newcomer.byCard()).toMatchObject({ code: "200" });
    } finally {
      await site.close();
    }
  },
);
