import type { Page } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { test as base, expect, listEmails } from "./journey.ts";
import { logInMember, PASSWORD } from "./member.ts";

const NEW_PASSWORD = "a long new password";
const form = (page: Page) => page.getByRole("form", { name: "Log in" });
const field = (page: Page, name: string) => form(page).getByLabel(name, { exact: true });
const press = (page: Page) => form(page).getByRole("button", { name: "Log in" }).click();
const dialog = (page: Page) => page.getByRole("dialog", { name: "Forgot Password ?" });
const inReset = (page: Page, name: string) =>
  page.getByRole("form", { name: "Reset Password" }).getByLabel(name, { exact: true });

/** Waits for the page's script: before it runs, the buttons do nothing. */
async function open(page: Page, address = "/login") {
  await page.goto(address);
  await expect(page.locator("main form.account-form button[type=submit]")).toBeVisible();
}
async function logIn(page: Page, email: string, password = PASSWORD) {
  await field(page, "Email").fill(email);
  await field(page, "Password").fill(password);
  await press(page);
}

/** The donor has an account, opened in another browser. */
const test = base.extend({
  donor: async ({ browser, donor }, use) => {
    const elsewhere = await browser.newContext();
    await logInMember(elsewhere, donor.email);
    await elsewhere.close();
    await use(donor);
  },
});

test("LOG-1, LOG-5, LOG-6, NAV-7: by keyboard alone, a member logs in wrongly, then correctly, and sees the profile", {
  tag: "@once",
}, async ({ page, donor, expected }) => {
  expected.push(/401/);
  await open(page);
  await expect(page).toHaveTitle(/^Log in, or donate as a guest \|/);
  await expectAccessible(page, "log-in");
  await field(page, "Email").focus();
  await page.keyboard.type(donor.email);
  await page.keyboard.press("Tab");
  await expect(field(page, "Password")).toBeFocused();
  await page.keyboard.type("a wrong password");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(field(page, "Password")).toHaveAttribute("type", "text");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  const refusal = page.getByRole("alert").filter({ hasText: "Email or password is incorrect." });
  await expect(refusal).toBeFocused();
  await expect(field(page, "Password")).toHaveValue("");
  await expect(field(page, "Password")).toHaveAttribute("type", "password");
  await expect(field(page, "Email")).toHaveValue(donor.email);
  await expectAccessible(page, "a failed log-in");
  await expectToFit(page, "a failed log-in");
  await field(page, "Password").focus();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/profile");
  const kept = await page.evaluate(() => JSON.parse(sessionStorage.getItem("user") ?? "null"));
  expect(kept).toMatchObject({ first_name: "Sana", email: donor.email });
});

test("LOG-2: each missing or wrong field has its exact message", { tag: ["@once", "@long"] }, async ({ page }) => {
  await open(page);
  await press(page);
  const summary = form(page).getByRole("alert");
  await expect(summary.getByRole("link")).toHaveText([
    "Email is required.",
    "Please enter a password with at least 8 characters.",
  ]);
  await expectAccessible(page, "log-in with problems");
  await field(page, "Email").fill("sana@");
  await field(page, "Password").fill("x".repeat(129));
  await expect(summary.getByRole("link")).toHaveText([
    "Invalid email format.",
    "Please enter a password of at most 128 characters.",
  ]);
});

