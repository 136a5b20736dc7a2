import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { makeAttempt, makeDonation, makeRefund } from "#database/factories.ts";
import { type DonationPages, openDonationPages, wordsOf } from "#test/donation-pages.ts";
import { readPage } from "#test/read-page.ts";

let site: DonationPages;
beforeAll(async () => {
  site = await openDonationPages();
});
afterAll(() => site.close());

test("DSK-1: one donation's page says what was given, by whom, everything that happened, its receipt and both sides of the books", async () => {
  const id = await site.donate();
  const { status, html } = await (await site.logIn("auditor")).get(`/admin/donations/${id}`);
  expect(status).toBe(200);
  const page = readPage(html);
  expect(page.querySelector("h1")!.textContent).toBe("Donation of $106.58Paid");
  const words = wordsOf(html);
  for (const said of ["Amina Raza gave on ", "amina@example.com", "2144", "Sadaqah"]) {
    expect(words).toContain(said);
  }
  expect(words).toContain("Paid. PayWay approved the charge, and we put it on the books.");
  expect(words).toMatch(/Receipt R-\d{6} was issued/);
  expect(page.querySelector("[aria-labelledby=receipts] tbody th")!.classList).toContain("nowrap");
  expect(words).toContain("Email: The receipt, with thanks, for the donor.");
  expect(words).toContain("by card, as a guest");
  expect(words).toContain("Debits equal credits");
  expect(words).toContain("donations:sadaqah");
  expect(page.querySelectorAll("main form")).toHaveLength(0);
  expect(page.querySelector("main iframe, main script")).toBeNull();
});

test("DSK-1: a donation that was not paid says so, and an address without a donation is not found", async () => {
  const auditor = await site.logIn("auditor");
  const id = await makeDonation(site.database);
  await makeAttempt(site.database, id, { state: "failed", response_code: "05", settled_at: new Date() });
  const words = wordsOf((await auditor.get(`/admin/donations/${id}`)).html);
  expect(words).toContain("$106.58Declined");
  expect(words).toContain("Nothing is on the books, because nothing was charged.");
  expect(words).toContain("No receipt has been issued.");
  for (const none of [crypto.randomUUID(), "7", "%00", "..%2F.."]) {
    expect((await auditor.get(`/admin/donations/${none}`)).status, none).toBe(404);
  }
});

test("DSK-1: while it is open whether a payment was charged, no part of the page says that nothing was", async () => {
  const treasurer = await site.logIn("treasurer");
  for (const state of ["unknown", "processing"] as const) {
    const id = await makeDonation(site.database);
    await makeAttempt(site.database, id, { state });
    const words = wordsOf((await treasurer.get(`/admin/donations/${id}`)).html);
    expect(words).toContain("Nothing is on the books yet: it is not known whether anything was charged.");
    expect(words).toContain("No payment is on the books, so there is nothing to refund.");
    expect(words).not.toMatch(/nothing was charged/i);
    const form = wordsOf((await treasurer.get(`/admin/donations/${id}/refund`)).html);
    expect(form).toContain("No payment is on the books, so there is nothing to refund.");
  }
});

test("DSK-1: a difference that somebody closed is not called resolved, and leads to its day", async () => {
  const id = await site.donate();
  const { rows } = await site.pool.query(
    `insert into reconciliation_findings
       (provider, kind, reference, day, attempt_id, ours_cents, theirs_cents, found_at, last_seen_at)
     select provider, 'amount_differs', order_reference, '2026-11-20', id, 10658, 10685, now(), now()
       from payment_attempts where donation_id = $1 returning id`,
    [id],
  );
  const treasurer = await site.logIn("treasurer");
  const read = async () => (await treasurer.get(`/admin/donations/${id}`)).html;
  const open = await read();
  expect(wordsOf(open)).toContain("The books differ. Theirs: $106.85. Ours: $106.58.");
  expect(open).toContain(`href="/admin/reconciliation/2026-11-20#difference-${rows[0].id}"`);
  const end = (closer: number | null) =>
    site.pool.query(
      `update reconciliation_findings set resolved_at = now(), closed_by = $2::bigint,
              closed_at = case when $2::bigint is not null then now() end,
              closed_reason = case when $2::bigint is not null then 'A test' else '' end where id = $1`,
      [rows[0].id, closer],
    );
  await end(treasurer.id);
  expect(wordsOf(await read())).toContain("The books differed; somebody closed this. Theirs: $106.85.");
  await end(null);
  expect(wordsOf(await read())).toContain("The books differed; this is resolved. Theirs: $106.85.");
});

