import type { CDPSession, Page } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { addAuthenticator } from "./authenticator.ts";
import { expect, listEmails, siteUrl, test } from "./journey.ts";
import { logInMember } from "./member.ts";

test.use({ site: "as-live" });

const card = (page: Page) => page.getByRole("region", { name: "Passkeys" });
const lines = (page: Page) => card(page).getByRole("list", { name: "Passkeys" }).getByRole("listitem");
const dialog = (page: Page) => page.getByRole("dialog");
const toast = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });
const logInButton = (page: Page) => page.getByRole("button", { name: "Log in with a passkey" });

/** The browser suggests no passkeys for the email, so the button is what the test uses. */
const withoutSuggestions = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });

/** How many passkeys the browser still has. */
async function countCredentials(cdp: CDPSession, authenticatorId: string): Promise<number> {
  return (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length;
}

async function logOut(page: Page) {
  await page.evaluate(() => document.querySelector<HTMLElement>("[data-log-out]")?.click());
  await expect(page).toHaveURL(/\/login/);
}

async function addPasskey(page: Page) {
  await page.goto("/change-password");
  await card(page).getByRole("button", { name: "Add a passkey" }).click();
  await expect(toast(page, "Your passkey has been added.")).toBeVisible();
  await expect(lines(page)).toHaveCount(1);
}

test("LOG-23, LOG-24: a member adds a passkey, logs out, logs in with it, renames it and removes it", async ({
  page,
  context,
  donor,
}) => {
  await withoutSuggestions(page);
  await logInMember(context, donor.email, { site: "as-live" });
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await addPasskey(page);
  await expect(lines(page)).toContainText(/Chrome on (Linux|Mac|Android)/);
  await expect(lines(page)).toContainText("not used yet");
  await expectAccessible(page, "the passkeys");
  await expectToFit(page, "the passkeys");
  // The list is read again after a refusal.
  const listed = page.waitForResponse((answer) => answer.url().endsWith("/api/passkeys") && answer.ok());
  await card(page).getByRole("button", { name: "Add a passkey" }).click();
  await expect(card(page).getByRole("alert")).toHaveText(/already has a passkey for your account\.$/);
  await listed;

  await logOut(page);
  await expect(page).toHaveURL("/login?return=%2Fchange-password");
  await logInButton(page).click();
  await expect(page).toHaveURL("/change-password");
  await expect(lines(page)).toContainText("last used");
  expect(await page.evaluate(() => JSON.parse(sessionStorage.getItem("user") ?? "{}"))).toMatchObject({
    email: donor.email,
  });

  await lines(page).getByRole("button", { name: "Rename" }).click();
  await expect(dialog(page).getByRole("textbox", { name: "Name" })).toHaveValue(/^Chrome on/);
  await expectAccessible(page, "the name of a passkey");
  await dialog(page).getByRole("textbox", { name: "Name" }).fill("My old phone");
  await page.keyboard.press("Enter");
  await expect(lines(page)).toContainText("My old phone");
  await lines(page).getByRole("button", { name: "Remove My old phone" }).click();
  await expect(dialog(page)).toHaveAccessibleName("Remove ‘My old phone’?");
  await expectAccessible(page, "the question before a passkey is removed");
  await expectToFit(page, "the question before a passkey is removed");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(lines(page).getByRole("button", { name: "Remove My old phone" })).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("button", { name: "Remove" }).click();
  await expect(lines(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Passkeys" })).toBeFocused();
  await expect.poll(() => countCredentials(cdp, authenticatorId)).toBe(0);
  const subjects = async () => (await listEmails(page, donor.email)).map(({ subject }) => subject);
  await expect.poll(subjects).toContain("A passkey was removed from your account");
  await expect.poll(subjects).toContain("A passkey was added to your account");
});

test("LOG-24: cancelling, or having no passkey, shows a message beside the button, and the password still works", {
  tag: "@long",
}, async ({ page }) => {
  await withoutSuggestions(page);
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await page.goto("/login");
  await page.getByLabel("Email", { exact: true }).first().fill("sana@example.com");
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await logInButton(page).click();
  await expect(page.getByRole("status").filter({ hasText: "No passkey was used." })).toBeVisible();
  await expect(logInButton(page)).toBeFocused();
  await expect(page.getByLabel("Email", { exact: true }).first()).toHaveValue("sana@example.com");
  await expectAccessible(page, "a passkey that was not used");
  await expectToFit(page, "a passkey that was not used");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectToFit(page, "a passkey that was not used, at 320 pixels");
});

test("LOG-24: where the browser can, it suggests a passkey for the email; choosing it logs in", {
  tag: ["@once", "@long"],
}, async ({ page, context, donor }) => {
  await logInMember(context, donor.email, { site: "as-live" });
  await addAuthenticator(page);
  await addPasskey(page);
  for (const name of ["session", "user"]) await context.clearCookies({ name });
  // The authenticator chooses it as soon as the page asks.
  const picked = page.waitForResponse((answer) => answer.url().endsWith("/api/login/passkey"));
  await page.goto("/change-password");
  expect(new URL((await (await picked).request().allHeaders()).referer ?? "").pathname).toBe("/login");
  await expect(page).toHaveURL("/change-password");
  await expect(lines(page)).toContainText("last used");
});

test("LOG-24: a passkey that the server no longer knows is refused with a message, and the browser stops offering it", {
  tag: ["@once", "@long"],
}, async ({ page, context, donor, expected }) => {
  expected.push(/401/);
  await withoutSuggestions(page);
  await logInMember(context, donor.email, { site: "as-live" });
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await addPasskey(page);
  await page.evaluate(() => Object.assign(PublicKeyCredential, { signalUnknownCredential: undefined }));
  await lines(page).getByRole("button", { name: "Remove" }).click();
  await dialog(page).getByRole("button", { name: "Remove" }).click();
  await expect(lines(page)).toHaveCount(0);
  await logOut(page);
  expect(await countCredentials(cdp, authenticatorId)).toBe(1);
  await logInButton(page).click();
  await expect(page.getByRole("status").filter({ hasText: "That passkey no longer works here." })).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(() => countCredentials(cdp, authenticatorId)).toBe(0);
});

test.describe("at an IP address", () => {
  test.use({ site: "usual" });
  test("LOG-24: a site at an IP address offers no passkeys", { tag: ["@once", "@long"] }, async ({
    page,
    context,
    donor,
  }) => {
    await page.goto("/login");
    await expect(page.getByRole("button", { name: "Log in", exact: true })).toBeVisible();
    await expect(logInButton(page)).toHaveCount(0);
    await logInMember(context, donor.email);
    await page.goto(`${siteUrl()}/change-password`);
    await expect(page.getByRole("button", { name: "Change Password" })).toBeVisible();
    await expect(card(page)).toHaveCount(0);
  });
});

test("LOG-24: a browser without passkeys shows no button for them", { tag: ["@once", "@long"] }, async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "PublicKeyCredential");
  });
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "Log in", exact: true })).toBeVisible();
  await expect(logInButton(page)).toHaveCount(0);
});