test("LOG-4, LOG-7, LOG-8, LOG-9, LOG-20: the emailed code sets a new password, which logs in", {
  tag: "@once",
}, async ({ page, donor, expected }) => {
  expected.push(/401|422/);
  await open(page);
  await form(page).getByRole("button", { name: "Forgot Password ?" }).click();
  const proceed = dialog(page).getByRole("button", { name: "PROCEED" });
  await expect(proceed).toHaveAttribute("aria-disabled", "true");
  await proceed.press("Enter");
  const email = dialog(page).getByLabel("Email");
  await expect(email).toHaveAccessibleDescription("Error: Email is required.");
  await email.fill("sana");
  await expect(email).toHaveAccessibleDescription("Error: Invalid email format.");
  await expect(proceed).toHaveAccessibleDescription("Invalid email format.");
  await expectAccessible(page, "the dialog");
  await expectToFit(page, "the dialog");
  await page.keyboard.press("Escape");
  await expect(form(page).getByRole("button", { name: "Forgot Password ?" })).toBeFocused();
  await field(page, "Email").fill(donor.email);
  await form(page).getByRole("button", { name: "Forgot Password ?" }).click();
  await expect(dialog(page).getByLabel("Email")).toHaveValue(donor.email);
  await expect(proceed).toHaveAttribute("aria-disabled", "false");
  await proceed.click();
  await expect(page).toHaveURL("/reset-password");
  await expect(inReset(page, "Email")).toHaveValue(donor.email);
  await expectAccessible(page, "the reset");

  const code = await findCode(page, donor.email);
  await inReset(page, "Password").fill(NEW_PASSWORD);
  await inReset(page, "Confirm").fill(NEW_PASSWORD);
  await inReset(page, "Code").fill(code === "00000000" ? "11111111" : "00000000");
  const reset = page.getByRole("button", { name: "Reset Password" });
  await reset.click();
  await expect(page.getByRole("alert").filter({ hasText: "The code is wrong or has expired." })).toBeFocused();
  await inReset(page, "Code").fill(code);
  await reset.click();
  await expect(page.getByRole("status").filter({ hasText: "Password Reset Successfully!" })).toBeVisible();
  await expect(page).toHaveURL("/login");
  await expect(page.locator("main form.account-form button[type=submit]")).toBeVisible();
  await expect(field(page, "Email")).toHaveValue(donor.email);
  await logIn(page, donor.email);
  await expect(page.getByText("Email or password is incorrect.")).toBeVisible();
  await logIn(page, donor.email, NEW_PASSWORD);
  await expect(page).toHaveURL("/profile");
});

test("LOG-4: a failed call shows an error in the dialog, which stays open", { tag: "@once" }, async ({
  page,
  expected,
}) => {
  expected.push(/ERR_FAILED|failed: POST/);
  await open(page);
  await page.route("**/api/password/email", (route) => route.abort());
  await field(page, "Email").fill("sana@example.com");
  await form(page).getByRole("button", { name: "Forgot Password ?" }).click();
  await dialog(page).getByRole("button", { name: "PROCEED" }).click();
  await expect(
    dialog(page).getByText("We didn’t get an answer. Please check your connection and try again."),
  ).toBeVisible();
});

test("LOG-7: the reset form checks each field when it is left", { tag: ["@once", "@long"] }, async ({ page }) => {
  await open(page, "/reset-password");
  for (const [name, text] of [
    ["Code", "Code is required."],
    ["Email", "Email is required."],
    ["Password", "Password must be at least 8 characters long."],
    ["Confirm", "Confirm Password must be at least 8 characters long."],
  ] as const) {
    await inReset(page, name).focus();
    await inReset(page, name).blur();
    await expect(inReset(page, name)).toHaveAccessibleDescription(new RegExp(text.replaceAll(".", "\\.")));
  }
  await inReset(page, "Password").fill(NEW_PASSWORD);
  await inReset(page, "Confirm").fill(`${NEW_PASSWORD}!`);
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  await expectAccessible(page, "the reset with problems");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectToFit(page, "the reset with problems");
});

test("NAV-6, NAV-7, DON-4: a member who logs in on the way to the donation gets there with their details, also in a new tab", {
  tag: ["@once", "@long"],
}, async ({ page, context, donor }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Donate", exact: true }).first().click();
  await expect(page).toHaveURL("/login?return=%2Fdonation");
  await expect(page.locator("main form.account-form button[type=submit]")).toBeVisible();
  await logIn(page, donor.email);
  await expect(page).toHaveURL("/donation");
  await expect(page.getByLabel("First Name")).toHaveValue("Sana");
  const tab = await context.newPage();
  await tab.goto("/donation");
  await expect(tab.getByLabel("First Name")).toHaveValue("Sana");
  await expect(tab.getByLabel("Email")).toHaveValue(donor.email);
  await tab.goto("/login?return=%2Fedit-profile");
  await expect(tab).toHaveURL("/edit-profile");
});

