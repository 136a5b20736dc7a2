import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLine } from "#admin/audit.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { inviteAgain } from "../server/people/people.ts";

type Staff = Awaited<ReturnType<AdminSite["logIn"]>>;

let site: AdminSite;
let amina: Staff;
beforeAll(async () => {
  site = await openAdminSite();
  amina = await site.logIn("administrator");
});
afterAll(() => site.close());

const textOf = (element: Element | null | undefined) => element?.textContent?.replace(/\s+/g, " ").trim();
const rowOf = (html: string, id: number) =>
  [...(readPage(html).querySelector(`tr[data-id="${id}"]`)?.children ?? [])].map((cell) => textOf(cell));
const find = async (email: string) =>
  (await site.pool.query("select id, state, roles, name from staff where email = $1", [email])).rows[0];

test("STA-9: an invitation from the list makes a row that says how long it works", async () => {
  const sent = { email: "tom.nguyen@example.org", name: "Tom Nguyen", roles: ["treasurer", "auditor"] };
  const done = await amina.post("/admin/staff/invite", sent);
  expect([done.status, done.to]).toEqual([303, "/admin/staff"]);
  const list = await amina.get("/admin/staff");
  expect(list.html).toContain("The invitation to Tom Nguyen is on its way.");
  expect(list.html).toContain("1 invitation has not been answered.");
  const { id } = await find(sent.email);
  expect(rowOf(list.html, id)).toEqual([
    "TNTom Nguyentom.nguyen@example.org",
    "Treasurer and Auditor",
    "",
    "",
    expect.stringMatching(/^Invited, 7[12] hours left$/),
  ]);
  expect(rowOf(list.html, amina.id).slice(3)).toEqual(["Logged in now", "Active"]);
  site.clock.advance(73 * 3_600_000);
  const later = await site.openBrowser(amina.id);
  expect(rowOf((await later.get("/admin/staff")).html, id).at(-1)).toBe("Invitation expired");
  amina = { ...amina, ...later };
});

test("STA-9: a form with mistakes comes back filled, each mistake beside its field", async () => {
  const { status, html } = await amina.post("/admin/staff/invite", { email: "no", name: "‮Zoë", roles: "boss" });
  expect(status).toBe(422);
  const form = readPage(html).querySelector("#invite-form")!;
  expect([...form.querySelectorAll(".err")].map(textOf)).toEqual([
    "Please enter a valid email address",
    "Enter a name without control characters.",
    "Choose at least one role.",
  ]);
  expect(form.querySelector<HTMLInputElement>("[name=email]")?.value).toBe("no");
  const taken = await amina.post("/admin/staff/invite", {
    email: "TOM.nguyen@example.org",
    name: "T",
    roles: "auditor",
  });
  expect(textOf(readPage(taken.html).querySelector("#invite-form .err"))).toBe(
    "Tom Nguyen already has an account with this email.",
  );
});

test("STA-12: a person’s screen changes their roles and ends their account, and lists what was done", async () => {
  const yusuf = await site.logIn("treasurer");
  const path = `/admin/staff/${yusuf.id}`;
  expect((await amina.post(`${path}/roles`, { roles: ["treasurer", "auditor"] })).to).toBe(path);
  // The new right applies from the next request.
  expect((await yusuf.get("/admin/audit")).status).toBe(200);

  expect((await amina.post(`${path}/end`, { reason: " " })).status).toBe(422);
  expect((await yusuf.get("/admin/audit")).status).toBe(200);
  expect((await amina.post(`${path}/end`, { reason: "Moved to Perth" })).status).toBe(303);
  expect((await yusuf.get("/admin/audit")).status).toBe(302);
  expect((await yusuf.post("/admin/staff/invite", {})).status).toBe(401);
  const { html } = await amina.get(path);
  expect([...readPage(html).querySelectorAll(".tl p:not(.d)")].map(textOf)).toEqual([
    `${amina.name} ended the account of ${yusuf.name}`,
    `${amina.name} changed the roles of ${yusuf.name}`,
  ]);
  expect(readPage(html).querySelector("form#end")).toBeNull();
  expect(html).toContain("This account has ended.");
});

test("STA-11: one’s own screen offers nothing, and its forms are refused with a sentence", async () => {
  const path = `/admin/staff/${amina.id}`;
  const { html } = await amina.get(path);
  expect(html).toContain("This is you.");
  expect(readPage(html).querySelector(`form[action^="${path}"]`)).toBeNull();
  const refused = await amina.post(`${path}/end`, { reason: "Tired" });
  expect(refused.status).toBe(409);
  expect((await amina.get(path)).status).toBe(200);
});

