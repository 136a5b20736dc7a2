import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEmails } from "#app/emails.ts";
import { addDays, dayInSydney, formatDay } from "#shared/language.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { wordsOf } from "#test/donation-pages.ts";
import { readPage } from "#test/read-page.ts";
import { makeApplication } from "#test/volunteer-rows.ts";
import { applicantReads } from "../server/applicant.ts";
import type { Stage } from "../stages.ts";

let site: AdminSite;
let coordinator: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  coordinator = await site.logIn("coordinator");
});
afterAll(() => site.close());

const daysAgo = (days: number) => new Date(site.clock.now().getTime() - days * 86_400_000);

/** An application that has been in this stage for some days. */
function apply(name: string, { stage = "received", days = 0, ...changes }: Record<string, unknown> = {}) {
  const at = daysAgo(Number(days));
  return makeApplication(site.database, {
    name,
    stage: stage as Stage,
    created_at: at,
    updated_at: at,
    ...(stage === "approved" ? { roles: ["Events"] } : {}),
    ...(stage === "received" ? {} : { decided_at: at }),
    ...changes,
  });
}

async function applicationOf(id: string) {
  const { rows } = await site.pool.query("select * from volunteer_applications where id = $1", [id]);
  return rows[0];
}

/** The email that waits to be sent to this address last. */
async function lastEmail(to: string) {
  const { rows } = await site.pool.query("select data from pgboss.job where name = 'emails' order by created_on");
  const send = sendEmails(site.services);
  for (const { data } of rows) await send(data);
  await site.pool.query("delete from pgboss.job where name = 'emails'");
  const found = await site.pool.query(
    "select subject, text_body as text from mailbox_messages where recipient = $1 order by sent_at desc, id desc limit 1",
    [to],
  );
  return found.rows[0] as { subject: string; text: string } | undefined;
}

const fieldsOf = (html: string, act: string) => {
  const form = readPage(html).querySelector(`form[action$="/${act}"]`)!;
  const named = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[name]")];
  return Object.fromEntries(
    named.map((field) => [field.getAttribute("name")!, field.value || field.textContent || ""]),
  );
};

test("VOLA-1: the board has the stages as columns, and marks what has waited for us for more than five days", async () => {
  const late = await apply("Noor Late", { days: 6 });
  const fresh = await apply("Hamza Fresh", { days: 4.9 });
  const asked = await apply("Asked Already", { stage: "in_review", days: 9, asked_at: daysAgo(1) });
  const waiting = await apply("Leo Listed", { stage: "waiting", days: 40 });
  const approved = await apply("Chloe Approved", { stage: "approved", days: 3 });
  await apply("Long Approved", { stage: "approved", days: 40 });
  const { html } = await coordinator.get("/admin/volunteers");
  const page = readPage(html);
  const idsIn = (stage: string) =>
    [...page.querySelectorAll(`[data-stage="${stage}"] .vc`)].map((card) => card.getAttribute("data-id"));
  expect(idsIn("received")).toEqual([late, fresh]);
  expect(idsIn("in_review")).toEqual([asked]);
  expect(idsIn("waiting")).toEqual([waiting]);
  expect(idsIn("approved")).toEqual([approved]);
  const marked = [...page.querySelectorAll(".vc .ft .warn")].filter((mark) => mark.textContent.includes("day"));
  expect(marked.map((mark) => mark.closest(".vc")!.getAttribute("data-id"))).toEqual([late]);
  expect(wordsOf(html)).toContain("1 has waited for us for more than five days.");
  expect(wordsOf((await coordinator.get("/admin")).html)).toContain(
    "An application to volunteer has waited for more than five days: Noor Late (6 days)",
  );
});

