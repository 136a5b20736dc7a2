import { afterEach, beforeEach, expect, test } from "vitest";
import { registerUser } from "../accounts.ts";
import { type AdminSite, openAdminSite } from "../admin-site.ts";
import { expectBooksAgree } from "../expect-books.ts";
import {
  applyAsLeaver,
  doEverything,
  donateAsLeaver,
  leaver,
  leaverTexts,
  sendAllEmails,
  writeAsLeaver,
} from "../leaver.ts";
import { findText } from "../personal-data.ts";
import { readArchive } from "../read-archive.ts";
import { readPage } from "../read-page.ts";
import { compareTickets, ticketsAgree } from "../ticket-books.ts";

let site: AdminSite;
let administrator: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeEach(async () => {
  site = await openAdminSite();
  administrator = await site.logIn("administrator");
});
afterEach(() => site.close());

const { firstName, lastName, email, mobile } = leaver;
const member = { firstName, lastName, email, mobile };
const reason = "Asked by email on 3 May.";
const erase = (id: string, fields: object = {}) =>
  administrator.post(`/admin/people/${id}/erase`, { email: leaver.email, reason, ...fields });
const read = async (text: string, values: unknown[] = []) => (await site.pool.query(text, values)).rows;
const wordsOf = (html: string) => readPage(html).querySelector("main")!.textContent!.replace(/\s+/g, " ");

async function firstDonation(): Promise<string> {
  const [row] = await read("select id from donations where lower(email) = $1 order by created_at limit 1", [
    leaver.email,
  ]);
  return row.id;
}

/** A guest of the leaver's address who gave once and wrote once; the id of the donation. */
async function makeGuest(): Promise<string> {
  const guest = await site.visitor("198.51.100.20");
  expect((await donateAsLeaver(site, guest)).answer.code).toBe("200");
  await writeAsLeaver(guest);
  return firstDonation();
}

test("PER-7: the download has everything under the address, also of other accounts and guests, and nothing of anybody else", async () => {
  const { visitor, user } = await registerUser(site, undefined, member);
  await doEverything(site, visitor, user.id);
  const stranger = await registerUser(site, await site.visitor("198.51.100.21"), { firstName: "Wilhelmina" });
  const upper = { donor_email: email.toUpperCase(), donorEmail: email.toUpperCase(), user_id: stranger.user.id };
  expect((await donateAsLeaver(site, stranger.visitor, upper)).answer.code).toBe("200");
  const guest = await site.visitor("198.51.100.22");
  const hidden = {
    is_anonymous: true,
    donorName: "Anonymous User",
    donor_first_name: "Anonymous",
    donor_last_name: "User",
  };
  expect((await donateAsLeaver(site, guest, { ...hidden, postal_code: undefined })).answer.code).toBe("200");
  await applyAsLeaver(site, guest);
  expect(
    (await site.give(stranger.visitor, { changes: { user_id: stranger.user.id, repeat: true } })).answer.code,
  ).toBe("200");
  await sendAllEmails(site);
  administrator = await site.logIn("administrator");
  const id = await firstDonation();
  const note = { text: "Rang about the receipt." };
  await administrator.post(`/admin/donations/${id}/note`, note);

  const { rawPayload } = await administrator.visitor.ask({ url: `/admin/people/${id}/data.zip` });
  const files = readArchive(rawPayload);
  const data = JSON.parse(files["person.json"]!);
  expect(data.user).toMatchObject({ email, firstName });
  expect(data.sessions).toHaveLength(1);
  expect(data.donations).toHaveLength(4);
  expect(data.tickets).toHaveLength(3);
  expect(data.messages).toMatchObject([{ message: "I live at 77 Wattlebird Lane.", state: "open" }]);
  expect(data.applications).toHaveLength(2);
  for (const application of data.applications) {
    expect(application).toMatchObject({ emergencyName: leaver.emergencyName, history: [{ event: "received" }] });
    expect(application.photo).toMatch(/^data:image/);
  }
  expect(data.emailsByNumber.map((one: { email: string }) => one.email)).toEqual(
    expect.arrayContaining(["receipt", "tickets", "application-received", "contact-message"]),
  );
  expect(data.whatStaffDid).toMatchObject([
    { act: expect.stringMatching(/ wrote a note on donation D-/), text: note.text },
  ]);
  expect(files["person.html"]).toContain(note.text);
  for (const file of Object.values(files)) expect(file).not.toMatch(/wilhelmina|amina/i);

  const acts = await read(
    "select subject, subject_id, before, after, reason from audit_trail where verb = 'person.export'",
  );
  expect(acts).toEqual([{ subject: "donation", subject_id: id, before: null, after: null, reason: "" }]);
  const shown = wordsOf((await administrator.get("/admin/audit")).html);
  expect(shown).toMatch(/downloaded everything about the person of donation D-/);
});