test("STA-12: an auditor sees who works here, and changes nothing", async () => {
  const auditor = await site.logIn("auditor");
  const yusuf = await site.logIn("treasurer");
  const list = readPage((await auditor.get("/admin/staff")).html);
  expect(list.querySelector("#invite")).toBeNull();
  const page = await auditor.get(`/admin/staff/${yusuf.id}`);
  expect(page.status).toBe(200);
  expect(readPage(page.html).querySelector(`form[action^="/admin/staff"]`)).toBeNull();
  for (const path of ["invite", `${yusuf.id}/roles`, `${yusuf.id}/invite-again`, `${yusuf.id}/end`]) {
    expect((await auditor.post(`/admin/staff/${path}`, { roles: "administrator", reason: "x" })).status).toBe(403);
  }
  expect((await (await site.logIn("treasurer")).get("/admin/staff")).status).toBe(403);
});

test("STA-12: changes ask for a new proof after ten minutes, and keep what was typed", async () => {
  const claire = await site.logIn("administrator");
  const yusuf = await site.logIn("treasurer");
  await site.pool.query("update staff set password_hash = 'x', totp_secret = 'x' where id = $1", [claire.id]);
  site.clock.advance(11 * 60_000);
  const asked = await claire.post(`/admin/staff/${yusuf.id}/end`, { reason: "Moved to Perth" });
  expect(asked.status).toBe(401);
  const carried = readPage(asked.html).querySelector<HTMLInputElement>("input[name=carried]")!.value;
  expect(Buffer.from(carried, "base64url").toString()).toContain("Moved to Perth");
  expect((await yusuf.get("/admin/you")).status).toBe(200);
  amina = { ...amina, ...(await site.openBrowser(amina.id)) };
});

test("STA-12: the table of rights says for each role what the code allows", async () => {
  const page = readPage((await amina.get("/admin/staff")).html);
  const table = page.querySelectorAll("table")[1]!;
  const rows = [...table.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => textOf(cell)));
  expect(rows).toContainEqual(["Invite staff, change roles, and end accounts", "Yes", ...Array(6).fill("No")]);
  expect(rows).toContainEqual([
    "See and export the audit trail (each export is recorded)",
    "Yes",
    ...Array(5).fill("No"),
    "Yes",
  ]);
  const helper = rows.filter((row) => row[6] === "Yes").map(([right]) => right);
  expect(helper).toEqual(["Check people in at the door of an event, with one’s own phone"]);
});

test("STA-12: the address of a person who does not exist is 404", async () => {
  for (const id of ["0", "999999", "x", "1e3", "99999999999999999999"]) {
    expect((await amina.get(`/admin/staff/${id}`)).status, id).toBe(404);
    expect((await amina.post(`/admin/staff/${id}/end`, { reason: "x" })).status, id).toBe(404);
  }
});

test("STA-9: without a mail server an invitation's link is shown once, only in the answer to whoever invited", async () => {
  const own = await openAdminSite({ PAYMENTS: "off" });
  const admin = await own.logIn("administrator");
  const alertOf = (html: string) => readPage(html).querySelector("[role=alert]");
  const linkOf = (html: string) => textOf(alertOf(html)?.querySelector("code"))!;
  const open = async (link: string) =>
    readPage((await (await own.openBrowser()).get(new URL(link).pathname)).html).querySelector("h1")?.textContent;

  const sent = { email: "tom.nguyen@example.org", name: "Tom Nguyen", roles: "treasurer" };
  const { status, html, headers } = await admin.post("/admin/staff/invite", sent);
  expect([status, headers["set-cookie"]]).toEqual([200, undefined]);
  expect(textOf(alertOf(html))).toMatch(/^Tom Nguyen is invited, but no mail server is set/);
  expect(await open(linkOf(html))).toBe("Welcome");
  expect(readPage(html).querySelector<HTMLInputElement>("#invite-form [name=email]")?.value).toBe("");
  expect((await admin.get("/admin/staff")).html).not.toContain("/admin/welcome/");

  const { rows } = await own.pool.query("select id from staff where email = $1", [sent.email]);
  const again = await admin.post(`/admin/staff/${rows[0].id}/invite-again`);
  expect(await open(linkOf(again.html))).toBe("Welcome");
  expect(await open(linkOf(html))).toBe("This link no longer works");

  const active = await own.logIn("treasurer");
  const lost = await own.logIn("editor");
  await inviteAgain(own.services, commandLine, { id: lost.id });
  const forLost = await admin.post(`/admin/staff/${lost.id}/invite-again`);
  expect(textOf(alertOf(forLost.html))).toContain(
    `${lost.name} has to set up a log-in again, but no mail server is set`,
  );
  expect(await open(linkOf(forLost.html))).toBe("Set up your log-in again");

  const refused = await admin.post(`/admin/staff/${active.id}/invite-again`);
  expect([refused.status, refused.html.includes("/admin/welcome/")]).toEqual([409, false]);
  expect((await active.get("/admin/donations")).status).toBe(200);

  const second = await own.logIn("administrator");
  const boss = { email: "zoe@example.org", name: "Zoë Clark", roles: "administrator" };
  const request = (await admin.post("/admin/staff/invite", boss)).to!;
  const approved = await second.post(`${request}/approve`);
  expect(await open(linkOf(approved.html))).toBe("Welcome");
  expect((await second.get(request)).html).not.toContain("/admin/welcome/");
  await own.close();
});
