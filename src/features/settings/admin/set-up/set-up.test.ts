import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeStaff } from "#database/factories.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { beginSetUp } from "../../server/set-up.ts";
import { setUpSteps, stepNames } from "../../set-up-steps.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ PAYMENTS: "off" });
  expect(await beginSetUp(site.database)).toBe(true);
  await site.services.siteSettings.refresh();
});
afterAll(() => site.close());

const textOf = (html: string) => readPage(html).body.textContent!.replace(/\s+/g, " ");
const barOf = (html: string) => readPage(html).querySelector(".set-up-bar");
const statesOf = (html: string) =>
  [...readPage(html).querySelectorAll(".set-up-list > li")].map(
    (row) => `${row.querySelector("h2")!.textContent}: ${row.querySelector(".st")!.textContent}`,
  );
const listActs = () =>
  site.database.selectFrom("audit_trail").select(["verb", "subject_id"]).where("subject", "=", "set-up").execute();

test("SETUP-1: only a database in which nothing has happened is set up, and only once", async () => {
  expect(await beginSetUp(site.database)).toBe(false);
  const other = await openAdminSite();
  try {
    await makeStaff(other.database);
    expect(await beginSetUp(other.database)).toBe(false);
    await other.services.siteSettings.refresh();
    const admin = await other.logIn("administrator");
    expect(textOf((await admin.get("/admin/set-up")).html)).toContain("There is nothing left to set up");
    expect(barOf((await admin.get("/admin")).html)).toBeNull();
    expect((await other.app.inject("/api/checkout")).statusCode).toBe(200);
  } finally {
    await other.close();
  }
});

test("SETUP-2: until the site is open, no visitor gets an answer but that it is being set up; staff, monitors and the back office do", async () => {
  const visitor = await site.openBrowser();
  for (const url of ["/", "/about", "/donation", "/robots.txt"]) {
    const { status, headers } = await visitor.get(url);
    expect([url, status, headers["retry-after"]]).toEqual([url, 503, "3600"]);
  }
  const call = await site.app.inject({ method: "POST", url: "/api/payway-payment", payload: {} });
  expect(call.json()).toMatchObject({ code: "503", error: "being_set_up" });
  for (const url of ["/healthz", "/readyz"]) expect((await visitor.get(url)).status).toBe(200);
  // Whoever has the link of a preview sees its pictures: nobody else knows their addresses.
  expect((await visitor.get(`/images/${"0".repeat(32)}`)).status).toBe(404);
  expect((await visitor.get("/admin")).to).toContain("/admin/sign-in");
  const admin = await site.logIn("administrator");
  expect((await admin.get("/api/checkout")).status).toBe(200);
  expect((await (await site.logIn("editor")).get("/api/checkout")).status).toBe(200);
});

test("SETUP-3: the way through is above every screen of an administrator, with the step and what is missing for going live", async () => {
  const admin = await site.logIn("administrator");
  for (const name of stepNames.filter((one) => one !== "brand")) {
    const { status, html } = await admin.get(setUpSteps[name].paths[0]!);
    expect([name, status]).toEqual([name, 200]);
    expect(barOf(html)?.querySelector("[aria-current=step]")?.textContent).toContain(setUpSteps[name].title);
    expect(barOf(html)?.textContent).toContain("SMTP_URL must be set");
  }
  const { html } = await admin.get("/admin");
  expect(barOf(html)?.querySelectorAll("li a")).toHaveLength(stepNames.length);
  expect(textOf(html)).toContain("6 steps are left: Organisation, Brand, Legal texts");
  const editor = await site.logIn("editor");
  expect(barOf((await editor.get("/admin/pages")).html)).toBeNull();
  expect((await editor.get("/admin/set-up")).status).toBe(403);
});

