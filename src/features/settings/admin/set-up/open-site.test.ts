import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { beginSetUp } from "../../server/set-up.ts";
import { setUpSteps, stepNames } from "../../set-up-steps.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ PAYMENTS: "off" });
  await beginSetUp(site.database);
  // As with PAYMENTS=live, whose other requirements no test site meets.
  Object.assign(site.services.config, { isLive: true });
  const own = {
    name: "Our Charity",
    brand: { name: "Our Charity" },
    supports: "Our Foundation",
    abn: "51 824 753 556",
  };
  const contact = { phone: "02 5550 1234", email: "a@b.org", donationsEmail: "a@b.org", address: "1 Main Street" };
  const value = JSON.stringify({ ...own, ...contact, receipt: { fund: "Fund", giftStatement: "A gift." } });
  await site.database.insertInto("site_settings").values({ key: "organisation", value }).execute();
  await site.services.siteSettings.refresh();
});
afterAll(() => site.close());

test("SETUP-7: once open, visitors are answered, and what was skipped stays on the dashboard until it is done", async () => {
  const admin = await site.logIn("administrator");
  const { html: waiting } = await admin.get("/admin/set-up");
  expect(waiting).toMatch(/href="\/admin\/settings\/going-live#example-texts">\d+ pages and sections still have/);
  await admin.post("/admin/set-up/mail", { state: "skipped" });
  expect(await admin.post("/admin/set-up/open-site")).toMatchObject({ status: 303, to: "/admin/set-up" });
  await site.services.siteSettings.refresh();
  expect((await site.app.inject("/api/checkout")).statusCode).toBe(200);
  const { html } = await admin.get("/admin");
  expect(html).toContain("Set up your site");
  expect(html).toContain("Mail");
  // Only screens of what is left have the way through above them.
  expect(html).not.toContain("set-up-bar");
  expect((await admin.get(setUpSteps.mail.paths[0]!)).html).toContain("set-up-bar");
  const value = JSON.stringify({ isOpen: true, steps: Object.fromEntries(stepNames.map((name) => [name, "done"])) });
  await site.database.updateTable("site_settings").set({ value }).where("key", "=", "set-up").execute();
  // What is still missing counts as not done, whatever was said.
  expect((await admin.get("/admin/set-up")).html).toContain("SMTP_URL must be set");
});

test("SETUP-7: with a stale proof the site is not opened", async () => {
  const admin = await site.logIn("administrator");
  site.clock.advance(11 * 60_000);
  expect((await admin.post("/admin/set-up/open-site")).status).toBe(401);
});
