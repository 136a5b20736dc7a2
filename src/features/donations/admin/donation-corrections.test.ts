import { afterAll, beforeAll, expect, test } from "vitest";
import { makeUser } from "#database/factories.ts";
import { type DonationPages, fieldsOf, openDonationPages, wordsOf } from "#test/donation-pages.ts";
import { readPage } from "#test/read-page.ts";
import { joinGuestDonations } from "../server/guest-donations.ts";

let site: DonationPages;
beforeAll(async () => {
  site = await openDonationPages();
});
afterAll(() => site.close());

type Browser = Awaited<ReturnType<DonationPages["logIn"]>>;

/**
 * Fills in a form of the page and sends it for the first time; returns the fields of the second form, which asks to
 * check it.
 */
async function check(browser: Browser, action: string, typed: Record<string, string> = {}) {
  const page = action.replace(/(\/admin\/donations\/[^/]+)\/(\w+)$/, "$1?act=$2");
  const { html } = await browser.get(page);
  const checking = await browser.post(action, { ...fieldsOf(html, action), ...typed, step: "check" });
  const isShown = checking.status === 200;
  return { ...checking, fields: isShown ? { ...fieldsOf(checking.html, action), step: "send" } : {} };
}

const pathOf = (id: string, act: string) => `/admin/donations/${id}/${act}`;

test("DSK-5: the receipt is sent to the same address again, after the email was shown", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  const { html, fields } = await check(treasurer, pathOf(id, "receipt"));
  expect(await site.jobsOf(id)).toEqual([]);
  const { number } = (await site.receiptsOf(id))[0].data;
  expect(wordsOf(html)).toContain(`Your receipt ${number} again`);
  expect(readPage(html).querySelector("button[value=send]")!.textContent).toBe("Send it to amina@example.com");
  expect(html).not.toMatch(/key=[\w-]{10}/);

  const sent = await treasurer.post(pathOf(id, "receipt"), fields);
  expect([sent.status, sent.to]).toEqual([303, `/admin/donations/${id}`]);
  const [job] = await site.jobsOf(id);
  const mail = await site.mailOf(job!);
  expect(mail).toMatchObject({ recipient: "amina@example.com", subject: `Your receipt ${number} again` });
  expect(mail.attachments).toMatchObject([{ filename: `receipt-${number}.pdf` }]);
  // The email that was sent is the one that was shown, except for its link.
  const shown = readPage(html).querySelector(".email .typed")!.textContent!;
  expect(mail.text.replace(/key=\S+/, "key=…").trim()).toBe(shown.trim());
  expect(await site.actsOf(id)).toMatchObject([{ verb: "donation.send-receipt", after: { receipt: number } }]);
});

test("DSK-12: all links to a receipt are ended with a reason; one that is sent afterwards works", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  const resend = async () => {
    await treasurer.post(pathOf(id, "receipt"), {
      to: "amina@example.com",
      step: "send",
      checked: "amina@example.com",
    });
    const mail = await site.mailOf((await site.jobsOf(id)).at(-1)!);
    return /\/receipts\/\S+key=\S+/.exec(mail.text)![0];
  };
  const open = async (link: string) => (await (await site.visitor()).ask({ url: link })).statusCode;
  const first = await resend();
  expect(await open(first)).toBe(200);
  site.clock.advance(1000);
  const shown = await treasurer.get(`/admin/donations/${id}?act=links`);
  expect(wordsOf(shown.html)).toContain("stops working, whoever has it");
  const empty = await treasurer.post(pathOf(id, "links"), { reason: " " });
  expect(empty.status).toBe(422);
  expect(await open(first)).toBe(200);
  const reason = "It went to a namesake";
  expect((await treasurer.post(pathOf(id, "links"), { reason })).status).toBe(303);
  expect(await open(first)).toBe(410);
  expect((await site.actsOf(id)).at(-1)).toMatchObject({ verb: "donation.end-links", actor: treasurer.name, reason });
  site.clock.advance(1000);
  expect(await open(await resend())).toBe(200);
  const auditor = await site.logIn("auditor");
  expect((await auditor.post(pathOf(id, "links"), { reason })).status).toBe(403);
});