test("SETUP-5, STA-9: without a mail server every screen says that nobody gets an email, and a person's page promises none", async () => {
  const admin = await site.logIn("administrator");
  const other = await site.logIn("editor");
  const page = readPage((await admin.get(`/admin/staff/${other.id}`)).html);
  const main = page.querySelector("main")!;
  expect(main.textContent.match(/No mail server is set/g)).toHaveLength(1);
  expect(main.querySelector('.note a[href="/admin/settings/mail"]')?.textContent).toBe("See what is missing");
  const panels = main.querySelector("aside[aria-label='What you can do']")!.textContent!;
  expect(panels).toContain("npm run staff -- reset");
  for (const promise of ["We tell", "sends a new invitation", "are told."]) expect(panels).not.toContain(promise);
  expect(page.querySelector("form#again")).toBeNull();
  expect((await other.get("/admin/pages")).html).toContain("Nobody gets an email from this site");
  const { html } = await admin.get("/admin/settings/mail");
  expect(html).not.toContain("Nobody gets an email from this site");
});

test("SETUP-3: a step is skipped, kept, and taken up again by another administrator; the same in two tabs counts once", async () => {
  const [first, second] = [await site.logIn("administrator"), await site.logIn("administrator")];
  const skip = await first.post("/admin/set-up/brand", { state: "skipped" });
  expect(skip).toMatchObject({ status: 303, to: "/admin/settings/organisation" });
  await Promise.all([first, second].map((one) => one.post("/admin/set-up/brand", { state: "skipped" })));
  site.clock.advance(7 * 86_400_000);
  const later = await site.logIn("administrator");
  expect(statesOf((await later.get("/admin/set-up")).html)).toContain("Brand: Skipped for now");
  expect((await later.post("/admin/set-up/brand", { state: "done" })).status).toBe(303);
  expect(statesOf((await later.get("/admin/set-up")).html)).toContain("Brand: Done");
  expect(await listActs()).toEqual([
    { verb: "set-up.skipped", subject_id: "brand" },
    { verb: "set-up.done", subject_id: "brand" },
  ]);
  expect((await later.get("/admin/set-up")).html).toContain("skipped a step of setting up the site:");
});

test("SETUP-3: two administrators who finish different steps at the same moment lose neither", async () => {
  const people = await Promise.all(
    ["legal-texts", "payments", "mail", "page"].map(async (step) => ({
      step,
      admin: await site.logIn("administrator"),
    })),
  );
  await Promise.all(people.map(({ step, admin }) => admin.post(`/admin/set-up/${step}`, { state: "skipped" })));
  const states = statesOf((await people[0]!.admin.get("/admin/set-up")).html);
  expect(states.filter((state) => state.endsWith(": Skipped for now"))).toHaveLength(4);
});

test("SETUP-3: what is missing keeps a step from being done, with a sentence, and undoes one that was done", async () => {
  const admin = await site.logIn("administrator");
  const { status, html } = await admin.post("/admin/set-up/organisation", { state: "done" });
  expect(status).toBe(409);
  expect(textOf(html)).toContain("Organisation is not done yet. To fill in: Legal name, Name in the header,");
  await enterOrganisation(admin);
  await site.services.siteSettings.refresh();
  expect((await admin.post("/admin/set-up/organisation", { state: "done" })).status).toBe(303);
  expect(statesOf((await admin.get("/admin/set-up")).html)).toContain("Organisation: Done");
  await site.pool.query(
    `update site_settings set value = jsonb_set(value, '{receipt,giftStatement}', '""') where key = 'organisation'`,
  );
  await site.services.siteSettings.refresh();
  expect(statesOf((await admin.get("/admin/set-up")).html)).toContain("Organisation: To do");
});

