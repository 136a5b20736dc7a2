import { expect, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

test("SET-1, SET-2, SET-5: an administrator changes a detail, sees it first, and takes it back, by keyboard alone", {
  tag: "@long",
}, async ({ page, expected }) => {
  expected.push(/422/);
  await logInStaff(page, "Priya Nair", "administrator");
  const main = page.getByRole("main");
  await page.goto("/admin/settings/organisation");
  await expectGoodScreen(page, "the organisation");
  await pressByKey(page, main.getByRole("link", { name: "Change: Contact" }));
  const email = main.getByLabel("Email for the treasurer");
  await tabTo(page, email);
  await page.keyboard.type("nobody");
  await page.keyboard.press("Enter");
  await expect(main.getByText("Write an email address, such as help@charity.example.")).toBeVisible();
  await expectGoodScreen(page, "contact details with a fault");
  await tabTo(page, email);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("treasurer@charity.example");
  const opening = page.waitForEvent("popup");
  await pressByKey(page, main.getByRole("button", { name: "Header, footer and contact page" }));
  const seen = await opening;
  await expect(seen.getByRole("contentinfo")).toBeVisible();
  await seen.close();
  await pressByKey(page, main.getByRole("button", { name: "Save" }));
  await expect(main.getByText("treasurer@charity.example Changed here")).toBeVisible();
  await pressByKey(page, main.getByRole("link", { name: "Change: Contact" }));
  await tabTo(page, main.getByRole("checkbox", { name: "Email for the treasurer: as delivered" }));
  await page.keyboard.press("Space");
  await expectGoodScreen(page, "contact details with a change");
  await pressByKey(page, main.getByRole("button", { name: "Save" }));
  await expect(main.getByText("Changed here")).toHaveCount(0);
  await page.goto("/admin/settings/organisation/banks");
  await expectGoodScreen(page, "bank accounts");
});

test("ADM-4: without a network a form is not sent, says so above its button, and keeps what was typed", async ({
  page,
  context,
  expected,
}) => {
  expected.push(/ERR_INTERNET_DISCONNECTED/);
  await logInStaff(page, "Priya Nair", "administrator");
  const main = page.getByRole("main");
  await page.goto("/admin/settings/organisation/contact");
  const email = main.getByLabel("Email for the treasurer");
  await email.fill("treasurer@charity.example");
  await context.setOffline(true);
  await main.getByRole("button", { name: "Save", exact: true }).click();
  await expect(main.getByRole("alert")).toContainText("No connection: what you typed is still here");
  await expectGoodScreen(page, "a form without a network");
  await expect(email).toHaveValue("treasurer@charity.example");
  await context.setOffline(false);
});

test("SET-6, SET-7, SET-9: an administrator changes an email, sees it first, and takes it back, by keyboard alone", {
  tag: "@long",
}, async ({ page, expected }) => {
  expected.push(/422/);
  await logInStaff(page, "Priya Nair", "administrator");
  const main = page.getByRole("main");
  await page.goto("/admin/settings/emails");
  await expectGoodScreen(page, "emails");
  await pressByKey(page, main.getByRole("link", { name: "Thank you, with the receipt" }));
  const greeting = main.getByLabel("Paragraph 1");
  await tabTo(page, greeting);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Salaam {nmae},");
  await pressByKey(page, main.getByRole("button", { name: "Save" }));
  await expect(main.getByText("There is no {nmae} in this email. Did you mean {name}?")).toBeVisible();
  await expectGoodScreen(page, "an email with a fault");
  await tabTo(page, greeting);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Salaam {name},");
  const opening = page.waitForEvent("popup");
  await pressByKey(page, main.getByRole("button", { name: "See the whole email" }));
  const seen = await opening;
  const shown = seen.frameLocator("iframe").last().getByRole("main");
  await expect(shown.getByText("Salaam friend,")).toBeVisible();
  await seen.close();
  await pressByKey(page, main.getByRole("button", { name: "Save" }));
  await expect(main.getByText("As delivered: ‘Dear {name},’")).toBeVisible();
  await pressByKey(page, main.getByRole("button", { name: "All as delivered" }));
  await expect(greeting).toHaveValue("Dear {name},");
});

test("CAT-1, CAT-4: an editor plans a price of Qurban and withdraws it, by keyboard alone", { tag: "@long" }, async ({
  page,
  expected,
}) => {
  expected.push(/422/);
  await logInStaff(page, "Claire Donnelly", "editor");
  const main = page.getByRole("main");
  await page.goto("/admin/catalogue/new");
  await pressByKey(page, main.getByRole("button", { name: "Add it" }));
  await expect(main.getByText("Write a title.")).toBeVisible();
  await expectGoodScreen(page, "a new cause with a fault");
  await page.goto("/admin/catalogue");
  await expectGoodScreen(page, "what donors give to");
  await pressByKey(page, main.getByRole("link", { name: "Qurban" }));
  const planning = main.locator("#new-price");
  await planning.getByLabel("Kind").selectOption("Goat");
  await tabTo(page, planning.getByLabel("Price of one"));
  await page.keyboard.type("205");
  const nextYear = new Date().getFullYear() + 1;
  await planning.getByLabel("Applies from").fill(`${nextYear}-05-01`);
  await pressByKey(page, main.getByRole("button", { name: "Set this price" }));
  await expect(page.getByRole("status")).toHaveText(`Goat will cost $205.00 from 1 May ${nextYear} on, Sydney time.`);
  await expectGoodScreen(page, "a cause with a price to come");
  await pressByKey(page, main.getByRole("button", { name: `Withdraw the price from 1 May ${nextYear}` }));
  await expect(main.getByText("Withdrawn", { exact: true })).toBeVisible();
});