test("DSK-5: it is sent at most three times a day, the donor's own requests included", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  const fields = { to: "amina@example.com", step: "send", checked: "amina@example.com" };
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await treasurer.post(pathOf(id, "receipt"), fields)).status);
  expect(statuses).toEqual([303, 303, 303, 409]);
  expect(await site.jobsOf(id)).toHaveLength(3);
  expect(await site.actsOf(id)).toHaveLength(3);
});

test("DSK-5: a form that skips the check, or whose address has changed since it was shown, sends nothing", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  for (const fields of [{ to: "amina@example.com" }, { to: "amina@example.com", step: "send", checked: "other" }]) {
    expect((await treasurer.post(pathOf(id, "receipt"), fields)).status).toBe(200);
  }
  const stale = { to: "old@example.com", step: "send", checked: "old@example.com" };
  expect((await treasurer.post(pathOf(id, "receipt"), stale)).status).toBe(409);
  expect(await site.jobsOf(id)).toEqual([]);
});

test("DSK-6: the receipt goes to the corrected address, links sent to the old one stop working, and the audit trail has no whole address", async () => {
  const id = await site.donate();
  const first = await site.mailOf({ template: "receipt", donationId: id });
  const old = new URL(/http:\/\/\S+\?key=\S+/.exec(first.text)![0]);
  expect((await site.app.inject(old.pathname + old.search)).statusCode).toBe(200);
  const treasurer = await site.logIn("treasurer");
  const { html, fields } = await check(treasurer, pathOf(id, "email"), { email: "amna@example.net" });
  expect(wordsOf(html)).toContain("Links to the receipt that went to the old address stop working.");
  expect(wordsOf(html)).toContain("Correct it and send to amna@example.net");
  const done = await treasurer.post(pathOf(id, "email"), fields);
  expect(done.status).toBe(303);

  expect((await site.donationOf(id)).email).toBe("amna@example.net");
  expect((await site.app.inject(old.pathname + old.search)).statusCode).toBe(410);
  const mail = await site.mailOf((await site.jobsOf(id))[0]!);
  expect(mail.recipient).toBe("amna@example.net");
  const fresh = new URL(/http:\/\/\S+\?key=\S+/.exec(mail.text)![0]);
  site.clock.advance(5);
  expect((await site.app.inject(fresh.pathname + fresh.search)).statusCode).toBe(200);
  const acts = await site.actsOf(id);
  expect(acts).toMatchObject([
    { verb: "donation.correct-email", before: { email: "a…@example.com" }, after: { email: "a…@example.net" } },
  ]);
  expect(JSON.stringify(acts)).not.toMatch(/amina@|amna@/);
  expect((await site.receiptsOf(id)).map(({ voided_at }) => voided_at)).toEqual([null]);
});

test("DSK-6: a correction after ten minutes asks who it is first, and keeps what was typed", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  await site.pool.query("update staff_sessions set proved_at = proved_at - interval '11 minutes' where staff_id = $1", [
    treasurer.id,
  ]);
  const confirms = site.app.hasRoute({ method: "GET", url: "/admin/confirm" });
  const fields = { email: "amna@example.net", was: "amina@example.com", step: "send", checked: "amna@example.net" };
  const asked = await treasurer.post(pathOf(id, "email"), fields);
  expect(asked.status).toBe(confirms ? 401 : 500);
  expect((await site.donationOf(id)).email).toBe("amina@example.com");
});

test("DSK-6: an invalid, unchanged or too long address gets an error at its field, and what was typed stays", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  for (const [email, says] of [
    ["", "Email is required"],
    ["amina", "Please enter a valid email address"],
    ["amina@example.com", "This is the address we have"],
    ["<script>@example.com", "Please enter a valid email address"],
    [`${"x".repeat(10_000)}@example.com`, "Enter an email of at most 254 characters"],
  ] as const) {
    const refused = await check(treasurer, pathOf(id, "email"), { email });
    expect(refused.status, email.slice(0, 30)).toBe(422);
    const page = readPage(refused.html);
    expect(page.querySelector("#email .err")!.textContent).toBe(says);
    expect(page.querySelector<HTMLInputElement>("#email-email")!.value).toBe(email);
  }
  expect((await site.donationOf(id)).email).toBe("amina@example.com");
});