test("PER-8: before somebody is erased the screen says, feature by feature, what goes, what stays until when, and why", async () => {
  const { visitor, user } = await registerUser(site, undefined, member);
  await doEverything(site, visitor, user.id);
  administrator = await site.logIn("administrator");
  const id = await firstDonation();
  const { html } = await administrator.get(`/admin/people/${id}/erase`);
  const page = readPage(html);
  const titles = [...page.querySelectorAll("main section h2")].map((title) => title.textContent);
  expect(titles).toEqual(
    ["Donations", "Ticket orders", "Account", "Volunteering", "Messages", "Staff and the audit trail"].concat(
      "Emails",
      "Elsewhere",
      "Erase all that goes",
    ),
  );
  const said = wordsOf(html);
  const [receipt] = await read("select issued_at from receipts");
  const sevenYears = receipt.issued_at.getFullYear() + 7;
  for (const words of [
    "Name, email address and post code of their 2 donations",
    "Their receipt, with the names on it: until",
    String(sevenYears),
    "Tax law and the ACNC Act",
    "for “Charity dinner”, with the buyer and the names on the tickets: until",
    "The tickets stay valid until then.",
    "Their account with name, address, mobile number and password",
    "which is withdrawn first",
    "Their message of the contact form",
    "Nobody can change the audit trail.",
  ]) {
    expect(said).toContain(words);
  }
  const auditor = await site.logIn("auditor");
  expect(readPage((await auditor.get(`/admin/people/${id}`)).html).querySelector("#own-data")).toBeNull();
  expect((await auditor.get(`/admin/people/${id}/erase`)).status).toBe(403);
});

test("PER-8: an undecided payment and a refund that waits prevent it, with a link; a dispute only delays its own donation", async () => {
  const id = await makeGuest();
  await site.pool.query("update payment_attempts set state = 'unknown' where donation_id = $1", [id]);
  const prevented = await administrator.get(`/admin/people/${id}/erase`);
  const note = readPage(prevented.html).querySelector(".note.warn")!;
  expect(note.textContent).toMatch(/This has to be settled first.*The payment of donation D-\S+ is not decided yet\./);
  expect(note.querySelector("a")!.getAttribute("href")).toBe(`/admin/donations/${id}`);
  expect(readPage(prevented.html).querySelector("form#erase")).toBeNull();
  const refused = await erase(id);
  expect(refused.status).toBe(409);
  await site.pool.query("update payment_attempts set state = 'succeeded' where donation_id = $1", [id]);
  await site.pool.query(
    `insert into refund_requests (id, donation_id, amount_cents, reason, requested_by, requested_at, left_cents, limit_cents)
     values (gen_random_uuid(), $1, 100, 'x', $2, now(), 100, 0)`,
    [id, administrator.id],
  );
  expect(wordsOf((await administrator.get(`/admin/people/${id}/erase`)).html)).toContain("waits for a second person.");
  expect((await erase(id)).status).toBe(409);
  expect(await read("select first_name from donations")).toEqual([{ first_name: leaver.firstName }]);
  await site.pool.query("update refund_requests set decision = 'declined', decided_by = $1, decided_at = now()", [
    (await site.logIn("administrator")).id,
  ]);
  await site.pool.query("update payment_attempts set state = 'disputed' where donation_id = $1", [id]);
  expect((await erase(id)).status).toBe(303);
  expect(await read("select first_name from donations")).toEqual([{ first_name: leaver.firstName }]);
  expect(await read("select from contact_messages")).toEqual([]);
});

