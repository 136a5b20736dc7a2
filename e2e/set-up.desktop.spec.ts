import type { Page } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, test } from "./journey.ts";
import { expectGoodScreen, logInStaffAt, pressByKey, tabTo } from "./staff-member.ts";
import { type JourneySite, startSite } from "./start-site.ts";

let own: JourneySite;
test.beforeAll(async () => {
  own = await startSite({ PAYMENTS: "off" });
});
test.afterAll(() => own.stop());

/** Types into fields by the keyboard alone, and saves. */
async function fillByKey(page: Page, fields: Readonly<Record<string, string>>) {
  for (const [label, text] of Object.entries(fields)) {
    await tabTo(
      page,
      page.getByRole("main").getByRole("textbox", { name: new RegExp(`^${label}( \\(optional\\))?$`) }),
    );
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(text);
  }
  await pressByKey(page, page.getByRole("main").getByRole("button", { name: "Save" }));
}

test("SETUP-2, SETUP-3, SETUP-4: an administrator sets up a new site by keyboard alone, while visitors wait", {
  tag: "@long",
}, async ({ page, browser, expected }) => {
  expected.push(/503/, /422/, /409/);
  const visitor = await browser.newPage({ viewport: { width: 390, height: 844 } });
  expect((await visitor.goto(own.url))?.status()).toBe(503);
  await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("This site is being set up");
  await expectAccessible(visitor, "the page of a closed site");
  await expectToFit(visitor, "the page of a closed site");

  await logInStaffAt(own, page, "Maryam Siddiqui", "administrator");
  const main = page.getByRole("main");
  const bar = main.getByRole("region", { name: "Setting up your site" });
  await page.goto(`${own.url}/admin`);
  await expectGoodScreen(page, "the dashboard of a new site");
  await pressByKey(page, bar.getByRole("link", { name: "Set up your site" }));
  await expect(page).toHaveTitle(/^Set up your site/);
  await expectGoodScreen(page, "the steps");
  await pressByKey(page, main.getByRole("link", { name: "Next: Organisation" }));
  await expect(page).toHaveTitle(/^Organisation/);
  await expectGoodScreen(page, "the organisation of a new site");

  await pressByKey(page, main.getByRole("link", { name: "Change: Name on the site" }));
  await fillByKey(page, { "Name in the header": "Bright Path" });
  await expect(main.getByText("Fill this in: it cannot be empty.")).toBeVisible();
  await expectGoodScreen(page, "a form with an empty field");
  await fillByKey(page, { "Who receives the donations": "Bright Path Schools" });
  await pressByKey(page, main.getByRole("link", { name: "Change: Contact" }));
  await fillByKey(page, {
    Telephone: "+61 2 9000 0000",
    Email: "hello@brightpath.org.au",
    "Postal address": "1 High Street, Auburn NSW 2144",
    "Email for donations": "gifts@brightpath.org.au",
  });
  await pressByKey(page, main.getByRole("link", { name: "Change: Legal name, ABN and receipts" }));
  await fillByKey(page, { "Legal name": "Bright Path Limited", ABN: "51 824 753 556" });
  await expect(main.getByText("To fill in")).toHaveCount(0);
  await pressByKey(page, bar.getByRole("button", { name: "Skip for now: Organisation" }));

  await expect(page).toHaveTitle(/^Brand/);
  await pressByKey(page, bar.getByRole("button", { name: "Done, go on: Brand" }));
  await expect(page).toHaveTitle(/^Legal texts/);
  for (const text of ["Privacy policy", "Refund policy", "Terms of use", "Accessibility statement"]) {
    await pressByKey(page, main.getByRole("button", { name: `I have read ‘${text}’, and it is true` }));
  }
  await expect(main.getByText("Nobody has read it")).toHaveCount(0);
  await expectGoodScreen(page, "legal texts that were read");
  await pressByKey(page, bar.getByRole("button", { name: "Done, go on: Legal texts" }));
  await expect(page).toHaveTitle(/^Payment provider/);
  await expectGoodScreen(page, "payment providers without keys");
  await pressByKey(page, bar.getByRole("button", { name: "Skip for now: Payment provider" }));
  await expect(page).toHaveTitle(/^Mail/);
  await pressByKey(page, main.getByRole("button", { name: "Send a test email" }));
  await expect(main.getByText("SMTP_URL is not set")).toBeVisible();
  await expectGoodScreen(page, "a test email without a mail server");
  await pressByKey(page, bar.getByRole("button", { name: "Skip for now: Mail" }));

  await pressByKey(page, main.getByRole("link", { name: "Vision & Mission" }));
  await tabTo(page, main.getByRole("textbox", { name: "Text", exact: true }));
  await page.keyboard.type("Every child in school. ");
  await pressByKey(page, main.getByRole("button", { name: "Save and publish" }));
  await expect(page.getByRole("status")).toHaveText("Published. Visitors see it once the site is open.");
  await pressByKey(page, bar.getByRole("button", { name: "Done, go on: A first page" }));
  await expect(main.getByText("Payments are off, so nobody could give.")).toBeVisible();
  await expectGoodScreen(page, "the steps once they are taken");

  await visitor.reload();
  await expect(visitor.getByText("Bright Path")).toBeVisible();
  await visitor.context().close();
  await page.goto(own.url);
  await expect(page.getByRole("banner").getByText("Bright Path")).toBeVisible();
});