test("DSK-7: a corrected name voids the receipt and replaces it; the number stays, and the donor gets the new one", async () => {
  const id = await site.donate();
  const [before] = await site.receiptsOf(id);
  const ledger = await site.ledgerOf(id);
  const treasurer = await site.logIn("treasurer");
  const { html, fields } = await check(treasurer, pathOf(id, "name"), { first_name: "Amna", last_name: "Raza-Ali" });
  expect(wordsOf(html)).toContain(`Receipt ${before.data.number} in the name of Amina Raza becomes void.`);
  expect(wordsOf(html)).toContain("Below, R-… stands for that number.");
  expect(wordsOf(html)).toContain("Dear Amna Raza-Ali,");
  expect((await treasurer.post(pathOf(id, "name"), fields)).status).toBe(303);

  const [old, next] = await site.receiptsOf(id);
  expect(old).toMatchObject({ number: before.number, data: before.data, is_latest: false });
  expect(old.voided_at).not.toBeNull();
  expect(next).toMatchObject({ replaces: before.number, is_latest: true, voided_at: null });
  expect(next.data).toEqual({
    ...before.data,
    donorName: "Amna Raza-Ali",
    number: next.data.number,
    replaces: before.data.number,
    issuedAt: next.data.issuedAt,
  });
  expect(await site.donationOf(id)).toMatchObject({ first_name: "Amna", last_name: "Raza-Ali" });
  expect(await site.ledgerOf(id)).toEqual(ledger);
  const mail = await site.mailOf((await site.jobsOf(id))[0]!);
  expect(mail.subject).toBe(`Your corrected receipt ${next.data.number}`);
  expect(mail.text).toContain(`Your receipt ${before.data.number} is void.`);
  expect(mail.text).toContain(`Receipt ${next.data.number} is attached.`);
  const acts = await site.actsOf(id);
  expect(acts).toMatchObject([{ verb: "donation.correct-name", before: { receipt: before.data.number } }]);
  expect(JSON.stringify(acts)).not.toContain("Raza");
  const words = wordsOf((await treasurer.get(`/admin/donations/${id}`)).html);
  expect(words).toContain("It says Amna Raza-Ali instead of Amina Raza.");
  expect(words).toContain(`Void, replaced by ${next.data.number}`);
});