test("DSK-2: what shows faith is hidden without the right; with it each look is recorded once", async () => {
  const id = await site.donate({ fund: "Zakat" });
  const auditor = await site.logIn("auditor");
  const hidden = await auditor.get(`/admin/donations/${id}`);
  expect(hidden.html).not.toMatch(/zakat(?! and qurban)/i);
  expect(wordsOf(hidden.html)).toContain("Hidden: needs a right");
  const number = (await site.receiptsOf(id))[0].data.number;
  const pdf = `/admin/donations/${id}/receipts/${number}`;
  expect((await auditor.get(pdf)).status).toBe(403);
  expect(await site.actsOf(id)).toEqual([]);

  const treasurer = await site.logIn("treasurer");
  const seen = await treasurer.get(`/admin/donations/${id}`);
  expect(wordsOf(seen.html)).toContain("donations:zakat");
  expect(seen.html).toContain(pdf);
  const look = { verb: "faith.see", actor: treasurer.name, ip_address: "203.0.113.7", before: null, after: null };
  expect(await site.actsOf(id)).toEqual([{ ...look, reason: "" }]);
  expect((await treasurer.get(pdf)).status).toBe(200);
  expect(await site.actsOf(id)).toHaveLength(2);
});

test("DSK-2: looking at a donation without such a fund records nothing", async () => {
  const id = await site.donate();
  await (await site.logIn("treasurer")).get(`/admin/donations/${id}`);
  expect(await site.actsOf(id)).toEqual([]);
});

test("DSK-3: staff open each receipt as a PDF, and none by another donation's address or without logging in", async () => {
  const [id, other] = [await site.donate(), await site.donate()];
  const { number } = (await site.receiptsOf(id))[0].data;
  const auditor = await site.logIn("auditor");
  const { status, headers } = await auditor.get(`/admin/donations/${id}/receipts/${number}`);
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("application/pdf");
  expect(headers["cache-control"]).toBe("private, no-store");
  expect((await auditor.get(`/admin/donations/${other}/receipts/${number}`)).status).toBe(404);
  expect((await auditor.get(`/admin/donations/${id}/receipts/R-1`)).status).toBe(404);
  expect((await (await site.openBrowser()).get(`/admin/donations/${id}/receipts/${number}`)).status).toBe(302);
});

test("DSK-4: a note is kept with its author, shown as it was typed, and nothing in it runs", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  const text = "<script>alert(1)</script> \u202eevil\nsecond line";
  const done = await treasurer.post(`/admin/donations/${id}/note`, { text });
  expect([done.status, done.to]).toEqual([303, `/admin/donations/${id}`]);
  const page = readPage((await treasurer.get(`/admin/donations/${id}`)).html);
  expect(page.querySelector("main script")).toBeNull();
  const quote = page.querySelector(".tl [dir=auto]")!;
  expect(quote.textContent).toBe(`“${text}”`);
  expect(await site.actsOf(id)).toMatchObject([{ verb: "donation.note", actor: treasurer.name, reason: text }]);
});

test("DSK-4, ADM-13: an empty or too long note, or one with a card number, comes back filled and is not stored; an auditor cannot write one", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  const endless = "x".repeat(10_000);
  for (const [text, says] of [
    [" \n ", "Write a note"],
    [endless, "Enter at most 2000 characters"],
    ["Card 4111-1111-1111-1111", "Take the card number out. Its last three digits are enough."],
  ] as const) {
    const refused = await treasurer.post(`/admin/donations/${id}/note`, { text });
    expect(refused.status).toBe(422);
    const page = readPage(refused.html);
    expect(page.querySelector("#note textarea")!.textContent).toBe(text);
    expect(page.querySelector("#note .err")!.textContent).toBe(says);
  }
  expect((await (await site.logIn("auditor")).post(`/admin/donations/${id}/note`, { text: "Hello" })).status).toBe(403);
  expect((await treasurer.post(`/admin/donations/${crypto.randomUUID()}/note`, { text: "Hello" })).status).toBe(404);
  expect(await site.actsOf(id)).toEqual([]);
});

test("DSK-1: an email that was not sent, because it had nothing left to say, is not among what happened", async () => {
  const id = await site.donate();
  const { rows } = await site.pool.query("select id from payment_attempts where donation_id = $1", [id]);
  const { refund } = await makeRefund(
    site.database,
    rows[0].id,
    { "donations:sadaqah": 10_658 },
    { kind: "chargeback" },
  );
  await site.services.jobs.send(site.database, "emails", { template: "refund", refundId: refund.id });
  await site.services.jobs.work("emails", sendEmails(site.services));
  const job = "select state from pgboss.job where data ->> 'refundId' = $1";
  await expect.poll(async () => (await site.pool.query(job, [refund.id])).rows[0].state).toBe("completed");
  const words = wordsOf((await (await site.logIn("treasurer")).get(`/admin/donations/${id}`)).html);
  expect(words).toContain("Email: The receipt, with thanks, for the donor.");
  expect(words).not.toContain("News of the refund");
});