test("PER-9: erasing ends the member's sessions, empties their page, keeps the books and other people, and the audit trail has no name or address", async () => {
  const { visitor, user } = await registerUser(site, undefined, member);
  await site.pool.query("update users set email_verified_at = now()");
  await doEverything(site, visitor, user.id);
  const other = await registerUser(site, await site.visitor("198.51.100.23"));
  expect((await site.give(other.visitor, { changes: { user_id: other.user.id } })).answer.code).toBe("200");
  await sendAllEmails(site);
  const before = await snapshot(other.user.id);
  administrator = await site.logIn("administrator");
  const id = await firstDonation();
  expect((await visitor.ask({ url: "/api/my-data" })).statusCode).toBe(200);
  const link = await read(
    "select text_body as text from mailbox_messages where text_body like '%/receipts/%' and recipient = $1",
    [leaver.email],
  );
  const { pathname, search } = new URL(/http:\/\/\S+\/receipts\/\S+/.exec(link[0].text)![0]);

  const { status, to } = await erase(id);
  expect([status, to]).toEqual([303, "/admin/donations"]);
  expect((await administrator.get(`/admin/people/${id}`)).status).toBe(404);
  expect((await administrator.get(`/admin/people/${id}/erase`)).status).toBe(404);
  expect((await administrator.get(`/admin/people/${id}/data.zip`)).status).toBe(404);
  expect((await visitor.ask({ url: "/api/my-data" })).statusCode).toBe(401);
  expect(await read("select from users where id = $1", [user.id])).toEqual([]);
  expect((await site.app.inject(pathname + search)).statusCode).toBe(410);
  expect(await snapshot(other.user.id)).toEqual(before);
  await expectBooksAgree(site);
  expect(await compareTickets(site.pool)).toEqual(ticketsAgree);

  const acts = await read(
    "select subject, reason, before, after from audit_trail where verb = 'person.erase' order by id",
  );
  expect(acts.map(({ subject }) => subject)).toEqual([
    "donation",
    "donation",
    "ticket_order",
    "ticket_order",
    "ticket_order",
    "application",
    "messages",
  ]);
  expect(acts[0]).toEqual({ subject: "donation", reason, before: null, after: null });
  expect((await findText(site.pool, leaverTexts)).filter((column) => column.startsWith("audit_trail"))).toEqual([]);
  // Whoever is erased can come back, as somebody new.
  const again = await registerUser(site, await site.visitor("198.51.100.24"), member);
  expect((await again.visitor.ask({ url: "/api/my-data" })).json().donations).toEqual([]);
});

/** What the site keeps of another member, and the books. */
async function snapshot(userId: number) {
  return {
    user: await read("select * from users where id = $1", [userId]),
    donations: await read("select * from donations where user_id = $1", [userId]),
    ledger: await read("select * from ledger_entries order by id"),
    receipts: await read("select * from receipts order by number"),
  };
}

test("PER-9: nobody is erased by another address, without a reason, or from a page of somebody else", async () => {
  const id = await makeGuest();
  const wrong = await erase(id, { email: "somebody@example.com" });
  expect(wrong.status).toBe(422);
  expect(readPage(wrong.html).querySelector("#erase .err")!.textContent).toBe("This is not their email address");
  expect((await erase(id, { reason: " " })).status).toBe(422);
  expect((await erase("00000000-0000-4000-8000-000000000000")).status).toBe(404);
  expect(await read("select email from donations")).toEqual([{ email: leaver.email }]);
  expect((await erase(id, { email: ` ${leaver.email.toUpperCase()} ` })).status).toBe(303);
});

