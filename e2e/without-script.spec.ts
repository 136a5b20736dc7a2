import { contentPages } from "#test/public-pages.ts";
import { expect, siteUrl, test } from "./journey.ts";
import { logInMember } from "./member.ts";

test.use({ javaScriptEnabled: false });
// Without JavaScript, Chromium reports the page's scripts as refused.
test.beforeEach(({ expected }) => void expected.push(/\.js csp$/));

test("HOME-12: without JavaScript home is complete, its texts open, and its links work", {
  tag: "@phone",
}, async ({ page, isMobile }) => {
  await page.goto("/");
  const main = page.getByRole("main");
  for (const name of ["Our causes", "Our donors", "Gallery", "News and articles"]) {
    await expect(main.getByRole("heading", { name })).toBeVisible();
  }
  const pump = main.getByRole("listitem").filter({ hasText: "A hand pump ends" });
  await pump.getByText("Read More").click();
  await expect(pump.getByText("The children who used to fetch it are in class before the first bell.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Next causes" })).toBeHidden();
  if (isMobile) await expect(page.getByRole("contentinfo").getByRole("link", { name: "Patient Care" })).toBeVisible();
  await main.getByRole("link", { name: "Donate Now" }).click();
  await expect(page).toHaveURL("/login?return=%2Fdonation");
});

test("HOME-12: every content page has the same words with and without JavaScript", {
  tag: ["@once", "@long"],
}, async ({ page, browser }) => {
  const scripted = await browser.newPage({ baseURL: siteUrl(), viewport: page.viewportSize() });
  for (const path of Object.keys(contentPages)) {
    await Promise.all([page.goto(path), scripted.goto(path)]);
    const words = await page.getByRole("main").innerText();
    expect(words.length, path).toBeGreaterThan(300);
    expect(words, path).toBe(await scripted.getByRole("main").innerText());
  }
  await scripted.close();
});

test("DON-2, LOG-3: without JavaScript a guest can continue, and the donation page shows the bank details, the helpline and a link to log in", {
  tag: "@once",
}, async ({ page }) => {
  await page.goto("/donation");
  await expect(page).toHaveURL("/login?return=%2Fdonation");
  const main = page.getByRole("main");
  await expect(main.getByText(/BSB 111-111/).filter({ visible: true })).toBeVisible();
  await main.getByRole("link", { name: "Continue As a Guest User" }).click();
  await expect(page).toHaveURL("/donation");
  await expect(main.getByRole("heading", { name: "Giving without JavaScript" })).toBeVisible();
  await expect(main.getByText("Example Bank of Australia")).toBeVisible();
  await expect(main.getByText("111-111")).toBeVisible();
  await expect(main.getByRole("link", { name: "1300 000 000" }).first()).toBeVisible();
  await expect(main.getByRole("button", { name: "Next" })).toBeHidden();
  await main.getByRole("link", { name: "Log in or continue as a guest" }).click();
  await expect(page).toHaveURL("/login?return=%2Fdonation");
});

test("PRO-9, LOG-7: without JavaScript a member's pages say what they cannot do, and show no button that does nothing", {
  tag: "@once",
}, async ({ page, context, donor }) => {
  await logInMember(context, donor.email);
  const main = page.getByRole("main");
  const dead = page.locator(".needs-script").filter({ visible: true });
  for (const path of ["/edit-profile", "/change-password", "/reset-password", "/verify-email?key=x"]) {
    await page.goto(path);
    // Playwright finds no text in a `noscript`.
    expect(await main.innerText(), path).toContain("needs JavaScript, which is switched off in your browser.");
    await expect(main.getByRole("button").filter({ visible: true }), path).toHaveCount(0);
    await expect(dead, path).toHaveCount(0);
  }
  await page.goto("/profile");
  await expect(main.getByRole("link", { name: "Download my data" })).toBeVisible();
  await expect(main.getByRole("button").filter({ visible: true })).toHaveCount(0);
  await expect(main.getByText("Loading …")).toBeHidden();
});
