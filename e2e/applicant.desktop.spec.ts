import type { Page } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { applyAndOpenEmail } from "./applicant.ts";
import { expect, test } from "./journey.ts";
import { expectLightForm } from "./script-budget.ts";

const toast = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });
const held = (page: Page) => page.getByRole("region", { name: "What we hold about you" });

test("VOL-11: an applicant follows the email's link, corrects a detail by keyboard, then withdraws", async ({
  page,
  amount,
}) => {
  const link = await applyAndOpenEmail(page, `applicant-${amount}@example.com`);
  await expectLightForm(page, link);
  await expect(page.getByRole("region", { name: "Received" })).toBeVisible();
  await expect(held(page)).toContainText("آمنہ رضا");
  const photo = held(page).getByRole("img", { name: "As you sent it to us" });
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(240);
  await expectAccessible(page, "the applicant's page");
  await expectToFit(page, "the applicant's page");

  await page.getByText("Correct a detail", { exact: true }).focus();
  await page.keyboard.press("Enter");
  const form = page.getByRole("form", { name: "Correct a detail" });
  await form.getByLabel("Street Address").fill("");
  await form.getByRole("checkbox", { name: "Change the emergency contact" }).press("Space");
  await form.getByRole("button", { name: "Save changes" }).press("Enter");
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toBeFocused();
  await expect(page).toHaveTitle(/^Error: /);
  await expectAccessible(page, "the form with errors");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page, "the form on a phone");
  await page.setViewportSize({ width: 320, height: 700 });
  await expectToFit(page, "the form at 320 pixels");
  await page.setViewportSize({ width: 1440, height: 900 });
  await summary.getByRole("link", { name: "Street Address is required" }).press("Enter");
  await expect(form.getByLabel("Street Address")).toBeFocused();
  await page.keyboard.type("5 Lake Road");
  await form.getByRole("checkbox", { name: "Change the emergency contact" }).press("Space");
  await form.getByLabel("Skills").fill("اردو اور انگریزی");
  await form.getByRole("checkbox", { name: "Administration" }).press("Space");
  await form.getByLabel("Street Address").press("Enter");
  await expect(toast(page, "Your details have been changed.")).toBeVisible();
  for (const text of ["5 Lake Road", "اردو اور انگریزی", "Administration, Events, Fundraising"]) {
    await expect(held(page)).toContainText(text);
  }

  await page.getByRole("button", { name: "Withdraw my application" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Withdraw your application?" });
  await expectAccessible(page, "the question before withdrawing");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Withdraw my application" })).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Yes, withdraw it" }).press("Enter");
  await expect(page.getByRole("region", { name: "Withdrawn" })).toBeVisible();
  await expect(toast(page, "We have withdrawn your application and deleted your photo and signature.")).toBeVisible();
  await expect(photo).toHaveCount(0);
  await expect(page.getByText("Correct a detail")).toHaveCount(0);
  await expectAccessible(page, "the page of a withdrawn application");
});

test("VOL-11: the page says that the network is down and keeps what was typed; a wrong key finds nothing", async ({
  page,
  amount,
  expected,
}) => {
  expected.push(/application/, /ERR_FAILED|ERR_INTERNET_DISCONNECTED/, /status of 404/);
  const link = await applyAndOpenEmail(page, `applicant-${amount}@example.com`);
  await page.goto(link);
  await page.getByText("Correct a detail", { exact: true }).click();
  const form = page.getByRole("form", { name: "Correct a detail" });
  await form.getByLabel("Street Address").fill("5 Lake Road");
  await page.route("**/api/volunteer/**", (route) => route.abort());
  await form.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "We didn’t get an answer." })).toBeFocused();
  await expect(form.getByLabel("Street Address")).toHaveValue("5 Lake Road");
  await page.unroute("**/api/volunteer/**");
  await form.getByRole("button", { name: "Save changes" }).click();
  await expect(toast(page, "Your details have been changed.")).toBeVisible();

  const answer = await page.goto(`${link.slice(0, -4)}AAAA`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Your application to volunteer");
});
