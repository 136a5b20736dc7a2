import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRefund } from "#database/factories.ts";
import { type DonationPages, fieldsOf, openDonationPages, wordsOf } from "#test/donation-pages.ts";
import { readPage } from "#test/read-page.ts";

let site: DonationPages;
beforeAll(async () => {
  site = await openDonationPages();
});
afterAll(() => site.close());

type Browser = Awaited<ReturnType<DonationPages["logIn"]>>;
const pathOf = (id: string) => `/admin/donations/${id}/fund`;

/** Sends the form for the first time; returns the fields of the second form, which asks to check it. */
async function check(browser: Browser, id: string, typed: Record<string, string>) {
  const { html } = await browser.get(`/admin/donations/${id}?act=fund`);
  const checking = await browser.post(pathOf(id), { ...fieldsOf(html, pathOf(id)), ...typed, step: "check" });
  const fields = checking.status === 200 ? { ...fieldsOf(checking.html, pathOf(id)), ...typed, step: "send" } : {};
  return { ...checking, fields };
}

test("DSK-9: when a line moves to another fund, the ledger reverses one credit and books the other, and a new receipt says so", async () => {
  const id = await site.donate();
  expect(await site.ledgerOf(id)).toMatchObject({ "donations:sadaqah": -10_000, "receivable:payway": 10_658 });
  const treasurer = await site.logIn("treasurer");
  const reason = "She meant the ambulance.";
  const { html, fields } = await check(treasurer, id, { line: "0:sadaqah", to: "ambulance", reason });
  expect(wordsOf(html)).toContain("It is now for Ambulance.");
  expect((await treasurer.post(pathOf(id), fields)).status).toBe(303);

  expect(await site.ledgerOf(id)).toEqual({
    "receivable:payway": 10_658,
    "donations:sadaqah": 0,
    "donations:ambulance": -10_000,
    "fees:admin": -500,
    "fees:merchant": -158,
  });
  const [old, next] = await site.receiptsOf(id);
  expect(old.voided_at).not.toBeNull();
  expect(next.data).toMatchObject({ replaces: old.data.number, donorName: "Amina Raza", totalCents: 10_658 });
  expect(next.data.lines).toMatchObject([{ title: "Ambulance", lineCents: 10_000 }]);
  const mail = await site.mailOf((await site.jobsOf(id))[0]!);
  expect(mail.text).toContain("It is now for Ambulance.");
  expect(mail.text).toContain(`Your receipt ${old.data.number} is void.`);
  expect(await site.actsOf(id)).toMatchObject([
    { verb: "donation.move-fund", before: { fund: "Sadaqah" }, after: { fund: "Ambulance", cents: 10_000 }, reason },
  ]);
  const words = wordsOf((await treasurer.get(`/admin/donations/${id}`)).html);
  expect(words).toContain("moved $100.00 from Sadaqah to Ambulance.");
  expect(words).toContain("Debits equal credits");
});

test("DSK-9: after a move a refund takes the money out of the new fund", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  const { fields } = await check(treasurer, id, { line: "0:sadaqah", to: "ambulance", reason: "Asked." });
  expect((await treasurer.post(pathOf(id), fields)).status).toBe(303);
  const { rows } = await site.pool.query("select id from payment_attempts where donation_id = $1", [id]);
  const { listCreditsLeft } = await import("#payments/refunds/refund-store.ts");
  expect(await listCreditsLeft(site.database, rows[0].id)).toEqual([
    { account: "fees:admin", cents: 500 },
    { account: "fees:merchant", cents: 158 },
    { account: "donations:ambulance", cents: 10_000 },
  ]);
});

