import type { Page } from "@playwright/test";
import type { Role } from "#admin/rights.ts";
import { makeStaff } from "#database/factories.ts";
import { issueInvitation } from "#features/staff/server/invitations.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { expectAccessible } from "./accessible.ts";
import { addAuthenticator } from "./authenticator.ts";
import { databaseOf, expect, listEmails, siteUrl, test } from "./journey.ts";
import { expectGoodScreen } from "./staff-member.ts";

// Passkeys need a host name.
test.use({ site: "as-live" });

const narrow = { width: 390, height: 844 };

/** Adds somebody invited, a treasurer without `roles`, and returns the path of the invitation. */
async function invite(name: string, ...roles: Role[]): Promise<string> {
  const database = createDatabase(createPool(databaseOf("as-live"), () => undefined));
  const email = `${name.toLowerCase().replace(/\W+/g, ".")}@example.org`;
  const now = new Date();
  const { id } = await makeStaff(database, {
    email,
    name,
    state: "invited",
    created_at: now,
    ...(roles.length > 0 && { roles }),
  });
  const token = await issueInvitation(database, id, "invitation", now);
  await database.destroy();
  return `/admin/welcome/${token}`;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const passkeys = (page: Page) => page.getByRole("list", { name: "Your passkeys" }).getByRole("listitem");

test("STA-1, STA-3, STA-7: somebody accepts an invitation with a passkey, logs out and in, and adds a second passkey", async ({
  page,
  context,
}) => {
  const invitation = await invite("Nadia Farouk");
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await page.goto(invitation);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  await page.getByText("Use a password instead").click();
  await expectGoodScreen(page, "the invitation");
  await button(page, "Set up a passkey").press("Enter");
  await expect(page).toHaveURL("/admin/you");
  await expect(page.getByRole("status")).toContainText("You are in.");
  await expect(passkeys(page)).toHaveCount(1);
  await expect(passkeys(page)).toContainText("not used yet");
  await expectGoodScreen(page, "one’s account");

  await button(page, "Add a passkey").click();
  await expect(page.getByRole("alert")).toContainText("already has a passkey for your account");
  await button(page, "Log out").press("Enter");
  await expect(page.getByText("You are logged out.")).toBeVisible();
  await page.goto("/admin/you");
  await expect(page).toHaveURL("/admin/sign-in?next=%2Fadmin%2Fyou");
  await expectGoodScreen(page, "the log-in");
  await page.locator("summary", { hasText: "A recovery code" }).press("Enter");
  await expectGoodScreen(page, "the log-in with a recovery code");
  await button(page, "Log in with a passkey").press("Enter");
  await expect(page).toHaveURL("/admin/you");
  await expect(passkeys(page)).toContainText("Last used");

  await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
  await addAuthenticator(page);
  await button(page, "Add a passkey").click();
  await expect(page.getByRole("status")).toContainText("The passkey is added.");
  await expect(passkeys(page)).toHaveCount(2);
  await passkeys(page).last().getByText("Rename").press("Enter");
  const name = passkeys(page).last().getByLabel("Name");
  await name.fill("Blue key");
  await name.press("Enter");
  await expect(passkeys(page).last()).toContainText("Blue key");
  await button(page, "Remove Blue key").press("Enter");
  await expect(passkeys(page)).toHaveCount(1);

  // A link from elsewhere sends no session cookie, and still works.
  const other = await context.newPage();
  await other.goto("about:blank");
  await other.setContent(`<a href="${siteUrl("as-live")}/admin/you">A link in an email</a>`);
  await other.getByRole("link").click();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Nadia Farouk");
});

/** Sets up a passkey by an invitation. `write` changes what its authenticator has counted. */
async function setUpPasskey(page: Page, name: string, ...roles: Role[]) {
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await page.goto(await invite(name, ...roles));
  await button(page, "Set up a passkey").click();
  await expect(page).toHaveURL("/admin/you");
  const read = async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials[0]!;
  const write = async (signCount: number) => {
    const credential = { ...(await read()), signCount };
    await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId: credential.credentialId });
    await cdp.send("WebAuthn.addCredential", { authenticatorId, credential });
  };
  const logIn = async () => {
    await button(page, "Log out").click();
    await page.goto("/admin/sign-in?next=/admin/you");
    await button(page, "Log in with a passkey").click();
  };
  return { read, write, logIn };
}

