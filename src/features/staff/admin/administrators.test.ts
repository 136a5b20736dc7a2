import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite();
});
afterAll(() => site.close());

const textOf = (element: Element | null | undefined) => element?.textContent?.replace(/\s+/g, " ").trim();
const rolesOf = async (id: number) =>
  (await site.pool.query("select roles from staff where id = $1", [id])).rows[0].roles;

test("STA-15: a request from a person’s page waits on the dashboards of administrators, who approve it with a fresh proof", async () => {
  const amina = await site.logIn("administrator");
  const peter = await site.logIn("treasurer");
  const path = `/admin/staff/${peter.id}`;
  expect((await amina.get(path)).html).toContain(
    "You are the only administrator, so a new one takes effect immediately.",
  );
  const yusuf = await site.logIn("administrator");
  expect((await amina.get(path)).html).toContain(
    `A new administrator waits until another one approves: ${yusuf.name}.`,
  );

  const asked = await amina.post(`${path}/roles`, { roles: ["treasurer", "administrator"] });
  expect(asked.to).toMatch(/^\/admin\/staff\/requests\/\d+$/);
  const request = asked.to as string;
  const sentence = `${amina.name} asks to make ${peter.name} an administrator`;
  for (const screen of ["/admin", "/admin/staff"]) {
    const link = readPage((await yusuf.get(screen)).html).querySelector(`a[href="${request}"]`);
    expect(textOf(link), screen).toBe(sentence);
  }
  for (const other of [amina, peter]) expect((await other.get("/admin")).html).not.toContain(sentence);
  expect((await yusuf.get(path)).html).toContain(sentence);

  const own = readPage((await amina.get(request)).html);
  expect(own.querySelector("form#approve")).toBeNull();
  expect(textOf(own.querySelector("#own"))).toBe("You asked for this, so another administrator has to approve it.");
  const refused = await amina.post(`${request}/approve`);
  expect([refused.status, await rolesOf(peter.id)]).toEqual([409, ["treasurer"]]);
  expect((await peter.get(request)).status).toBe(403);
  expect((await peter.post(`${request}/approve`)).status).toBe(403);
  const auditor = await site.logIn("auditor");
  expect(readPage((await auditor.get(request)).html).querySelector(`form[action^="${request}"]`)).toBeNull();

  site.clock.advance(11 * 60_000);
  expect((await yusuf.post(`${request}/approve`)).status).toBe(401);
  expect(await rolesOf(peter.id)).toEqual(["treasurer"]);
  const again = await site.openBrowser(yusuf.id);
  expect((await again.post(`${request}/decline`, { reason: " " })).status).toBe(422);
  expect((await again.post(`${request}/approve`)).to).toBe(request);
  expect(await rolesOf(peter.id)).toEqual(["treasurer", "administrator"]);
  const late = await again.post(`${request}/decline`, { reason: "No" });
  expect([late.status, textOf(readPage(late.html).querySelector("[role=alert]"))]).toEqual([
    409,
    "Somebody has decided this in the meantime. Nothing was changed.",
  ]);
  const done = readPage((await again.get(path)).html);
  expect([...done.querySelectorAll(".tl p:not(.d)")].map(textOf)).toEqual([
    `${yusuf.name} changed the roles of ${peter.name}`,
    `${yusuf.name} approved the role of administrator for ${peter.name}`,
    `${amina.name} asked for the role of administrator for ${peter.name}`,
  ]);
});

test("STA-15: an invitation as administrator is declined with a reason, or withdrawn, and sends nothing", async () => {
  const amina = await site.logIn("administrator");
  const yusuf = await site.logIn("administrator");
  const sent = { email: "zoe@example.org", name: "Zoë Clark", roles: "administrator" };
  const first = (await amina.post("/admin/staff/invite", sent)).to as string;
  const twice = await yusuf.post("/admin/staff/invite", sent);
  expect([twice.status, textOf(readPage(twice.html).querySelector("[role=alert]"))]).toEqual([
    409,
    `${amina.name} has already asked to make Zoë Clark an administrator. Approve, decline or withdraw that first.`,
  ]);
  expect((await yusuf.post(`${first}/decline`, { reason: "She leaves in May" })).status).toBe(303);
  expect((await amina.get(first)).html).toContain("She leaves in May");
  const second = (await amina.post("/admin/staff/invite", sent)).to as string;
  expect((await yusuf.post(`${second}/withdraw`)).status).toBe(409);
  expect((await amina.post(`${second}/withdraw`)).status).toBe(303);
  expect((await site.pool.query("select 1 from staff where email = $1", [sent.email])).rowCount).toBe(0);
  for (const id of ["0", "x", "999999"]) expect((await amina.get(`/admin/staff/requests/${id}`)).status).toBe(404);
});