test("DASH-4: the dashboard names the checks that end within 30 days, soonest first", async () => {
  const today = dayInSydney(site.clock.now());
  for (const [name, days, verified] of [
    ["Sana Soon", 8, true],
    ["Omar Today", 0, true],
    ["Lina Later", 31, true],
    ["Umar Unverified", 5, false],
  ] as const) {
    const id = await apply(name, { stage: "approved", days: 3 });
    await site.pool.query(
      `insert into working_with_children_checks (id, application_id, state, number, kind, expires_on, created_at, verified_at, verified_by)
       values (gen_random_uuid(), $1, 'NSW', 'WWC1234567E', 'volunteer', $2, $3, case when $4 then $3::timestamptz end, case when $4 then 'Priya' end)`,
      [id, addDays(today, days), site.clock.now(), verified],
    );
  }
  const dayOf = (days: number) => formatDay(addDays(today, days), { day: "numeric", month: "long" });
  const { html } = await coordinator.get("/admin");
  expect(wordsOf(html)).toContain(
    `2 Working With Children Checks end within 30 days: Omar Today (${dayOf(0)}) and Sana Soon (${dayOf(8)})`,
  );
  const list = await coordinator.get("/admin/volunteers/list?stage=approved&check=ends");
  expect(wordsOf(list.html)).toContain("Sana Soon");
});

test("VOLA-1: a card says that a check is missing, if what the applicant would do needs one", async () => {
  const without = await apply("Check Less", { interests: ["Events"] });
  const free = await apply("Check Free", { interests: ["Fundraising"] });
  const page = readPage((await coordinator.get("/admin/volunteers")).html);
  const badgeOf = (id: string) => page.querySelector(`[data-id="${id}"] .ft`)!.textContent;
  expect(badgeOf(without)).toContain("Check missing");
  expect(badgeOf(free)).not.toContain("Check");
});

test("VOLA-1: a move without an email is one button; the others lead to the email first; nothing else is permitted", async () => {
  const id = await apply("Move Me");
  const menu = async () => {
    const page = readPage((await coordinator.get("/admin/volunteers")).html);
    return [...page.querySelectorAll(`[data-id="${id}"] [data-to]`)].map((move) => move.getAttribute("data-to"));
  };
  expect(await menu()).toEqual(["in_review", "withdrawn"]);
  const moved = await coordinator.post(`/admin/volunteers/${id}/review`, { version: "1", from: "board" });
  expect(moved).toMatchObject({ status: 303, to: "/admin/volunteers?lane=in_review" });
  expect(await menu()).toEqual(["approved", "waiting", "declined", "withdrawn"]);
  const again = await coordinator.post(`/admin/volunteers/${id}/review`, { version: "1" });
  expect(again.status).toBe(409);
  expect(wordsOf(again.html)).toContain("Someone else has moved this application: it is now in review.");
});

test("VOLA-2: the list is filtered and searched in its address, and a value that makes no sense is reported", async () => {
  const found = await apply("Zubair Weekend", { interests: ["Administration"], availability: "Availability", days: 2 });
  const namesAt = async (query: string) => {
    const page = readPage((await coordinator.get(`/admin/volunteers/list?${query}`)).html);
    return [...page.querySelectorAll("tr[data-id]")].map((row) => row.getAttribute("data-id"));
  };
  expect(await namesAt("q=zub")).toEqual([found]);
  const { reference } = await applicationOf(found);
  expect(await namesAt(`q=${reference.toLowerCase()}`)).toEqual([found]);
  expect(await namesAt("q=zub&days=Weekend")).toEqual([]);
  expect(await namesAt("q=zub&role=Administration&stage=open&days=Availability")).toEqual([found]);
  expect(await namesAt("q=zub&check=missing")).toEqual([]);
  const { html } = await coordinator.get("/admin/volunteers/list?q=zub&stage=nonsense");
  expect(wordsOf(html)).toContain("Choose from the list. Shown without it.");
  expect(html).toContain(found);
});

test("VOLA-2: paging both ways skips and repeats nothing, among applications of the same moment too", async () => {
  const made = [];
  for (let index = 0; index < 60; index += 1) made.push(await apply("Paging Person", { days: 20 }));
  const pages: string[][] = [];
  let next: string | undefined = "/admin/volunteers/list?q=paging";
  let last = "";
  while (next !== undefined) {
    last = next;
    const page = readPage((await coordinator.get(next)).html);
    pages.push([...page.querySelectorAll("tr[data-id]")].map((row) => row.getAttribute("data-id")!));
    next = page.querySelector('a[rel="next"]')?.getAttribute("href") ?? undefined;
  }
  expect(pages.map(({ length }) => length)).toEqual([25, 25, 10]);
  expect(pages.flat().sort()).toEqual(made.sort());
  const back = readPage((await coordinator.get(last)).html)
    .querySelector('a[rel="prev"]')!
    .getAttribute("href")!;
  const before = readPage((await coordinator.get(back)).html);
  expect([...before.querySelectorAll("tr[data-id]")].map((row) => row.getAttribute("data-id"))).toEqual(pages[1]);
});

