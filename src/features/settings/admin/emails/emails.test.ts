import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { createServices } from "#app/services.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";

let site: AdminSite;
let admin: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  admin = await site.logIn("administrator");
});
afterAll(() => site.close());
beforeEach(async () => {
  await site.pool.query("delete from site_settings where key like 'email.%'");
});

const path = "/admin/settings/emails";
const answer = `${path}/contact-answer`;

/** The fields that an email's screen shows, as a browser would send them untouched. */
function fieldsOf(html: string): Record<string, string> {
  const fields = [
    ...[...html.matchAll(/<input [^>]*name="(from|words\.\w+)"[^>]*>/g)].map(
      ([tag, name]) => [name!, / value="([^"]*)"/.exec(tag)?.[1] ?? ""] as const,
    ),
    ...[...html.matchAll(/<textarea [^>]*name="(words\.\w+)"[^>]*>([\s\S]*?)<\/textarea>/g)].map(
      ([, name, text]) => [name!, text!] as const,
    ),
  ];
  const plain = (text: string) => text.replaceAll("&#x27;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  return Object.fromEntries(fields.map(([name, text]) => [name, plain(text)]));
}

const open = async (screen = answer) => fieldsOf((await admin.get(screen)).html);

/** A message of the contact form, so that there is an email to send. */
async function keepMessage(): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into contact_messages (id, client_key, name, email, phone, subject, message, created_at)
      values (gen_random_uuid(), gen_random_uuid(), 'Amina Raza', 'amina@example.org', '', '', 'Salaam', now())
      returning id`.execute(site.services.database);
  return rows[0]!.id;
}

async function sendAnswer(services: Parameters<typeof sendEmails>[0] = site.services) {
  await sendEmails(services)({ template: "contact-answer", messageId: await keepMessage() });
  const { rows } = await site.pool.query("delete from mailbox_messages returning subject, text_body, html_body");
  return rows[0] as { subject: string; text_body: string; html_body: string };
}

test("SET-6: what an administrator writes is in the next email, in the audit trail, and beside the words as delivered", async () => {
  const saved = await admin.post(answer, {
    ...(await open()),
    "words.subject": "Shukria, from {organisation}",
    "words.urgent": " Urgent?\r\nRing {phone}. ",
  });
  expect([saved.status, saved.to]).toEqual([303, answer]);
  const { name, phone } = site.services.organisation.current();
  const email = await sendAnswer();
  expect(email.subject).toBe(`Shukria, from ${name}`);
  expect(email.text_body).toContain(`Urgent?\nRing ${phone}.`);
  expect(email.html_body).toContain(`<p dir="auto">Urgent?\nRing <bdi>${phone}</bdi>.</p>`);
  const { html } = await admin.get(answer);
  expect(html).toContain("‘{organisation} has your message’");
  expect(html).toContain("changed the texts of the email");
  expect(html).toContain("Before and after");
  expect((await admin.get(path)).html).toContain("Changed here");
});

test("SET-6: an email that waits has the texts that hold when it is composed, in every process", async () => {
  const other = await createServices({ ...site.services });
  try {
    expect((await sendAnswer(other)).text_body).toContain("Thank you for writing to us");
    await admin.post(answer, { ...(await open()), "words.heading": "Shukria" });
    expect((await sendAnswer(other)).text_body).toContain("Shukria");
    await admin.post(`${answer}/delivered`, { from: (await open()).from! });
    expect((await sendAnswer(other)).text_body).toContain("Thank you for writing to us");
  } finally {
    await other.database.destroy();
  }
});

test("PERF-17, SET-6: emails of one moment read the sender's details once, and a change is in those of a second later", async () => {
  const send = sendEmails(site.services);
  const sendOne = async () => send({ template: "contact-answer", messageId: await keepMessage() });
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  onTestFinished(async () => void (await site.pool.query("delete from mailbox_messages")));
  await Promise.all(Array.from({ length: 8 }, sendOne));
  // The edited texts, and the brand.
  expect(query.mock.calls.filter((call) => JSON.stringify(call[0]).includes("site_settings"))).toHaveLength(2);

  await admin.post(answer, { ...(await open()), "words.heading": "Shukria" });
  await sleep(1010);
  await sendOne();
  const { rows } = await site.pool.query("select text_body from mailbox_messages where text_body like '%Shukria%'");
  expect(rows).toHaveLength(1);
});

test("SET-7: a placeholder that is unknown, misspelt or missing gets a sentence at its field, and nothing is saved", async () => {
  const receipt = `${path}/receipt`;
  const refuse = async (fields: Record<string, string>) => {
    const refused = await admin.post(receipt, { ...(await open(receipt)), ...fields });
    expect(refused.status).toBe(422);
    return refused.html;
  };
  expect(await refuse({ "words.greeting": "Salaam {nmae}," })).toContain("Did you mean {name}?");
  expect(await refuse({ "words.greeting": "Salaam {grandmother}," })).toContain(
    "There is no {grandmother} in this email",
  );
  expect(await refuse({ "words.greeting": "Salaam {name," })).toContain("Braces stand for nothing else.");
  expect(await refuse({ "words.thanks": "We got {amount}." })).toContain("Keep {day} in this text");
  const html = await refuse({ "words.subject": "x".repeat(79), "words.greeting": "Salaam {name}!" });
  expect(html).toContain("Shorten this to at most 78 characters.");
  expect(html).toContain("Salaam {name}!");
  const { rows } = await site.pool.query("select * from site_settings where key like 'email.%'");
  expect(rows).toEqual([]);
});

test("SET-7: saved words that are not valid any more are named on the screen, and the words as delivered are sent", async () => {
  const value = { subject: "Hello {nobody}", heading: "Shukria", farewell: "Khuda hafiz" };
  await site.pool.query("insert into site_settings (key, value) values ($1, $2), ('email.birthday', '{}')", [
    "email.contact-answer",
    value,
  ]);
  const email = await sendAnswer();
  expect(email.subject).toBe(`${site.services.organisation.current().name} has your message`);
  expect(email.text_body).toContain("Shukria");
  const { html } = await admin.get(answer);
  expect(html).toContain("‘Hello {nobody}’");
  expect(html).toContain("There is no {nobody} in this email.");
  expect(html).toContain("‘Khuda hafiz’");
  const list = (await admin.get(path)).html;
  expect(list).toContain("Some do not fit");
  expect(list).toContain("birthday");
  expect((await admin.post(answer, await open())).status).toBe(303);
  const { rows } = await site.pool.query("select value from site_settings where key = 'email.contact-answer'");
  expect(rows).toEqual([{ value: { heading: "Shukria" } }]);
});

test("SET-8: 'as delivered' restores one text that is emptied, and the whole email", async () => {
  const delivered = await open();
  const typed = { ...delivered, "words.heading": "Shukria", "words.urgent": "Call {phone}." };
  await admin.post(answer, typed);
  await admin.post(answer, { ...(await open()), "words.urgent": "" });
  expect(await open()).toMatchObject({ "words.urgent": delivered["words.urgent"], "words.heading": "Shukria" });
  expect((await admin.post(`${answer}/delivered`, { from: (await open()).from! })).status).toBe(303);
  const { from, ...words } = await open();
  expect(words).toMatchObject({ ...words, "words.heading": delivered["words.heading"] });
  const { html } = await admin.get(answer);
  expect(html).toContain("restored the delivered texts of the email");
  expect(html).not.toContain("Changed here");
  const { rows } = await site.pool.query("select value from site_settings where key = 'email.contact-answer'");
  expect(rows).toEqual([{ value: {} }]);
});

test("SET-3, SET-8: the second of two editors of an email sees both, and neither saves over nor restores what they did not see", async () => {
  const [mine, theirs] = [await open(), await open()];
  await admin.post(answer, { ...theirs, "words.heading": "Theirs", "words.urgent": "Theirs, {phone}" });
  const restored = await admin.post(`${answer}/delivered`, { from: mine.from! });
  expect(restored.status).toBe(409);
  const refused = await admin.post(answer, { ...mine, "words.heading": "Mine" });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("changed this email while you were writing");
  const both = fieldsOf(refused.html);
  expect(both).toMatchObject({ "words.heading": "Mine", "words.urgent": "Theirs, {phone}" });
  expect((await admin.post(answer, both)).status).toBe(303);
  expect(await open()).toMatchObject({ "words.heading": "Mine", "words.urgent": "Theirs, {phone}" });
});

test("SET-3: of ten forms sent at once over one version one counts, and what SQL changes meanwhile is not lost", async () => {
  const fields = await open();
  const sent = Array.from({ length: 10 }, (_, number) =>
    admin.post(answer, { ...fields, "words.heading": `${number}` }),
  );
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([303, ...Array(9).fill(409)]);
  const mine = await open();
  await site.pool.query(
    "update site_settings set value = '{\"heading\": \"By SQL\"}' where key = 'email.contact-answer'",
  );
  const refused = await admin.post(answer, { ...mine, "words.subject": "Mine" });
  expect([refused.status, refused.html.includes("Somebody outside")]).toEqual([409, true]);
  expect(refused.html).toContain("By SQL");
});

test("SET-9: the whole email is shown with what is typed, as HTML and as text, and nothing is saved", async () => {
  const hostile = '<img src="x" onerror="alert(1)">';
  const shown = await admin.post(`${answer}/preview`, { ...(await open()), "words.heading": hostile });
  expect(shown.status).toBe(200);
  expect(shown.html).not.toContain("<img");
  expect(shown.html).toContain("&lt;img src=&quot;x&quot; onerror=&quot;alert(1)&quot;&gt;");
  expect(shown.html).toMatch(/<iframe [^>]*sandbox srcdoc=/);
  expect(shown.headers["content-security-policy"]).toContain("default-src 'none'; style-src 'unsafe-inline';");
  const wrong = await admin.post(`${answer}/preview`, { ...(await open()), "words.urgent": "{fone}" });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain("Did you mean {phone}?");
  const { rows } = await site.pool.query("select * from site_settings where key like 'email.%'");
  expect(rows).toEqual([]);
});

test("SET-6, SET-9: each email of the list has a screen that explains its placeholders, and a preview", async () => {
  const screens = [...(await admin.get(path)).html.matchAll(/href="(\/admin\/settings\/emails\/[^"]+)"/g)];
  expect(screens.length).toBeGreaterThan(50);
  for (const [, screen] of screens) {
    const { status, html } = await admin.get(screen!);
    expect([screen, status, html.includes("{organisation}")]).toEqual([screen, 200, true]);
    const shown = await admin.post(`${screen}/preview`, fieldsOf(html));
    expect([screen, shown.status, shown.html.includes("srcdoc")]).toEqual([screen, 200, true]);
  }
});

test("SET-6: treasurers and auditors see the words, editors do not, and only administrators with a fresh proof change them", async () => {
  for (const role of ["treasurer", "auditor"] as const) {
    const reader = await site.logIn(role);
    const { html } = await reader.get(answer);
    expect(html).toContain("One of our team will read it");
    expect(html).not.toContain("<textarea");
    expect((await reader.post(`${answer}/preview`)).status).toBe(200);
    expect((await reader.post(answer, { from: "0", "words.heading": "Mine" })).status).toBe(403);
    expect((await reader.post(`${answer}/delivered`, { from: "0" })).status).toBe(403);
  }
  const editor = await site.logIn("editor");
  expect((await editor.get(path)).status).toBe(403);
  expect((await admin.get(`${path}/nothing`)).status).toBe(404);
  const typed = { ...(await open()), "words.heading": "Mine" };
  site.clock.advance(11 * 60_000);
  expect((await admin.post(answer, typed)).status).toBe(401);
});

test("SET-11: earlier words of an email are put into the form, and saved only then", async () => {
  admin = await site.logIn("administrator");
  await admin.post(answer, { ...(await open()), "words.subject": "The first words" });
  const { number } = (
    await site.pool.query("select max(number) as number from setting_versions where key = 'email.contact-answer'")
  ).rows[0];
  await admin.post(answer, { ...(await open()), "words.subject": "The second words" });
  const chosen = `${answer}?version=${number}`;
  expect((await admin.get(answer)).html).toContain(`href="${chosen}"`);
  const { html } = await admin.get(chosen);
  expect(html).toContain(`The form has version ${number}. Nothing is changed until you save.`);
  expect((await sendAnswer()).subject).toBe("The second words");
  expect((await admin.post(answer, fieldsOf(html))).status).toBe(303);
  expect((await sendAnswer()).subject).toBe("The first words");
});
