import type { Page } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, listEmails, test } from "./journey.ts";
import { logInMember } from "./member.ts";

const PASSWORD = "a long old password";
const field = (page: Page, name: string) => page.getByRole("main").getByLabel(name, { exact: true });
const email = (page: Page) => page.getByRole("main").getByRole("textbox", { name: "Email" });
const press = (page: Page) => page.getByRole("button", { name: "Register" }).click();
const summary = (page: Page) => page.getByRole("alert").filter({ hasText: "There is a problem" });
const toast = (page: Page) => page.getByRole("region", { name: "Notifications" }).getByRole("alert");

/** Waits for the page's script: before it runs, the button does nothing. */
async function open(page: Page, address = "/register") {
  await page.goto(address);
  await expect(page.locator("main form button[type=submit]")).toBeVisible();
}

async function fill(page: Page, address: string) {
  await field(page, "First Name").fill("Sana");
  await field(page, "Last Name").fill("Malik");
  await email(page).fill(address);
  await expect(field(page, "Country").getByRole("option", { name: "Pakistan" })).toBeAttached();
  await field(page, "State").selectOption("New South Wales");
  await field(page, "Mobile Number").fill("0412 345 678");
  await field(page, "Post Code").fill("2000");
  await field(page, "Password").fill(PASSWORD);
  await field(page, "Confirm Password").fill(PASSWORD);
}

/** The header, or on narrow windows the menu panel. */
async function openOwnMenu(page: Page, isMobile: boolean) {
  if (isMobile) await page.getByRole("button", { name: "Open menu" }).click();
  else await page.getByRole("button", { name: /^Your account/ }).click();
  return isMobile ? page.getByRole("dialog", { name: "Menu" }) : page.getByRole("navigation", { name: "Your account" });
}

test("LOG-11, LOG-15, LOG-16, LOG-21, NAV-5: a new member lands on home, is welcomed, is named in the header, and logs out", async ({
  page,
  donor,
  isMobile,
}) => {
  await open(page);
  await expect(page).toHaveTitle(/^Create an account \|/);
  await expect(page.getByRole("radio", { name: "SMS" })).toBeChecked();
  await expect(field(page, "Country")).toHaveValue("Australia");
  await fill(page, donor.email);
  await expect(page.getByText("+61")).toBeVisible();
  await press(page);
  await expect(page).toHaveURL("/");
  const welcome = page.getByRole("main").getByRole("status");
  await expect(welcome).toContainText(`Welcome, Sana. We’ve sent a link to ${donor.email}.`);
  await expect(welcome).toBeInViewport();
  await expectAccessible(page, "home with a welcome");
  await expectToFit(page, "home with a welcome");
  await welcome.getByRole("button", { name: "Dismiss" }).click();
  await expect(welcome).toBeEmpty();
  await expect.poll(async () => (await listEmails(page, donor.email)).length).toBeGreaterThan(0);

  await expect(page.getByRole("banner").getByRole("link", { name: "Log in" })).toBeHidden();
  const menu = await openOwnMenu(page, isMobile);
  await expect(menu).toContainText("Sana");
  await expect(menu.getByRole("link", { name: "Log in" })).toBeHidden();
  await expect(menu.getByRole("link", { name: "My Profile" })).toHaveAttribute("href", "/profile");
  await expectAccessible(page, "a member's menu");
  await expectToFit(page, "a member's menu");
  const reloaded = page.waitForEvent("load");
  await menu.getByRole("button", { name: "Log Out" }).click();
  await reloaded;
  await expect(page.locator("a[data-member=no]").first()).toHaveJSProperty("hidden", false);
  expect(await page.evaluate(() => sessionStorage.getItem("user"))).toBeNull();
  expect((await page.context().cookies()).filter(({ name }) => /session|^user$/.test(name))).toEqual([]);
  await page.goto("/profile");
  await expect(page).toHaveURL("/login?return=%2Fprofile");
});