test("VOLA-3: one screen has all that was sent, in the form's order, but no emergency contact and no picture", async () => {
  const id = await apply("Sana Malik", { skills: "Drives a bus.\n<b>Urdu</b>", experience: "" });
  const { html } = await coordinator.get(`/admin/volunteers/${id}`);
  const words = wordsOf(html);
  const order = ["12 Harbour Street", "0412 345 678", "amina@example.com", "Events, Fundraising", "Drives a bus."];
  expect(order.map((text) => words.indexOf(text))).toEqual(
    order.map((text) => words.indexOf(text)).sort((a, b) => a - b),
  );
  for (const text of order) expect(words).toContain(text);
  expect(words).toContain("<b>Urdu</b>");
  for (const text of ["Bilal", "0498", "bilal@", "data:image"]) expect(html).not.toContain(text);
});

test("VOLA-4: each look at photo, signature or emergency contact needs its right and a reason, and is recorded", async () => {
  const id = await apply("Look At");
  const path = `/admin/volunteers/${id}/look`;
  const none = await coordinator.post(path, { what: "emergency", why: " " });
  expect(none.status).toBe(422);
  expect(none.html).not.toContain("Bilal");
  const shown = await coordinator.post(path, { what: "emergency", why: "She fell off a ladder" });
  expect(shown.status).toBe(200);
  expect(wordsOf(shown.html)).toContain("Bilal Raza");
  expect((await coordinator.post(path, { what: "photo", why: "To greet her" })).html).toContain(
    "data:image/jpeg;base64,",
  );
  const { html } = await coordinator.get(`/admin/volunteers/${id}`);
  expect(html).not.toContain("data:image");
  expect(wordsOf(html)).toContain("looked at the emergency contact:");
  expect(wordsOf(html)).toContain("“She fell off a ladder”");
  const auditor = await site.logIn("auditor");
  expect((await auditor.post(path, { what: "photo", why: "Curious" })).status).toBe(403);
  const { rows } = await site.pool.query(
    "select actor, verb, after, reason from audit_trail where subject_id = $1 order by id",
    [id],
  );
  expect(rows).toEqual([
    { actor: coordinator.name, verb: "application.look", after: { seen: "emergency" }, reason: "" },
    { actor: coordinator.name, verb: "application.look", after: { seen: "photo" }, reason: "" },
  ]);
});

test("VOLA-5: an approval names its roles, shows the email that names them, and sends it with the words that staff wrote", async () => {
  const id = await apply("Approve Me", { stage: "in_review", email: "approve@example.com" });
  const path = `/admin/volunteers/${id}/approved`;
  const open = await coordinator.get(`/admin/volunteers/${id}?act=approved`);
  expect(wordsOf(open.html)).toContain("Show the email first");
  const first = await coordinator.post(path, { version: "1", roles: ["Fundraising", "Administration"], step: "check" });
  expect(first.status).toBe(200);
  expect((await applicationOf(id)).stage).toBe("in_review");
  const fields = fieldsOf(first.html, "approved");
  expect(fields.message).toContain("Your roles: Fundraising and Administration.");
  const sent = await coordinator.post(path, {
    version: "1",
    roles: ["Fundraising", "Administration"],
    step: "send",
    subject: "Welcome, Amina",
    message: "See you on Sunday.\n\nBring a hat.",
  });
  expect(sent.status).toBe(303);
  expect(await applicationOf(id)).toMatchObject({ stage: "approved", roles: ["Fundraising", "Administration"] });
  const email = await lastEmail("approve@example.com");
  expect(email?.subject).toBe("Welcome, Amina");
  expect(email?.text).toContain("See you on Sunday.\n\nBring a hat.");
  expect(email?.text).toContain("/volunteer/application/");
});

