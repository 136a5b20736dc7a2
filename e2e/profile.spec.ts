import type { Page } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, siteUrl, test } from "./journey.ts";
import { logIn, logInMember, PASSWORD } from "./member.ts";

const NEW_PASSWORD = "a long new password";
const own = ["/profile", "/edit-profile", "/change-password"];

const field = (page: Page, name: string) => page.getByRole("main").getByLabel(name, { exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name });
const toast = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });
const nav = (page: Page) => page.getByRole("navigation", { name: "Profile" });

/** Waits for the page's script: before it runs, the button does nothing. */
async function open(page: Page, path: string) {
  await page.goto(path);
  if (path !== "/profile") await expect(page.locator("main form button[type=submit]")).toBeVisible();
}

test("PRO-1, NAV-7: without a session the pages lead to the log-in and back; with one, each links to the others", {
  tag: ["@once", "@long"],
}, async ({ page, context, donor }) => {
  for (const path of own) {
    const answer = await page.request.get(siteUrl() + path, { maxRedirects: 0 });
    expect([answer.status(), answer.headers().location], path).toEqual([
      302,
      `/login?return=${encodeURIComponent(path)}`,
    ]);
  }
  await logInMember(context, donor.email);
  await page.goto("/profile");
  for (const [name, path] of [
    ["Edit Profile", "/edit-profile"],
    ["Change Password", "/change-password"],
    ["My Profile", "/profile"],
  ] as const) {
    await nav(page).getByRole("link", { name }).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await expect(nav(page).getByRole("link", { name })).toHaveAttribute("aria-current", "page");
  }
  const answer = await page.request.get(`${siteUrl()}/profile`);
  expect(answer.headers()["cache-control"]).toBe("private, no-store");
});