test("SETUP-4: the details of a new site are empty fields to fill in, and what is not filled in is not saved", async () => {
  const admin = await site.logIn("administrator");
  await site.database.deleteFrom("site_settings").where("key", "=", "organisation").execute();
  await site.services.siteSettings.refresh();
  const { html } = await admin.get("/admin/settings/organisation/contact");
  expect(readPage(html).querySelector<HTMLInputElement>("[name=phone]")!.value).toBe("");
  const refused = await admin.post("/admin/settings/organisation/contact", { from: "0", phone: "", email: "" });
  expect(refused.status).toBeGreaterThanOrEqual(409);
  expect(textOf((await admin.get("/admin/settings/organisation")).html)).toContain("To fill in");
  expect(JSON.stringify(site.services.organisation.current())).not.toMatch(/chashma/i);
});

test("SETUP-2: before the site is open, whoever publishes reads that visitors see it once it is", async () => {
  const admin = await site.logIn("administrator");
  const seen = "Visitors see it once the site is open.";
  const news = {
    title: "A warm room",
    slug: "",
    excerpt: "Before the first snow.",
    html: "<p>One</p>",
    image: "/identity/illustrations/hospital.svg",
    published_on: "2026-11-24",
    form: randomUUID(),
    next: "publish",
  };
  const published = await admin.post("/admin/news/new", news);
  expect((await admin.get(published.to!)).html).toContain(`Published. ${seen}`);

  await site.database.deleteFrom("site_settings").where("key", "=", "organisation").execute();
  await enterOrganisation(admin);
  const { html } = await admin.get("/admin/settings/organisation");
  expect(html).toContain(`>Saved. ${seen}<`);

  const path = "/admin/settings/brand";
  const form = readPage((await admin.get(path)).html).querySelector<HTMLFormElement>(`form[action="${path}"]`)!;
  await admin.post(path, { ...Object.fromEntries(readForm(form)), main: "#7a1f5c" });
  const draft = readPage((await admin.get(path)).html).querySelector<HTMLFormElement>(
    `form[action="${path}/publish"]`,
  )!;
  expect((await admin.post(`${path}/publish`, Object.fromEntries(readForm(draft)))).status).toBe(303);
  expect((await admin.get(path)).html).toContain(`Published. ${seen}`);
});

/** What a browser would send of a form that nobody has touched. */
const readForm = (form: HTMLFormElement): [string, string][] =>
  [...form.querySelectorAll<HTMLInputElement>("input[name], textarea[name], select[name]")]
    .filter((input) => !/^(?:radio|checkbox)$/.test(input.type) || input.hasAttribute("checked"))
    .map((input) => [input.name, input.value]);

test("SETUP-7: the site opens only with one's own details and real payments, with a new proof", async () => {
  const admin = await site.logIn("administrator");
  const { status, html } = await admin.post("/admin/set-up/open-site");
  expect(status).toBe(409);
  expect(textOf(html)).toMatch(/The organisation’s details are not yours yet.*Payments are off.*Nothing was changed/);
  expect((await (await site.openBrowser()).get("/")).status).toBe(503);
});

const identity = {
  name: "Our Charity",
  abn: "51 824 753 556",
  "registration.label": "Registered charity",
  "registration.url": "https://www.acnc.gov.au/charity/charities",
  "receipt.isDeductibleGiftRecipient": "yes",
  "receipt.fund": "Our Gift Fund",
  "receipt.giftStatement": "This receipt is for a gift.",
  "receipt.notDeductibleStatement": "This line is not a tax-deductible gift.",
};

async function enterOrganisation(admin: Awaited<ReturnType<AdminSite["logIn"]>>) {
  const forms = {
    site: { "brand.name": "Our Charity", "brand.country": "Australia", supports: "Our Foundation" },
    contact: {
      phone: "02 5550 1234",
      address: "1 Main Street, Auburn NSW 2144",
      email: "help@ourcharity.org.au",
      donationsEmail: "gifts@ourcharity.org.au",
    },
    identity,
  };
  let from = 0;
  for (const [group, fields] of Object.entries(forms)) {
    const { status } = await admin.post(`/admin/settings/organisation/${group}`, { ...fields, from: String(from) });
    expect([group, status]).toEqual([group, 303]);
    from += 1;
  }
}
