import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";

let site: AdminSite;
let admin: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  admin = await site.logIn("administrator");
});
beforeEach(() => site.pool.query("truncate contact_messages"));
afterAll(() => site.close());

const path = "/admin/messages";

async function write(changes: Partial<{ email: string; subject: string; message: string; created_at: Date }> = {}) {
  const id = randomUUID();
  const typed = { name: "Sana Malik", email: "sana@example.com", phone: "", subject: "Wells", message: "How deep?" };
  const row = { id, client_key: randomUUID(), created_at: site.clock.now(), ...typed, ...changes };
  await site.database.insertInto("contact_messages").values(row).execute();
  return id;
}

const mark = (id: string, from: string, to: string, who = admin) => who.post(`${path}/${id}`, { from, to });
const states = async () => (await site.pool.query("select state, closed_by from contact_messages")).rows;

test("MSG-1: the inbox has the open messages in pages, newest first, and the others under their state", async () => {
  for (let n = 0; n < 30; n += 1) {
    await write({ subject: `Number ${n}`, created_at: new Date(Date.UTC(2026, 10, 1, n)) });
  }
  const closed = await write({ subject: "Closed one" });
  await mark(closed, "open", "answered");
  const subjectsOf = (html: string) => [...readPage(html).querySelectorAll("tbody b")].map((one) => one.textContent);
  const first = await admin.get(path);
  expect(subjectsOf(first.html)).toEqual(Array.from({ length: 25 }, (_, n) => `Number ${29 - n}`));
  const older = readPage(first.html).querySelector('a[href*="older="]')!.getAttribute("href")!;
  const second = await admin.get(older);
  expect(subjectsOf(second.html)).toEqual(["Number 4", "Number 3", "Number 2", "Number 1", "Number 0"]);
  const newer = readPage(second.html).querySelector('a[href*="newer="]')!.getAttribute("href")!;
  expect(subjectsOf((await admin.get(newer)).html)).toEqual(subjectsOf(first.html));
  expect(subjectsOf((await admin.get(`${path}?state=answered`)).html)).toEqual(["Closed one"]);
  await write({ subject: "", message: "Two\n\nlines of this\tmessage, said so" });
  expect(readPage((await admin.get(path)).html).querySelector("tbody .muted")?.textContent).toBe(
    "Two lines of this message, said so",
  );
  expect((await admin.get(`${path}?state=spam`)).html).toContain("No spam");
});

test("MSG-1: an older page whose messages are all marked in the meantime shows the first page, not that all is answered", async () => {
  const ids = [];
  for (let n = 0; n < 26; n += 1) ids.push(await write({ created_at: new Date(Date.UTC(2026, 10, 1, n)) }));
  const first = await admin.get(path);
  const older = readPage(first.html).querySelector('a[href*="older="]')!.getAttribute("href")!;
  await mark(ids[0]!, "open", "answered");
  const { html } = await admin.get(older);
  expect(html).not.toContain("Every message is answered");
  expect(readPage(html).querySelectorAll("tbody tr")).toHaveLength(25);
});

test("MSG-1: a message shows what was written, as it was written, and is answered by email", async () => {
  const message = "Salaam,\n\n<script>alert(1)</script> & more";
  const id = await write({ email: "sana+wells@example.com", subject: "How & when?", message });
  const { html } = await admin.get(`${path}/${id}`);
  const page = readPage(html);
  expect(page.querySelector("main .as-typed")?.textContent).toBe(message);
  expect(page.querySelector("main a[href^=mailto]")?.getAttribute("href")).toBe(
    "mailto:sana%2Bwells@example.com?subject=Re%3A%20How%20%26%20when%3F",
  );
  expect((await admin.get(`${path}/${randomUUID()}`)).status).toBe(404);
  expect((await admin.get(`${path}/none`)).status).toBe(404);
});

test("MSG-2: a message is marked and opened again, and the audit trail says by whom, without a word of it", async () => {
  const id = await write({ subject: "Secret words" });
  expect(await mark(id, "open", "answered")).toMatchObject({ status: 303, to: path });
  expect(await states()).toEqual([{ state: "answered", closed_by: admin.id }]);
  expect(await mark(id, "answered", "open")).toMatchObject({ status: 303, to: `${path}/${id}` });
  expect(await mark(id, "open", "spam")).toMatchObject({ status: 303 });
  const { rows } = await site.pool.query(
    "select verb, to_json(audit_trail)::text as text from audit_trail where subject = 'messages' and subject_id = $1 order by id",
    [id],
  );
  expect(rows.map(({ verb }) => verb)).toEqual(["messages.answer", "messages.reopen", "messages.spam"]);
  for (const { text } of rows) expect(text).not.toMatch(/Secret|Sana|sana@/);
  expect((await admin.get(`${path}/${id}`)).html).toContain("marked as spam");
});

test("ADM-11, MSG-2: Undo in the toast marks the message as it was, unless a colleague has marked it since", async () => {
  const id = await write();
  await mark(id, "open", "spam");
  const undo = readPage((await admin.get(path)).html).querySelector(".toast form")!;
  const fields = Object.fromEntries(
    [...undo.querySelectorAll("input")].map((input) => [input.getAttribute("name")!, input.getAttribute("value")!]),
  );
  const send = () => admin.post(undo.getAttribute("action")!, fields);
  expect((await send()).status).toBe(303);
  expect(await states()).toEqual([{ state: "open", closed_by: null }]);
  expect((await admin.get(`${path}/${id}`)).html).toContain("The message is open again.");
  await mark(id, "open", "answered");
  expect((await send()).status).toBe(409);
  expect(await states()).toEqual([{ state: "answered", closed_by: admin.id }]);
});

test("MSG-2: of several who mark a message at the same moment one decides, and the others are told", async () => {
  const id = await write();
  const answers = await Promise.all(["answered", "spam", "answered", "spam"].map((to) => mark(id, "open", to)));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  const told = answers.filter(({ status }) => status === 409);
  expect(told).toHaveLength(3);
  for (const { html } of told) expect(html).toContain("Somebody has marked this message in the meantime.");
  const acts = await site.pool.query("select 1 from audit_trail where subject = 'messages' and subject_id = $1", [id]);
  expect(acts.rowCount).toBe(1);
});

test("MSG-2: an auditor reads messages without buttons, and an editor sees none", async () => {
  const id = await write();
  const auditor = await site.logIn("auditor");
  const { html } = await auditor.get(`${path}/${id}`);
  expect(html).toContain("How deep?");
  expect(html).not.toContain("Mark as answered");
  expect((await mark(id, "open", "spam", auditor)).status).toBe(403);
  expect((await (await site.logIn("editor")).get(path)).status).toBe(403);
  expect(await states()).toEqual([{ state: "open", closed_by: null }]);
});

test("MSG-3, DASH-4: the dashboard counts open messages and says who wrote, and a person's page lists what the address wrote", async () => {
  const id = await write({ email: "Sana@Example.com", subject: "Wells in Tharparkar" });
  site.clock.advance(1000);
  await write({ email: "sana@example.com", subject: "" });
  expect((await admin.get("/admin")).html).toContain(
    "2 messages of the contact form are not answered: Sana Malik (‘Wells in Tharparkar’) and Sana Malik",
  );
  const person = (await admin.get(`/admin/people/${id}`)).html;
  expect(person).toContain("Wells in Tharparkar");
  expect(person).toContain("No subject");
  expect((await admin.get("/admin/people/7")).status).toBe(404);
});