test("PRO-2, PRO-3: the pages are accessible and fit, in light and dark, at 320 pixels and with wide text", {
  tag: "@long",
}, async ({ page, context, donor, isMobile }) => {
  await logInMember(context, donor.email);
  for (const path of own) {
    await open(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expectAccessible(page, path);
    await expectToFit(page, path);
    if (!isMobile) continue;
    const { y } = (await page.getByRole("heading", { level: 1 }).boundingBox())!;
    expect(y, `${path}: the heading is within the first screen`).toBeLessThan(422);
    await page.setViewportSize({ width: 320, height: 700 });
    await expectToFit(page, `${path} at 320 pixels`);
    await page.setViewportSize({ width: 390, height: 844 });
  }
});

test("PRO-3, PRO-4: changed details show on the profile, in the sidebar and in the header", {
  tag: "@once",
}, async ({ page, context, donor }) => {
  await logInMember(context, donor.email);
  await open(page, "/edit-profile");
  await expect(field(page, "Email").first()).toHaveAttribute("readonly");
  await field(page, "First Name").fill("Zoya");
  await field(page, "Country").focus();
  await expect(field(page, "Country").getByRole("option", { name: "Pakistan" })).toBeAttached();
  await field(page, "Country").selectOption("Pakistan");
  await field(page, "State").selectOption("Punjab");
  await page.getByLabel("City (optional)").fill("Lahore");
  await field(page, "Post Code").fill("54000");
  await field(page, "Mobile Number").fill("0300 123 4567");
  await page.getByRole("radio", { name: "Email" }).check();
  await button(page, "Save Changes").click();
  await expect(toast(page, "Your profile is updated.")).toBeVisible();
  expect(await page.evaluate(() => JSON.parse(sessionStorage.getItem("user") ?? "{}"))).toMatchObject({
    first_name: "Zoya",
    city: "Lahore",
    mobile: "923001234567",
  });
  await page.goto("/profile");
  const details = page.getByRole("region", { name: "Your details" });
  for (const text of ["Zoya Malik", "Pakistan", "Punjab", "+92 300 1234567", donor.email]) {
    await expect(details).toContainText(text);
  }
  await open(page, "/edit-profile");
  await expect(field(page, "Mobile Number")).toHaveValue("3001234567");
  await expect(page.getByRole("radio", { name: "Email" })).toBeChecked();
});

test("PRO-9: on a slow, then failed network the page says so, keeps what was typed, and can try again", {
  tag: ["@once", "@long"],
}, async ({ page, context, donor, expected }) => {
  expected.push(/updateUser/, /ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
  await logInMember(context, donor.email);
  await open(page, "/edit-profile");
  await field(page, "Last Name").fill("Raza");
  const call = "**/api/updateUser";
  await page.route(call, (route) => route.abort());
  await button(page, "Save Changes").click();
  const refusal = page.getByRole("alert").filter({ hasText: "We didn’t get an answer." });
  await expect(refusal).toBeFocused();
  await expectAccessible(page, "the form that was not saved");
  await expect(field(page, "Last Name")).toHaveValue("Raza");
  await page.unroute(call);
  await page.route(call, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await button(page, "Save Changes").click();
  await expect(page.getByText("Loading …")).toBeVisible();
  await expect(toast(page, "Your profile is updated.")).toBeVisible();
  await expect(refusal).toHaveCount(0);
});

test("PRO-5, PRO-6: by keyboard alone the password is changed, other devices are logged out, and only the new one works", async ({
  page,
  context,
  donor,
  browser,
  expected,
}) => {
  expected.push(/changePassword/, /status of 422/);
  await logInMember(context, donor.email);
  const other = await browser.newContext();
  await logIn(other, donor.email);
  await open(page, "/change-password");
  const submit = button(page, "Change Password");
  await submit.focus();
  await page.keyboard.press("Enter");
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toBeFocused();
  await expect(page).toHaveTitle(/^Error: Change Password/);
  await expectAccessible(page, "the missing passwords");
  await summary.focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(field(page, "Old Password")).toBeFocused();
  await page.keyboard.type("not the password");
  await page.keyboard.press("Tab");
  await page.keyboard.type(NEW_PASSWORD);
  await page.keyboard.press("Tab");
  await page.keyboard.type("something else");
  await page.keyboard.press("Tab");
  await expect(field(page, "Confirm Password")).toHaveAccessibleDescription(/Passwords do not match/);
  await field(page, "Confirm Password").fill(NEW_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(field(page, "Old Password")).toHaveAccessibleDescription(/This isn’t your current password\./);
  await field(page, "Old Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(toast(page, "Password Changed!")).toBeVisible();
  for (const name of ["Old Password", "New Password", "Confirm Password"])
    await expect(field(page, name)).toHaveValue("");

  await page.goto("/profile");
  await expect(page).toHaveURL("/profile");
  const elsewhere = await other.request.get(`${siteUrl()}/profile`, { maxRedirects: 0 });
  expect(elsewhere.status()).toBe(302);
  await logIn(other, donor.email, NEW_PASSWORD);
  await other.close();
});

test("PRO-6: a member sees their devices and logs out the others", { tag: ["@once", "@long"] }, async ({
  page,
  context,
  donor,
  browser,
}) => {
  await logInMember(context, donor.email);
  const other = await browser.newContext({
    userAgent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0",
  });
  await logIn(other, donor.email);
  await page.goto("/profile");
  const devices = page.getByRole("list", { name: "Where you are logged in" }).getByRole("listitem");
  await expect(devices).toHaveCount(2);
  await expect(devices.filter({ hasText: "Firefox on Mac" })).toContainText("Last visit");
  await expect(devices.filter({ hasText: "This device" })).toContainText("Chrome on");
  await expectAccessible(page, "the profile with two devices");
  await button(page, "Log out other devices").click();
  await expect(devices).toHaveCount(1);
  await expect(page.getByRole("heading", { name: "Where you are logged in" })).toBeFocused();
  const elsewhere = await other.request.get(`${siteUrl()}/profile`, { maxRedirects: 0 });
  expect(elsewhere.status()).toBe(302);
  await other.close();
});

test("PRO-11, PRO-12: a member downloads their data, closes the account with the password, and is logged out", {
  tag: "@once",
}, async ({ page, context, donor, expected }) => {
  expected.push(/close-account/, /status of (?:422|401)/);
  await logInMember(context, donor.email);
  await page.goto("/profile");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download my data" }).click(),
  ]);
  const data = await (await download.createReadStream()).toArray();
  expect(Buffer.concat(data).toString("utf8")).toContain(donor.email);

  await button(page, "Close my account").click();
  const dialog = page.getByRole("dialog", { name: "Close your account?" });
  await expect(dialog.getByRole("heading")).toBeFocused();
  await expect(dialog).toContainText(
    "Your name stays on them for seven years, because the law requires us to keep them.",
  );
  await expectAccessible(page, "the dialog");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button(page, "Close my account")).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByLabel("Password").fill("not the password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("This isn’t your current password.");
  await dialog.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  await expect(toast(page, "Your account is closed and you’re logged out.")).toBeVisible();
  await page.reload();
  await expect(toast(page, "Your account is closed")).toHaveCount(0);
  expect(await page.evaluate(() => sessionStorage.getItem("user"))).toBeNull();
  const answer = await page.request.get(`${siteUrl()}/profile`, { maxRedirects: 0 });
  expect(answer.status()).toBe(302);
});
