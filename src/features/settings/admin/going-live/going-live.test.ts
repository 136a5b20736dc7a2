import { afterAll, beforeAll, expect, test } from "vitest";
import { checkLive, type LiveSettings, liveChecks } from "#shared/live-checks.ts";
import { type AdminSite, openAdminSite } from "#test/admin-site.ts";
import { readPage } from "#test/read-page.ts";
import { goingLivePart } from "./going-live-part.ts";

let site: AdminSite;
beforeAll(async () => {
  site = await openAdminSite({ METRICS_TOKEN: "never-shown-anywhere-1234567890" });
});
afterAll(() => site.close());

const path = "/admin/settings/going-live";

const realSettings: LiveSettings = {
  PAYWAY_URL: "https://bank.example",
  PAYWAY_SECRET_KEY: "live",
  PAYWAY_PUBLISHABLE_KEY: "live",
  PAYWAY_MERCHANT_ID: "24001234",
  PAYPAL: "off",
  BRAINTREE_MERCHANT_ID: "",
  BRAINTREE_PUBLIC_KEY: "",
  BRAINTREE_PRIVATE_KEY: "",
  BRAINTREE_MERCHANT_ACCOUNT_ID: "",
  PUBLIC_URL: "https://charity.org.au",
  TRUST_PROXY: "127.0.0.1",
  METRICS_TOKEN: "m".repeat(16),
  SECRET_KEY: "s".repeat(32),
  SMTP_URL: "smtps://mail.charity.org.au",
  MAIL_FROM: "no-reply@charity.org.au",
  CAPTCHA_PROVIDER: "altcha",
  CAPTCHA_COST: 2000,
};

test("LIVE-1: every requirement of real payments is shown with whether it holds, and no setting's value", async () => {
  const admin = await site.logIn("administrator");
  const { status, html } = await admin.get(path);
  expect(status).toBe(200);
  const text = html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
  const rows = checkLive(site.config.liveSettings, site.config.organisation);
  expect(rows).toHaveLength(liveChecks.length);
  for (const { sentence, isMet } of rows) expect(text).toContain(`${isMet ? "Met" : "Missing"} ${sentence}.`);
  expect(rows.find(({ sentence }) => sentence.startsWith("METRICS_TOKEN"))?.isMet).toBe(true);
  expect(rows.find(({ sentence }) => sentence.startsWith("PAYWAY_SECRET_KEY"))?.isMet).toBe(false);
  expect(html).not.toContain("never-shown-anywhere");
  expect(html).not.toContain(site.config.payway.secretKey);
  for (const [, link] of html.matchAll(/<li>[^<]*<a href="(\/admin[^"]*)"/g)) {
    expect((await admin.get(link!)).status, link).toBe(200);
  }
  expect((await (await site.logIn("editor")).get(path)).status).toBe(403);
});

test("LIVE-2: the dashboard says that payments are simulated, and how much is missing; on a live site it says nothing", async () => {
  const { html } = await (await site.logIn("administrator")).get("/admin");
  const missing = checkLive(site.config.liveSettings, site.config.organisation).filter(({ isMet }) => !isMet).length;
  expect(html).toContain(`Payments are simulated: ${missing} requirements of real ones are missing`);
  const listFor = async (isLive: boolean) => {
    const config = { ...site.config, isLive, liveSettings: realSettings };
    const own = { ...site.config.organisation, abn: "51 824 753 556", email: "a@b.org", donationsEmail: "a@b.org" };
    const services = { ...site.services, config, organisation: { current: () => own } } as never;
    return goingLivePart(services).dashboard![0]!.listWaiting!({
      id: 1,
      name: "",
      email: "",
      roles: ["administrator"],
    });
  };
  expect(await listFor(true)).toEqual([]);
  expect(await listFor(false)).toMatchObject([{ text: expect.stringContaining("everything is ready") }]);
});

test("SETUP-9: what still has a text of the example is listed, field by field, until somebody has changed it", async () => {
  const admin = await site.logIn("administrator");
  const listed = async () =>
    [...readPage((await admin.get(path)).html).querySelectorAll("[aria-labelledby=example-texts] li")].map((row) => ({
      text: row.textContent!,
      link: row.querySelector("a")!.getAttribute("href")!,
    }));
  const before = await listed();
  const titles = before.map(({ text }) => text.split(" (")[0]);
  for (const title of ["Home page", "Vision & Mission", "Ambulance Fund", "Flood Relief"]) {
    expect(titles).toContain(title);
  }
  // Policies are read on a screen of their own.
  expect(titles).not.toContain("Privacy Policy");
  const ambulances = before.find(({ text }) => text.startsWith("Ambulance Fund (service):"))!;
  expect(ambulances.text).toContain("Figures");
  const form = readPage((await admin.get(ambulances.link)).html).querySelector<HTMLFormElement>(
    `form[action="${ambulances.link}"]`,
  )!;
  const fields = Object.fromEntries(
    [...form.querySelectorAll<HTMLInputElement>("input[name], textarea[name], select[name]")]
      .filter((input) => !/^(?:radio|checkbox)$/.test(input.type) || input.hasAttribute("checked"))
      .map((input) => [input.name, input.value]),
  );
  // One word more in the text takes nothing back of what the rest claims.
  const saved = await admin.post(ambulances.link, { ...fields, html: `${fields.html}<p>Ours.</p>`, next: "publish" });
  expect(saved.status).toBe(303);
  const after = (await listed()).find(({ link }) => link === ambulances.link)!;
  expect(after.text).toContain("Figures");
  expect(after.text).not.toMatch(/: (.*, )?Text(,|$)/);
  await site.pool.query(
    "update services set figures = '', lede = 'We.', questions = '', donation = 'It helps.', summary = 'Our fund.' where type = 'ambulance_fund'",
  );
  expect((await listed()).map(({ link }) => link)).not.toContain(ambulances.link);
  await site.pool.query("update services set state = 'draft' where type = 'flood_relief'");
  const floods = (await listed()).map(({ text }) => text.split(":")[0]).filter((text) => text!.startsWith("Flood"));
  expect(floods).toEqual(["Flood Relief (cause)"]);
});