test("PER-10: of several who erase a person at the same moment one does, and the person is erased once", async () => {
  const { visitor, user } = await registerUser(site, undefined, member);
  await doEverything(site, visitor, user.id);
  administrator = await site.logIn("administrator");
  const id = await firstDonation();
  const statuses = (await Promise.all([1, 2, 3, 4].map(() => erase(id)))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  for (const status of statuses) expect([303, 404, 409]).toContain(status);
  const acts = await read("select subject_id from audit_trail where verb = 'person.erase' and subject = 'donation'");
  expect(new Set(acts.map(({ subject_id }) => subject_id)).size).toBe(acts.length);
});

test("PER-10: if the database connection is killed midway nothing is erased, and the next try erases everything", async () => {
  const id = await makeGuest();
  await applyAsLeaver(site, await site.visitor("198.51.100.25"));
  const holder = await site.pool.connect();
  await holder.query("begin");
  // Messages are erased after donations, tickets and applications.
  await holder.query("select from contact_messages for update");
  const erasing = erase(id);
  const waiting = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await read(waiting)).length).toBe(1);
  const found = await findText(site.pool, leaverTexts);
  await site.pool.query(`select pg_terminate_backend(pid) from (${waiting}) waiting`);
  expect((await erasing).status).toBeGreaterThanOrEqual(500);
  await holder.query("rollback");
  holder.release();
  expect(await findText(site.pool, leaverTexts)).toEqual(found);
  expect(await read("select from audit_trail where verb = 'person.erase'")).toEqual([]);
  expect((await erase(id)).status).toBe(303);
  expect((await findText(site.pool, leaverTexts)).filter((column) => !column.startsWith("mailbox_messages."))).toEqual([
    "receipts.data",
  ]);
});

test("PER-10: while a donation is at the provider its donor is not erased; it is charged once, has a receipt, and is in the books", async () => {
  const id = await makeGuest();
  await site.simulator.installFault({ do: "slow", ms: 1500, match: { op: "charge" }, times: 1 });
  const donating = donateAsLeaver(site, await site.visitor("198.51.100.60"));
  const submitting = "select from payment_attempts where state = 'submitting'";
  await expect.poll(async () => (await read(submitting)).length).toBe(1);
  expect((await erase(id)).status).toBe(409);
  expect((await donating).answer.code).toBe("200");
  expect((await erase(id)).status).toBe(303);
  expect(await read("select count(*)::int as receipts from receipts")).toEqual([{ receipts: 2 }]);
  await requireBooks();
});

test("PER-10: donations that guests make while they are erased are charged once, have a receipt, and are in the books", async () => {
  for (let round = 0; round < 6; round += 1) {
    const id = await makeGuestDonation(round);
    const donating = donateAsLeaver(site, await site.visitor(`198.51.100.${60 + round}`));
    const [given, erased] = await Promise.all([donating, eraseSoon(id, round)]);
    expect(given.answer.code).toBe("200");
    expect([303, 409]).toContain(erased.status);
  }
  await site.settleOpen();
  expect(await read("select count(*)::int as receipts from receipts")).toEqual([{ receipts: 12 }]);
  await requireBooks();
});

test("PER-10: a member's donation that meets the erasure of their account is charged once with a receipt, or not at all", async () => {
  for (let round = 0; round < 6; round += 1) {
    const { visitor, user } = await registerUser(site, await site.visitor(`198.51.100.${80 + round}`), member);
    const id = await makeGuestDonation(round);
    const donating = donateAsLeaver(site, visitor, { user_id: user.id });
    const [given, erased] = await Promise.all([donating, eraseSoon(id, round)]);
    if (given.answer.code !== "200") {
      expect(given.answer).toMatchObject({
        money: "untouched",
        message: expect.stringContaining("no longer logged in"),
      });
    }
    expect([303, 409]).toContain(erased.status);
    const [{ donations }] = await read("select count(*)::int as donations from donations");
    const [{ receipts }] = await read("select count(*)::int as receipts from receipts");
    expect(receipts).toBe(donations);
    if (erased.status === 303) continue;
    await site.settleOpen();
    expect((await erase(id)).status).toBe(303);
  }
  await requireBooks();
});

/** The provider's books agree with ours, every receipt has its name, and nobody is erased by half. */
async function requireBooks() {
  await expectBooksAgree(site);
  const unnamed = await read("select number from receipts where data ->> 'donorName' <> $1", [
    `${leaver.firstName} ${leaver.lastName}`,
  ]);
  expect(unnamed).toEqual([]);
  expect(await read("select id from donations where (email = '') <> (first_name = '')")).toEqual([]);
}

async function makeGuestDonation(round: number): Promise<string> {
  const { answer } = await donateAsLeaver(site, await site.visitor(`198.51.100.${30 + round}`));
  expect(answer.code).toBe("200");
  const [row] = await read("select id from donations where reference = $1", [answer.data.reference]);
  return row.id;
}

/** Each round a little later, so that the erasure meets the donation at another step. */
async function eraseSoon(id: string, round: number) {
  for (let turn = 0; turn < round * 40; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return erase(id);
}