test("LOG-12, LOG-14, LAY-9: by keyboard alone, each wrong field has its exact message and a link to it", {
  tag: ["@once", "@long"],
}, async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Register" }).focus();
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alertdialog");
  await expect(alert).toContainText("Password does not match");
  await expect(alert.getByRole("button", { name: "OK" })).toBeFocused();
  await expectAccessible(page, "the alert");
  await alert.getByRole("button", { name: "OK" }).focus();
  await page.keyboard.press("Enter");
  await expect(summary(page)).toBeFocused();
  await expect(summary(page).getByRole("link")).toHaveText([
    "First Name is required",
    "Last Name is required",
    "Email is required",
    "State is required",
    "Mobile Number is required",
    "Post Code is required",
    "Password is required and must be at least 8 characters long.",
    "confirmPassword is required and must be at least 8 characters long.",
  ]);
  await expect(page).toHaveTitle(/^Error: Create an account/);
  await expectAccessible(page, "the registration with problems");
  await expectToFit(page, "the registration with problems");
  await summary(page).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(field(page, "First Name")).toBeFocused();
  await expect(field(page, "First Name")).toHaveAccessibleDescription(/First Name is required/);
  await page.keyboard.type("S");
  await expect(summary(page).getByRole("link").first()).toHaveText("Enter at least 2 letters");
  await field(page, "Password").fill(PASSWORD);
  await field(page, "Confirm Password").fill(`${PASSWORD}!`);
  await press(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "OK" }).click();
  await expect(summary(page).getByRole("link", { name: "Passwords do not match" })).toBeVisible();
});

test("LOG-15: an address that already has an account shows a toast titled ERROR!, and what was typed stays", {
  tag: ["@once", "@long"],
}, async ({ page, browser, donor, expected }) => {
  expected.push(/422/);
  const other = await browser.newContext();
  await logInMember(other, donor.email);
  await other.close();
  await open(page);
  await fill(page, donor.email);
  await press(page);
  const taken = "This email address already has an account. Log in, or reset your password.";
  await expect(toast(page)).toContainText("ERROR!");
  await expect(toast(page)).toContainText(taken);
  await expect(summary(page).getByRole("link", { name: taken })).toBeVisible();
  await expect(field(page, "First Name")).toHaveValue("Sana");
  await expect(field(page, "State")).toHaveValue("New South Wales");
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(PASSWORD);
  await expectAccessible(page, "a refused registration");
});

test("LOG-12, LOG-13: a country without states accepts a typed one, and an unlikely number gets a hint that does not block", {
  tag: ["@once", "@long"],
}, async ({ page }) => {
  await open(page);
  await field(page, "First Name").focus();
  await expect(field(page, "Country").getByRole("option", { name: "Gibraltar" })).toBeAttached();
  await field(page, "Country").selectOption("Gibraltar");
  await expect(page.getByText("+350")).toBeVisible();
  await expect(field(page, "State")).toHaveValue("Gibraltar");
  await field(page, "Country").selectOption("Australia");
  await expect(field(page, "State")).toHaveValue("");
  await field(page, "Mobile Number").fill("02 9000 1111");
  await field(page, "Post Code").focus();
  await expect(page.getByText("This doesn’t look like a mobile number in Australia.")).toBeVisible();
  await expect(field(page, "Mobile Number")).not.toHaveAttribute("aria-invalid", "true");
});

test("NAV-7: registering on the way to the donation leads there, with the details filled in", {
  tag: ["@once", "@long"],
}, async ({ page, donor }) => {
  await page.goto("/login?return=%2Fdonation");
  await page.getByRole("link", { name: "Create an account" }).click();
  await expect(page).toHaveURL("/register?return=%2Fdonation");
  await expect(page.locator("main form button[type=submit]")).toBeVisible();
  await fill(page, donor.email);
  await press(page);
  await expect(page).toHaveURL("/donation");
  await expect(page.getByLabel("First Name")).toHaveValue("Sana");
  await expect(page.getByLabel("Post Code")).toHaveValue("2000");
});

test("REL-4: the registration fits 320 pixels, and is accessible in light and dark", { tag: "@long" }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page);
  await expectToFit(page, "registration");
  await expectAccessible(page, "registration");
});
