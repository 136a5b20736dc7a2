import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";

let site: AdminSite;
let admin: Awaited<ReturnType<AdminSite["logIn"]>>;
beforeAll(async () => {
  site = await openAdminSite();
  admin = await site.logIn("administrator");
});
afterAll(() => site.close());

const path = "/admin/settings/fees";
const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? "";
const delivered = { admin: "5", card: "1.5", paypal: "3" };

/** Types fees into the form as it is now, sees what they come to, and saves them. */
async function change(typed: Partial<typeof delivered>) {
  const from = hidden((await admin.get(path)).html, "from");
  const check = await admin.post(path, { ...delivered, ...typed, from });
  const checked = hidden(check.html, "checked");
  return { check, saved: await admin.post(path, { ...delivered, ...typed, from, checked }) };
}
const listCharges = async () =>
  (await site.simulator.listRequests()).filter((one) => one.method === "POST" && one.path.endsWith("/transactions"));

test("FEE-1, FEE-2: what donors will pay is shown first; once saved, every process asks for it, and a form with the old total charges nothing", async () => {
  const { check, saved } = await change({ card: "0" });
  expect([check.status, check.html.includes("What donors will pay"), check.html.includes("$105.00")]).toEqual([
    200,
    true,
    true,
  ]);
  expect([saved.status, saved.to]).toEqual([303, path]);
  const { rows } = await site.pool.query("select value from site_settings where key = 'fees'");
  expect(rows).toEqual([{ value: { card: 0 } }]);
  const visitor = await site.visitor();
  const before = (await listCharges()).length;
  await site.services.siteSettings.refresh();
  expect((await visitor.ask({ url: "/api/checkout" })).json().data.fees).toEqual({
    adminPercent: 5,
    cardPercent: 0,
    paypalPercent: 3,
  });
  const { answer } = await site.give(visitor);
  expect(answer).toMatchObject({ code: "422", money: "untouched" });
  expect(JSON.stringify(answer.data)).toContain("The total has changed to");
  expect(await listCharges()).toHaveLength(before);
  const { html } = await admin.get("/admin/audit");
  expect(html).toContain("the fees");
  expect(html).toContain("1.5 %");
  expect((await change({})).saved.status).toBe(303);
  await site.services.siteSettings.refresh();
  expect((await site.give(await site.visitor())).answer.code).toBe("200");
});

test("FEE-2: nothing is saved without having seen what it comes to, nor if another fee was typed since", async () => {
  const from = hidden((await admin.get(path)).html, "from");
  const check = await admin.post(path, { ...delivered, paypal: "2,5 %", from });
  const checked = hidden(check.html, "checked");
  for (const sent of [{ checked: "" }, { checked, paypal: "9" }]) {
    expect((await admin.post(path, { ...delivered, paypal: "2.5", from, ...sent })).status).toBe(200);
  }
  expect(hidden((await admin.get(path)).html, "from")).toBe(from);
});

test("FEE-3: what is no percentage has a sentence at its field, and keeps the rest", async () => {
  const from = hidden((await admin.get(path)).html, "from");
  for (const card of ["", "-1", "100", "1.555", "one", "1e1", "<b>"]) {
    const refused = await admin.post(path, { ...delivered, card, paypal: "2.75", from });
    expect(refused.status, card).toBe(422);
    expect(refused.html).toContain("Enter a percentage such as 1.5, or 0 for none.");
    expect(refused.html).toContain('value="2.75"');
  }
});

test("FEE-3: the second of two editors is told what holds now, keeps what they typed, and then saves", async () => {
  const from = hidden((await admin.get(path)).html, "from");
  const other = await site.logIn("administrator");
  await change({ paypal: "2" });
  const refused = await other.post(path, { ...delivered, paypal: "4", from });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain(`${admin.name} changed the fees while you were writing.`);
  expect(refused.html).toContain("Now 2;");
  expect(refused.html).toContain('value="4"');
  await site.pool.query(`update site_settings set value = '{"paypal": "much"}' where key = 'fees'`);
  await site.services.siteSettings.refresh();
  expect(site.services.fees.current()).toEqual(site.config.fees);
  expect((await admin.get(path)).status).toBe(200);
});

test("FEE-1: treasurers see the fees and cannot change them; other roles see nothing", async () => {
  const treasurer = await site.logIn("treasurer");
  const { status, html } = await treasurer.get(path);
  expect([status, html.includes("What donors pay now"), html.includes('name="card"')]).toEqual([200, true, false]);
  expect((await treasurer.post(path, { ...delivered, from: "0" })).status).toBe(403);
  expect((await (await site.logIn("editor")).get(path)).status).toBe(403);
});
