import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAttempt, makeDonation, makeRefund, makeUser } from "#database/factories.ts";
import { type DonationPages, openDonationPages, wordsOf } from "#test/donation-pages.ts";
import { readPage } from "#test/read-page.ts";

let site: DonationPages;
beforeAll(async () => {
  site = await openDonationPages();
});
afterAll(() => site.close());

/** A paid donation of $106.58 on this day. */
async function give(day: string, donation: object, line: object = {}) {
  const at = new Date(`${day}T02:00:00Z`);
  const id = await makeDonation(site.database, { donation: { ...donation, created_at: at }, line });
  const attempt = await makeAttempt(site.database, id, {
    state: "succeeded",
    sent_at: at,
    settled_at: at,
    created_at: at,
  });
  return { id, attempt };
}

const sadaqah = { fund: "sadaqah", category_title: "Sadaqah" };

test("PER-1: a person's page has everything given under their address, however it was written, and nobody else's", async () => {
  const first = await give(
    "2026-03-01",
    { email: "yusuf@example.com", first_name: "Yusuf", last_name: "Ali" },
    sadaqah,
  );
  const second = await give(
    "2026-11-01",
    { email: "Yusuf@Example.com", first_name: "Yousuf", last_name: "Ali" },
    sadaqah,
  );
  const other = await give("2026-11-01", { email: "yusuf@example.com.au" }, sadaqah);
  await makeUser(site.database, { email: "YUSUF@example.com", mobile: "61400000128" });
  const auditor = await site.logIn("auditor");
  for (const id of [first.id, second.id]) {
    const { status, html } = await auditor.get(`/admin/people/${id}`);
    expect(status).toBe(200);
    const rows = [...readPage(html).querySelectorAll("tr[data-id]")];
    expect(rows.map((row) => row.getAttribute("data-id"))).toEqual([second.id, first.id]);
    expect(rows[0]!.querySelector("a")!.getAttribute("href")).toBe(`/admin/donations/${second.id}`);
    const words = wordsOf(html);
    for (const said of ["Yousuf Ali, Yusuf Ali", "+61400000128", "with an account", "address not confirmed"]) {
      expect(words).toContain(said);
    }
    expect(html).not.toContain(other.id);
  }
});

test("PER-2: the sums are per financial year in Sydney, without what was never paid, and say what was refunded", async () => {
  const email = "sums@example.com";
  // The last minute of June in Sydney, and the first of July.
  const june = await give("2026-01-01", { email }, sadaqah);
  await site.pool.query("update payment_attempts set sent_at = '2026-06-30T13:59:00Z' where id = $1", [june.attempt]);
  const july = await give("2026-01-01", { email }, sadaqah);
  await site.pool.query("update payment_attempts set sent_at = '2026-06-30T14:00:00Z' where id = $1", [july.attempt]);
  await makeRefund(site.database, july.attempt, { "donations:sadaqah": 1000 });
  const before = new Date("2025-12-01T02:00:00Z");
  const failed = await makeDonation(site.database, { donation: { email, created_at: before }, line: sadaqah });
  await makeAttempt(site.database, failed, { state: "failed" });
  const { html } = await (await site.logIn("auditor")).get(`/admin/people/${june.id}`);
  const page = readPage(html);
  const years = [...page.querySelectorAll("section[aria-labelledby=years] tbody tr")];
  expect(years.map((row) => [...row.children].map((cell) => cell.textContent!.trim()))).toEqual([
    ["2026–27", "1", "106.58", "10.00", "96.58", "Summary of 2026–27 as a PDF"],
    ["2025–26", "1", "106.58", "0.00", "106.58", "Summary of 2025–26 as a PDF"],
  ]);
  // The same words and sums as the list of their donations.
  expect(wordsOf(html)).toMatch(/Given in all\$213\.16\s*Kept\$203\.16/);
  expect(wordsOf(html)).toMatch(/First donation\s*1 Jan(uary)? 2026/);
  expect(page.querySelectorAll("tr[data-id]")).toHaveLength(3);
});

test("PER-3: what shows faith is hidden without the right; with it each look at the page is recorded once", async () => {
  const { id } = await give("2026-05-01", { email: "hidden@example.com" });
  await give("2026-06-01", { email: "hidden@example.com" });
  const hidden = await (await site.logIn("auditor")).get(`/admin/people/${id}`);
  expect(hidden.html).not.toMatch(/zakat(?! and qurban)/i);
  expect(await site.actsOf(id)).toEqual([]);
  const seen = await (await site.logIn("treasurer")).get(`/admin/people/${id}`);
  expect(wordsOf(seen.html)).toContain("Zakat");
  expect(await site.actsOf(id)).toMatchObject([{ verb: "faith.see" }]);
});

test("PER-4: names are only text, and a person whose data was erased has no page", async () => {
  const { id } = await give("2026-05-01", {
    email: "text@example.com",
    first_name: "<script>alert(1)</script>",
    last_name: "\u202eevil",
  });
  const auditor = await site.logIn("auditor");
  const page = readPage((await auditor.get(`/admin/people/${id}`)).html);
  expect(page.querySelector("main script")).toBeNull();
  expect(page.querySelector("h1 bdi")!.textContent).toBe("<script>alert(1)</script> \u202eevil");
  await site.pool.query("update donations set email = '', first_name = '', last_name = '' where id = $1", [id]);
  expect((await auditor.get(`/admin/people/${id}`)).status).toBe(404);
  expect((await auditor.get("/admin/people/7")).status).toBe(404);
  expect((await (await site.openBrowser()).get(`/admin/people/${id}`)).status).toBe(302);
});

test("PER-11: all that was given as a guest moves to the account at once, but for anonymous gifts and those that staff took out", async () => {
  const email = "halima@example.com";
  const [first, second, anonymous, kept] = [
    await give("2026-01-01", { email }, sadaqah),
    await give("2026-02-01", { email: "Halima@example.com" }, sadaqah),
    await give("2026-03-01", { email, is_anonymous: true }, sadaqah),
    await give("2026-04-01", { email, stays_out_of_account: true }, sadaqah),
  ];
  const treasurer = await site.logIn("treasurer");
  const shown = async () => (await treasurer.get(`/admin/people/${first.id}`)).html;
  const path = `/admin/people/${first.id}/account`;
  expect(await shown()).not.toContain("guest donations to the account");
  expect((await treasurer.post(path)).status).toBe(409);
  const user = await makeUser(site.database, { email, mobile: "61400000177" });
  expect(await shown()).not.toContain("guest donations to the account");
  await site.pool.query("update users set email_verified_at = now() where id = $1", [user.id]);
  expect(wordsOf(await shown())).toContain("Move 2 guest donations to the account");
  expect((await (await site.logIn("auditor")).post(path)).status).toBe(403);
  const sent = await Promise.all([treasurer.post(path), treasurer.post(path)]);
  expect(sent.map(({ status }) => status).sort()).toEqual([303, 409]);
  const { rows } = await site.pool.query("select id from donations where user_id = $1", [user.id]);
  expect(rows.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
  for (const { id } of [first, second])
    expect(await site.actsOf(id)).toMatchObject([{ verb: "donation.join-account" }]);
  for (const { id } of [anonymous, kept]) expect(await site.actsOf(id)).toEqual([]);
  expect(await shown()).not.toContain("guest donations to the account");
});