test("DSK-7: if two tabs correct the same receipt's name at the same time, one succeeds and the other is refused with a sentence", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  const tabs = await Promise.all(
    ["Amna", "Aminah", "Emina"].map((first_name) => check(treasurer, pathOf(id, "name"), { first_name })),
  );
  const answers = await Promise.all(tabs.map(({ fields }) => treasurer.post(pathOf(id, "name"), fields)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
  const refused = answers.find(({ status }) => status === 409)!;
  const page = readPage(refused.html);
  expect(page.querySelector("#name [role=alert]")!.textContent).toContain("Someone else has changed this donation");
  const winner = ["Amna", "Aminah", "Emina"][answers.findIndex(({ status }) => status === 303)];
  expect((await site.donationOf(id)).first_name).toBe(winner);
  expect(await site.receiptsOf(id)).toHaveLength(2);
  expect(await site.jobsOf(id)).toHaveLength(1);
  expect(await site.actsOf(id)).toHaveLength(1);
  const { rows } = await site.pool.query("select count(*)::int as count, max(number)::int as last from receipts");
  expect(rows[0].count).toBe(rows[0].last);
});

test("DSK-7: a name with direction marks, a too long one and the same one are refused; markup is only text", async () => {
  const id = await site.donate();
  const treasurer = await site.logIn("treasurer");
  for (const first_name of ["Amina\u202eazaR", "x".repeat(10_000), "", "Amina"]) {
    const refused = await check(treasurer, pathOf(id, "name"), { first_name });
    expect(refused.status).toBe(422);
    const field = readPage(refused.html).querySelector<HTMLInputElement>("#name-first_name")!;
    expect([field.value, field.getAttribute("aria-invalid")]).toEqual([first_name, "true"]);
  }
  const { html, fields } = await check(treasurer, pathOf(id, "name"), { first_name: "<script>alert(1)</script>" });
  expect(readPage(html).querySelector("main script")).toBeNull();
  expect((await treasurer.post(pathOf(id, "name"), fields)).status).toBe(303);
  const page = readPage((await treasurer.get(`/admin/donations/${id}`)).html);
  expect(page.querySelector("main script")).toBeNull();
  expect(page.querySelector("h1 + .sub bdi")!.textContent).toBe("<script>alert(1)</script> Raza");
});

test("DSK-7: an anonymous gift and a donation without a valid receipt have no name to correct", async () => {
  const id = await site.donate({
    changes: {
      is_anonymous: true,
      donor_first_name: "Anonymous",
      donor_last_name: "User",
      donorName: "Anonymous User",
    },
  });
  const treasurer = await site.logIn("treasurer");
  expect((await treasurer.get(`/admin/donations/${id}`)).html).not.toContain("act=name");
  const [{ data }] = await site.receiptsOf(id);
  const fields = {
    first_name: "Amna",
    last_name: "Raza",
    was: "",
    receipt: data.number,
    step: "send",
    checked: "Amna\nRaza",
  };
  const refused = await treasurer.post(pathOf(id, "name"), fields);
  expect(refused.status).toBe(409);
  expect(wordsOf(refused.html)).toContain("given anonymously");
  expect(await site.receiptsOf(id)).toHaveLength(1);
});

test("DSK-8: a guest's donation moves to the account with its address and out again, and then stays out", async () => {
  const email = "mover@example.com";
  const id = await site.donate({ changes: { donor_email: email, donorEmail: email } });
  const treasurer = await site.logIn("treasurer");
  const page = async () => (await treasurer.get(`/admin/donations/${id}`)).html;
  expect(await page()).not.toContain("/account/");
  expect((await treasurer.post(pathOf(id, "account/join"))).status).toBe(409);
  const user = await makeUser(site.database, { email: "Mover@Example.com" });
  expect((await treasurer.post(pathOf(id, "account/join"))).status, "not confirmed").toBe(409);
  await site.pool.query("update users set email_verified_at = now() where id = $1", [user.id]);

  expect(await page()).toContain(pathOf(id, "account/join"));
  expect((await treasurer.post(pathOf(id, "account/join"))).status).toBe(303);
  expect(Number((await site.donationOf(id)).user_id)).toBe(user.id);
  expect((await treasurer.post(pathOf(id, "account/join"))).status, "again").toBe(409);
  expect((await treasurer.post(pathOf(id, "account/leave"))).status).toBe(303);
  expect((await site.donationOf(id)).user_id).toBeNull();
  expect(await joinGuestDonations(site.database, { userId: user.id, email })).toEqual([]);
  expect((await treasurer.post(pathOf(id, "account/leave"))).status, "again").toBe(409);
  expect((await treasurer.post(pathOf(id, "account/join"))).status).toBe(303);
  expect((await site.actsOf(id)).map(({ verb }) => verb)).toEqual([
    "donation.join-account",
    "donation.leave-account",
    "donation.join-account",
  ]);
});

test("DSK-8: an auditor changes nothing on a donation", async () => {
  const id = await site.donate();
  const auditor = await site.logIn("auditor");
  for (const act of ["note", "receipt", "email", "name", "account/join", "account/leave"]) {
    expect((await auditor.post(pathOf(id, act), { text: "Hello" })).status, act).toBe(403);
  }
  const { html } = await auditor.get(`/admin/donations/${id}?act=email`);
  expect(readPage(html).querySelector("main form")).toBeNull();
  expect(await site.actsOf(id)).toEqual([]);
});