test("LOG-22: only a visitor from the email's link is told why to log in", { tag: "@once" }, async ({ page }) => {
  await open(page);
  await expect(page.getByText("Please log in to confirm")).toBeHidden();
  await open(page, "/login?return=%2Fprofile");
  await expect(page.getByText("Please log in to confirm")).toBeHidden();
});

test("LOG-16, LOG-17: logging out in one tab logs out the others", { tag: ["@once", "@long"] }, async ({
  page,
  context,
  donor,
}) => {
  await open(page);
  await logIn(page, donor.email);
  await expect(page).toHaveURL("/profile");
  const tab = await context.newPage();
  await tab.goto("/events");
  await expect.poll(() => tab.evaluate(() => sessionStorage.getItem("user"))).toContain("Sana");
  await tab.evaluate(() => document.querySelector<HTMLElement>("[data-log-out]")?.click());
  const names = async () => (await context.cookies()).map(({ name }) => name);
  await expect.poll(names).not.toContain("user");
  expect(await names()).not.toContain("session");
  await expect(page).toHaveURL("/login?return=%2Fprofile");
  expect(await page.evaluate(() => sessionStorage.getItem("user"))).toBeNull();
});

test("LOG-22: the email's link says why to log in, and confirms the address; nothing asks for it again", {
  tag: ["@once", "@long"],
}, async ({ page, context, donor, expected }) => {
  expected.push(/403|422/);
  await expect.poll(() => findLink(page, donor.email)).not.toBe("");
  const link = new URL(await findLink(page, donor.email));
  await page.goto(link.pathname + link.search);
  await expect(page).toHaveURL(/\/login\?return=%2Fverify-email/);
  await expect(page.getByText("Please log in to confirm your email address.")).toBeVisible();
  await expectAccessible(page, "the log-in on the way to the confirmation");
  await expect(page.locator("main form.account-form button[type=submit]")).toBeVisible();
  await logIn(page, donor.email);
  await expect(page).toHaveURL(/\/verify-email\?key=/);
  await expectAccessible(page, "the confirmation");
  await expectToFit(page, "the confirmation");
  const others = [await context.newPage(), await context.newPage()];
  await others[0]!.goto("/profile");
  await expect(others[0]!.getByText("Not confirmed yet")).toBeVisible();
  await others[1]!.goto("/donation-history");
  await expect(others[1]!.getByText("Have you donated as a guest")).toBeVisible();
  await page.getByRole("button", { name: "Confirm my email address" }).click();
  await expect(page.getByText(`Thank you. ${donor.email} is confirmed.`)).toBeVisible();
  await expect(page.getByText("Once it’s confirmed")).toHaveCount(0);
  await expect(others[0]!.getByRole("heading", { name: "My Profile" })).toBeVisible();
  await expect(others[0]!.getByText("Not confirmed yet")).toHaveCount(0);
  await expect(others[1]!.getByText("Have you donated as a guest")).toHaveCount(0);
  await page.goto("/verify-email?key=wrong");
  await expect(page.getByText(`${donor.email} is already confirmed.`)).toBeVisible();
});

async function findCode(page: Page, email: string): Promise<string> {
  const find = async () => {
    const emails = await listEmails(page, email);
    const received = emails.find(({ subject }) => subject === "Your code to reset your password");
    return /\b\d{8}\b/.exec(received?.text ?? "")?.[0] ?? "";
  };
  await expect.poll(find).not.toBe("");
  return find();
}

async function findLink(page: Page, email: string): Promise<string> {
  const emails = await listEmails(page, email);
  return emails.map(({ text }) => /https?:\S+\/verify-email\?key=[^\s>)]+/.exec(text)?.[0]).find(Boolean) ?? "";
}