test("VOLA-5: a role that needs a check is approved only with a verified one, and what was typed comes back", async () => {
  const id = await apply("No Check", { stage: "in_review" });
  const given = { version: "1", roles: "Events", step: "send", subject: "My subject", message: "My message" };
  const refused = await coordinator.post(`/admin/volunteers/${id}/approved`, given);
  expect(refused.status).toBe(409);
  expect(wordsOf(refused.html)).toContain("Events: no Working With Children Check is recorded.");
  expect(fieldsOf(refused.html, "approved")).toMatchObject({ subject: "My subject", message: "My message" });
  expect((await applicationOf(id)).stage).toBe("in_review");
});

test("VOLA-5: a role that the check does not permit is not ticked, and refused before the email is shown", async () => {
  const id = await apply("Check First", { stage: "in_review", interests: ["Events", "Fundraising"] });
  const open = async () => {
    const { html } = await coordinator.get(`/admin/volunteers/${id}?act=approved`);
    const form = readPage(html).querySelector('form[action$="/approved"]')!;
    const ticked = [...form.querySelectorAll<HTMLInputElement>("[name=roles]")].filter(({ checked }) => checked);
    return { form, ticked: ticked.map(({ value }) => value) };
  };
  const { form, ticked } = await open();
  expect(ticked).toEqual(["Fundraising"]);
  expect(form.textContent).toContain("Not possible yet: Events, because no Working With Children Check is recorded.");
  const link = form.querySelector('a[href="#check-section"]')!;
  expect(form.ownerDocument.querySelector(link.getAttribute("href")!)?.textContent).toContain("Record a check");

  const chosen = { version: "1", roles: ["Events", "Fundraising"], step: "check" };
  const refused = await coordinator.post(`/admin/volunteers/${id}/approved`, chosen);
  expect(refused.status).toBe(409);
  expect(wordsOf(refused.html)).toContain("Events: no Working With Children Check is recorded.");
  expect(readPage(refused.html).querySelector('form[action$="/approved"] [name=message]')).toBeNull();

  const check = { state: "NSW", number: "WWC1234567E", kind: "volunteer", verified: "yes" };
  const expiresOn = addDays(dayInSydney(site.clock.now()), 365);
  await coordinator.post(`/admin/volunteers/${id}/check`, { ...check, expiresOn });
  expect((await open()).ticked).toEqual(["Events", "Fundraising"]);
  expect((await coordinator.post(`/admin/volunteers/${id}/approved`, chosen)).status).toBe(200);
});

test.each([
  ["waiting", "You are on our waiting list"],
  ["declined", "cannot take you on this time"],
  ["withdrawn", "We have withdrawn your application"],
] as const)("VOLA-5: %s sends the email that was shown, with its usual words if staff leave them", async (to, said) => {
  const email = `${to}@example.com`;
  const id = await apply(`Decide ${to}`, { stage: "in_review", email });
  const shown = fieldsOf((await coordinator.get(`/admin/volunteers/${id}?act=${to}`)).html, to);
  const done = await coordinator.post(`/admin/volunteers/${id}/${to}`, shown);
  expect(done.status).toBe(303);
  expect((await applicationOf(id)).stage).toBe(to);
  const sent = await lastEmail(email);
  expect(sent?.subject).toBe(shown.subject);
  expect(`${sent?.text}`).toContain(said);
  const { rows } = await site.pool.query("select detail from volunteer_events where application_id = $1", [id]);
  expect(JSON.stringify(rows)).not.toContain("words");
});

test("VOLA-5: a decision on a page that is out of date does nothing, and says who it is now", async () => {
  const id = await apply("Two People", { stage: "in_review" });
  const words = { subject: "S", message: "M" };
  const first = await coordinator.post(`/admin/volunteers/${id}/waiting`, { version: "1", ...words });
  expect(first.status).toBe(303);
  const second = await coordinator.post(`/admin/volunteers/${id}/declined`, { version: "1", ...words });
  expect(second.status).toBe(409);
  expect(wordsOf(second.html)).toContain("it is now on the waiting list");
  expect((await applicationOf(id)).stage).toBe("waiting");
});

