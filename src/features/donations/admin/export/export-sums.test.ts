import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeRefund } from "#database/factories.ts";
import { shareOut } from "#payments/refunds/refund-rules.ts";
import { listCreditsLeft } from "#payments/refunds/refund-store.ts";
import { type DonationPages, openDonationPages } from "#test/donation-pages.ts";

let site: DonationPages;
beforeAll(async () => {
  site = await openDonationPages();
});
afterAll(() => site.close());

/** Refunds this much, shared out over the accounts as the site does it. */
async function refund(donationId: string, cents: number) {
  const { rows } = await site.pool.query("select id from payment_attempts where donation_id = $1", [donationId]);
  const shares = shareOut(cents, await listCreditsLeft(site.database, rows[0].id));
  const returns = Object.fromEntries(shares.map((share) => [share.account, share.cents]));
  await makeRefund(site.database, rows[0].id, returns);
}

test("DESK-7: each column of amounts adds up to what the ledger says, to the cent", async () => {
  const inParts = await site.donate();
  const whole = await site.donate();
  await site.donate();
  await refund(inParts, 3333);
  await refund(inParts, 1);
  await refund(whole, 10_658);
  await makeAttempt(site.database, await makeDonation(site.database), { state: "failed" });
  await makeDonation(site.database);

  const { html } = await (await site.logIn("treasurer")).get("/admin/donations.csv");
  const [names, ...rows] = html
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  expect(rows).toHaveLength(8);
  const sumOf = (name: string) =>
    rows.reduce((sum, row) => sum + Math.round(Number(row[names!.indexOf(name)]) * 100), 0);
  const { rows: accounts } = await site.pool.query(
    "select split_part(account, ':', 1) as of, account, sum(amount_cents)::integer as cents from ledger_entries group by 2",
  );
  const ledgerOf = (part: string) =>
    accounts.reduce((sum, { of, account, cents }) => sum + (of === part || account === part ? cents : 0), 0);
  expect(ledgerOf("receivable")).toBe(3 * 10_658 - 3334 - 10_658);
  expect(["Received", "Without fees", "Admin fee", "Merchant fee"].map(sumOf)).toEqual([
    ledgerOf("receivable"),
    -ledgerOf("donations"),
    -ledgerOf("fees:admin"),
    -ledgerOf("fees:merchant"),
  ]);
});

test("DESK-7, REP-2: a refund that the provider confirmed on the next day has the day on which the books have it", async () => {
  const id = await site.donate();
  const { rows } = await site.pool.query("select id from payment_attempts where donation_id = $1", [id]);
  await makeRefund(
    site.database,
    rows[0].id,
    { "donations:sadaqah": 2500 },
    { sent_at: new Date("2026-06-30T13:59:58Z"), settled_at: new Date("2026-06-30T14:00:01Z") },
  );
  const treasurer = await site.logIn("treasurer");
  const { rows: references } = await site.pool.query("select reference from donations where id = $1", [id]);
  const { html } = await treasurer.get(`/admin/donations.csv?q=${references[0].reference}`);
  expect(html).toMatch(/^Refund,2026-07-01,00:00:01,/m);
  const made = await treasurer.get("/admin/refunds/made?from=2026-07-01&to=2026-07-01");
  expect(made.html).toContain(references[0].reference);
});