test("DSK-9: if two tabs move the same line at the same time, one succeeds, and the books balance", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  const tabs = await Promise.all(
    ["ambulance", "patient-care"].map((to) => check(treasurer, id, { line: "0:sadaqah", to, reason: "Asked." })),
  );
  const answers = await Promise.all(tabs.map(({ fields }) => treasurer.post(pathOf(id), fields)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  const ledger = await site.ledgerOf(id);
  expect(ledger["donations:sadaqah"]).toBe(0);
  expect([ledger["donations:ambulance"], ledger["donations:patient-care"]].filter(Boolean)).toEqual([-10_000]);
  expect(await site.receiptsOf(id)).toHaveLength(2);
});

test("DSK-9: a line that was refunded, or a fund of another kind for tax, is refused, and nothing is booked", async () => {
  const treasurer = await site.logIn("treasurer");
  const id = await site.donate();
  const base = { line: "0:sadaqah", reason: "Asked.", receipt: (await site.receiptsOf(id))[0].data.number };
  const send = (to: string) =>
    treasurer.post(pathOf(id), { ...base, to, step: "send", checked: `${base.line}\n${to}` });
  const other = await send("qurban");
  expect([other.status, wordsOf(other.html).includes("not deductible, or the other way round")]).toEqual([409, true]);
  expect((await send("none")).status).toBe(409);
  expect((await send("sadaqah")).status).toBe(422);
  const { rows } = await site.pool.query("select id from payment_attempts where donation_id = $1", [id]);
  await makeRefund(site.database, rows[0].id, { "donations:sadaqah": 1000 });
  const before = await site.ledgerOf(id);
  const refunded = await send("ambulance");
  expect(refunded.status).toBe(409);
  expect(wordsOf(refunded.html)).toContain("no part of it can move");
  expect(await site.ledgerOf(id)).toEqual(before);
  expect(await site.actsOf(id)).toEqual([]);
  expect((await treasurer.get(`/admin/donations/${id}`)).html).not.toContain("act=fund");
});

test("DSK-9: when a gift moves, the audit trail does not show who gave Zakat", async () => {
  const id = await site.donate({ fund: "Zakat" });
  const treasurer = await site.logIn("treasurer");
  const { fields } = await check(treasurer, id, { line: "0:zakat", to: "ambulance", reason: "Asked." });
  expect((await treasurer.post(pathOf(id), fields)).status).toBe(303);
  expect(JSON.stringify(await site.actsOf(id))).not.toMatch(/zakat/i);
  // Its books and the void receipt still show it.
  const { html } = await (await site.logIn("auditor")).get(`/admin/donations/${id}`);
  expect(html).not.toMatch(/zakat(?! and qurban)/i);
  expect(wordsOf(html)).toContain("moved $100.00 from a hidden fund to Ambulance.");
  // Whoever may see it reads it in the books, by the fund's name.
  const words = wordsOf((await treasurer.get(`/admin/donations/${id}`)).html);
  expect(words).toContain("moved $100.00 from Zakat to Ambulance.");
  expect(words).toContain("Given for Zakat");
  expect(words).not.toContain("Given for zakat");
});

const erasePath = (id: string) => `/admin/donations/${id}/erase`;
const erasing = { scope: "one", reason: "Asked by phone on 3 May.", email: "amina@example.com" };

test("DSK-10: erasing removes name, address and post code; the receipt, the books and what was given stay", async () => {
  const id = await site.donate();
  const ledger = await site.ledgerOf(id);
  const receipts = await site.receiptsOf(id);
  const link = new URL(
    /http:\/\/\S+\?key=\S+/.exec((await site.mailOf({ template: "receipt", donationId: id })).text)![0],
  );
  const administrator = await site.logIn("administrator");
  const shown = wordsOf((await administrator.get(`/admin/donations/${id}?act=erase`)).html);
  for (const said of ["What goes", "What stays, and why", `Receipt ${receipts[0].data.number} with its name, until`]) {
    expect(shown).toContain(said);
  }
  expect((await administrator.post(erasePath(id), erasing)).status).toBe(303);
  expect(await site.donationOf(id)).toMatchObject({
    first_name: "",
    last_name: "",
    email: "",
    postcode: null,
    user_id: null,
    total_cents: 10_658,
  });
  expect(await site.receiptsOf(id)).toEqual(receipts);
  expect(await site.ledgerOf(id)).toEqual(ledger);
  expect((await site.app.inject(link.pathname + link.search)).statusCode).toBe(410);
  expect(await site.actsOf(id)).toMatchObject([{ verb: "donation.erase", reason: erasing.reason }]);
  const { html, status } = await administrator.get(`/admin/donations/${id}`);
  expect(status).toBe(200);
  expect(wordsOf(html)).toContain("A donor whose data was erased");
  expect(wordsOf(html)).not.toContain("Nothing paid with this address");
  expect(html).not.toContain("amina@example.com");
  expect(readPage(html).querySelector(`[href="/admin/people/${id}"], main .menu`)).toBeNull();
  for (const act of ["email", "receipt", "name", "erase"]) {
    const fields = {
      ...erasing,
      step: "send",
      was: "",
      to: "",
      checked: "",
      first_name: "A",
      last_name: "B",
      receipt: "",
    };
    const sent = act === "email" ? { ...fields, email: "a@example.com", checked: "a@example.com" } : fields;
    const checked = act === "name" ? "A\nB" : sent.checked;
    expect((await administrator.post(`/admin/donations/${id}/${act}`, { ...sent, checked })).status, act).toBe(409);
  }
});

test("DSK-10: with a payment still open the data is erased once it is decided; donations of one address can be erased together", async () => {
  const email = "eraser@example.com";
  const give = () => site.donate({ changes: { donor_email: email, donorEmail: email } });
  const ids = [await give(), await give(), await give()];
  await site.pool.query("update payment_attempts set state = 'disputed' where donation_id = $1", [ids[1]]);
  const administrator = await site.logIn("administrator");
  const fields = { ...erasing, email, scope: "all" };
  const answers = await Promise.all(ids.map((id) => administrator.post(erasePath(id), fields)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
  const kept = await Promise.all(ids.map(async (id) => (await site.donationOf(id)).email));
  expect(kept).toEqual(["", email, ""]);
  await site.pool.query("update payment_attempts set state = 'succeeded' where donation_id = $1", [ids[1]]);
  const { donationHoldings } = await import("../server/retention.ts");
  const rule = donationHoldings.rules.find(({ name }) => name === "donors")!;
  await site.database.transaction().execute((transaction) => rule.erase!(transaction, { now: new Date(), limit: 500 }));
  expect((await site.donationOf(ids[1]!)).email).toBe("");
});

test("DSK-10: erasing needs the right and a reason, and is refused if the data has changed since the form was shown", async () => {
  const id = await site.donate();
  expect((await (await site.logIn("treasurer")).post(erasePath(id), erasing)).status).toBe(403);
  const administrator = await site.logIn("administrator");
  const refused = await administrator.post(erasePath(id), { ...erasing, reason: " " });
  expect(refused.status).toBe(422);
  expect(readPage(refused.html).querySelector("#erase .err")!.textContent).toBe("Say why: who asked, and when");
  expect((await administrator.post(erasePath(id), { ...erasing, email: "old@example.com" })).status).toBe(409);
  expect((await site.donationOf(id)).email).toBe("amina@example.com");
});