test("VOLA-6: a question is emailed in the words of staff, and the applicant's page says so until they correct something", async () => {
  const id = await apply("Ask Me", { stage: "in_review", days: 9, email: "ask@example.com" });
  const question = { version: "1", lastAsked: "0", subject: "One question", message: "Do you drive?" };
  expect((await coordinator.post(`/admin/volunteers/${id}/ask`, question)).status).toBe(303);
  const email = await lastEmail("ask@example.com");
  expect(email).toMatchObject({ subject: "One question", text: expect.stringContaining("Do you drive?") });
  expect((await applicationOf(id)).asked_at).not.toBeNull();
  const [, link] = /(\/volunteer\/application\/\S+)/.exec(email!.text)!;
  const key = new URL(link!, "https://example.org").searchParams.get("key")!;
  const askedAt = async () => (await applicantReads(site.services).findOwnApplication(id, key))?.askedAt;
  expect(await askedAt()).toEqual((await applicationOf(id)).asked_at);
  const visitor = await site.visitor();
  const changed = await visitor.post(`/api/volunteer/application/${id}`, { key, mobile: "0400 000 111" });
  expect(changed.code).toBe("200");
  expect(await askedAt()).toBeNull();
});

test("VOLA-7: staff record a check, verify it with their name, and record that it is no longer valid", async () => {
  const id = await apply("Check Me", { stage: "in_review" });
  const path = `/admin/volunteers/${id}/check`;
  const check = { state: "NSW", kind: "volunteer", number: "wwc1834027e", expiresOn: "2020-01-01" };
  // No state is suggested: a wrong one would be recorded unnoticed.
  const unsaid = await coordinator.post(path, { ...check, state: "" });
  expect(readPage(unsaid.html).querySelector("select[name=state] [selected]")?.textContent).toBe("Choose the state");
  expect(wordsOf(unsaid.html)).toContain("Choose the state that issued the check");
  const past = await coordinator.post(path, check);
  expect(past.status).toBe(422);
  expect(wordsOf(past.html)).toContain("This check has already expired.");
  expect((await coordinator.post(path, { ...check, expiresOn: "2029-03-14" })).status).toBe(303);
  const screen = async () => (await coordinator.get(`/admin/volunteers/${id}`)).html;
  expect(wordsOf(await screen())).toContain("Nobody has looked it up yet");
  const held = fieldsOf(await screen(), "verify");
  expect((await coordinator.post(`${path}/verify`, held)).status).toBe(303);
  expect((await coordinator.post(`${path}/verify`, held)).status).toBe(409);
  expect(wordsOf(await screen())).toContain(`Verified by ${coordinator.name}`);
  expect((await coordinator.post(`${path}/revoke`, held)).status).toBe(303);
  expect(wordsOf(await screen())).toContain(`No longer valid: ${coordinator.name}`);
  const approved = await coordinator.post(`/admin/volunteers/${id}/approved`, {
    version: "1",
    roles: "Events",
    step: "send",
    subject: "S",
    message: "M",
  });
  expect(wordsOf(approved.html)).toContain(
    "the state’s register no longer shows the Working With Children Check as valid",
  );
});

test("VOLA-8: what staff do is in the audit trail, without anything that was written", async () => {
  const id = await apply("Audit Me");
  await coordinator.post(`/admin/volunteers/${id}/note`, { text: "Rang: warm and reliable" });
  await coordinator.post(`/admin/volunteers/${id}/review`, { version: "1" });
  const { rows } = await site.pool.query("select * from audit_trail where subject_id = $1 order by id", [id]);
  expect(rows.map(({ verb, actor }) => [verb, actor])).toEqual([
    ["application.note", coordinator.name],
    ["application.review", coordinator.name],
  ]);
  expect(JSON.stringify(rows)).not.toContain("warm");
  const auditor = await site.logIn("auditor");
  expect(wordsOf((await auditor.get("/admin/audit")).html)).toContain("took into review application V-");
});