test("STA-6: a file that asks for the passkey is downloaded once, and the list is shown, from which it can be had again", async ({
  page,
}) => {
  await setUpPasskey(page, "Hana Suzuki", "administrator");
  const pool = createPool(databaseOf("as-live"), () => undefined);
  // Only hers: other journeys run on the same site.
  const forget = () =>
    pool.query(
      `update staff_sessions set proved_at = now() - interval '11 minutes'
        where staff_id = (select id from staff where name = 'Hana Suzuki')`,
    );
  const files: string[] = [];
  page.on("download", (file) => files.push(file.suggestedFilename()));

  await forget();
  await page.goto("/admin/journal.csv?format=xero&from=2026-01-01&to=2026-01-02");
  await page.getByRole("link", { name: "Back, without doing it" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Journal for accounts");
  expect(files).toEqual([]);

  await page.goto("/admin/audit.csv");
  const begins = page.waitForEvent("download");
  await button(page, "Confirm with a passkey").click();
  await begins;
  await expect(page).toHaveURL("/admin/audit");
  await expect(page.getByRole("status")).toContainText("The download begins now.");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit trail");
  expect(files).toEqual([expect.stringMatching(/^audit-trail-/)]);
  await pool.end();
});

test.describe("a passkey with a copy", () => {
  test.use({ expected: [/\b409\b/] });
  test("STA-4: a passkey whose copy has been used elsewhere is blocked, and the person and administrators are told @long", async ({
    page,
  }) => {
    const passkey = await setUpPasskey(page, "Idris Bello");
    const { signCount } = await passkey.read();
    await passkey.logIn();
    await expect(page).toHaveURL("/admin/you");
    expect((await passkey.read()).signCount).toBeGreaterThan(signCount);

    // The copy was made before that log-in, so it counts from there.
    await passkey.write(signCount);
    await passkey.logIn();
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/sign-in/);
    await expectGoodScreen(page, "the log-in with a blocked passkey");
    const subject = async () => (await listEmails(page, "idris.bello@example.org"))[0]?.subject;
    await expect.poll(subject).toMatch(/passkey/i);
    // Whatever it counts now, it stays blocked.
    await passkey.write(signCount + 100);
    await page.goto("/admin/sign-in?next=/admin/you");
    await button(page, "Log in with a passkey").click();
    await expect(page.getByRole("alert")).toBeVisible();
  });
});

test("STA-4: a synced passkey, which always counts 0, logs in again and again @long", async ({ page }) => {
  const passkey = await setUpPasskey(page, "Mei Tanaka");
  // Chromium counts from 1 when it makes a passkey.
  const pool = createPool(databaseOf("as-live"), () => undefined);
  const ofMei = "staff_id = (select id from staff where email = 'mei.tanaka@example.org')";
  await pool.query(`update staff_passkeys set counter = 0 where ${ofMei}`);
  for (let time = 0; time < 3; time += 1) {
    // It adds one to this.
    await passkey.write(-1);
    await passkey.logIn();
    await expect(page).toHaveURL("/admin/you");
  }
  const { rows } = await pool.query(
    `select counter, last_used_at is null as "isUnused" from staff_passkeys where ${ofMei}`,
  );
  await pool.end();
  expect(rows).toEqual([{ counter: 0, isUnused: false }]);
});

test("STA-2: a password with an app and recovery codes, set up and confirmed on a phone", async ({ page }) => {
  await page.setViewportSize(narrow);
  await page.goto(await invite("Tom Okafor"));
  await page.getByText("Use a password instead").click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveCount(10);
  const secret = (await page.locator(".secret").textContent())!.replaceAll(" ", "");
  const { totpCode } = await import("#features/staff/server/totp.ts");
  await page.getByLabel("Password", { exact: true }).fill("three long words here");
  await page.getByLabel("The code it shows now").fill(await totpCode(secret, new Date()));
  await page.getByLabel("I have kept these ten codes").check();
  await button(page, "Set the password and go in").press("Enter");
  await expect(page).toHaveURL("/admin/you");
  await expect(page.getByText("10 recovery codes are left.")).toBeVisible();
  await page.goto("/admin/you/password");
  await expectAccessible(page, "the new password");
  await page.goto("/admin/you/recovery-codes");
  await expectAccessible(page, "the new recovery codes");
  await page.goto("/admin/confirm");
  await expectGoodScreen(page, "the confirmation");
});

test("STA-16: after five failed attempts a new browser logs in with the emailed code, on a phone without JavaScript", {
  tag: "@long",
}, async ({ page, browser }) => {
  const email = "rosa.martins@example.org";
  const password = "three long words here";
  await page.goto(await invite("Rosa Martins"));
  await page.getByText("Use a password instead").click();
  const secret = (await page.locator(".secret").textContent())!.replaceAll(" ", "");
  const { totpCode } = await import("#features/staff/server/totp.ts");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("The code it shows now").fill(await totpCode(secret, new Date()));
  await page.getByLabel("I have kept these ten codes").check();
  await button(page, "Set the password and go in").click();
  await expect(page).toHaveURL("/admin/you");

  const open = async ({ javaScriptEnabled = false } = {}) => {
    const options = { baseURL: siteUrl("as-live"), viewport: narrow, javaScriptEnabled, locale: "en-AU" };
    const fresh = await (await browser.newContext(options)).newPage();
    await fresh.goto("/admin/sign-in?next=/admin/you");
    return fresh;
  };
  const logIn = async (fresh: Page, typed: { password: string; code: string }) => {
    await fresh.getByText("Password and code").click();
    const form = fresh.locator("form#password");
    await form.getByLabel("Email").fill(email);
    await form.getByLabel("Password").fill(typed.password);
    await form.getByLabel("Six-digit code").fill(typed.code);
    await form.getByRole("button", { name: "Log in" }).press("Enter");
  };
  for (let times = 0; times < 5; times += 1) {
    const stranger = await open();
    await logIn(stranger, { password: "not this one at all", code: "000000" });
    await expect(stranger.getByRole("alert")).toContainText("After 4 more failed attempts this browser waits");
    await stranger.context().close();
  }
  await expect.poll(async () => (await listEmails(page, email))[0]?.subject).toContain("Failed attempts to log in");

  // Only here, because axe needs JavaScript; somebody with a wrong password sees the same page.
  const guesser = await open({ javaScriptEnabled: true });
  await logIn(guesser, { password: "not this one at all", code: "000000" });
  await expect(guesser.getByRole("heading", { level: 1 })).toHaveText("Enter the code from your email");
  await expectAccessible(guesser, "the emailed code");
  await guesser.context().close();

  const phone = await open();
  // The code of the next half minute, because setting the app up has used the current one.
  await logIn(phone, { password, code: await totpCode(secret, new Date(Date.now() + 30_000)) });
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText("Enter the code from your email");
  const codeIn = async () => /\b\d{8}\b/.exec((await listEmails(page, email))[0]?.text ?? "")?.[0];
  await expect.poll(codeIn).toMatch(/^\d{8}$/);
  await phone.getByLabel("Eight-digit code").fill((await codeIn())!);
  await phone.keyboard.press("Enter");
  await expect(phone).toHaveURL(`${siteUrl("as-live")}/admin/you`);
  await phone.context().close();
});
