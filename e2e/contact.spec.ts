import type { Page } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, listEmails, test } from "./journey.ts";

const INBOX = "help@chashma.example";
const THANKS = "Thank you. We have your message.";

const field = (page: Page, name: string) => page.getByRole("main").getByRole("textbox", { name });
const sendButton = (page: Page) => page.getByRole("button", { name: "Send a message" });
const thanks = (page: Page) => page.getByRole("status").filter({ hasText: THANKS });

async function fill(page: Page, { email, subject }: { email: string; subject: string }) {
  await field(page, "Name").fill("Sana Malik");
  await field(page, "Email").fill(email);
  await field(page, "Subject").fill(subject);
  await field(page, "Message").fill("How many children come to the school?\n\nCan we visit?");
}

/** The email to staff with this subject; emails are sent a moment after the answer. */
async function emailsAbout(page: Page, subject: string) {
  const emails = await listEmails(page, INBOX);
  return emails.filter((email) => email.subject === `Message from Sana Malik: ${subject}`);
}

test("PAGE-7, API-12: a message is sent without a visible captcha, mailed to the organisation, and answered", async ({
  page,
  amount,
}) => {
  const [email, subject] = [`sana-${amount}@example.com`, `A school, ${amount}`];
  await page.goto("/contact");
  await expect(page).toHaveTitle(/^Contact Us \|/);
  const trail = page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("listitem");
  await expect(trail).toHaveText(["Home", "Pages", "Contact Us"]);
  const main = page.getByRole("main");
  for (const [name, link] of [
    ["1300 000 000", "tel:1300000000"],
    [INBOX, `mailto:${INBOX}`],
  ] as const) {
    await expect(main.getByRole("link", { name })).toHaveAttribute("href", link);
  }
  await expect(main.getByText("12 Example Street")).toBeVisible();
  await expectAccessible(page, "the contact page");
  await expectToFit(page, "the contact page");
  await fill(page, { email, subject });
  await sendButton(page).click();
  await expect(thanks(page)).toBeFocused();
  await expect(page.locator("iframe, altcha-widget")).toHaveCount(0);
  await expectAccessible(page, "the thanks");

  await expect.poll(() => emailsAbout(page, subject)).toHaveLength(1);
  const [forwarded] = await emailsAbout(page, subject);
  expect(forwarded!.text).toContain(email);
  expect(forwarded!.text).toContain("Can we visit?");
  await expect.poll(() => listEmails(page, email)).toHaveLength(1);
  const [answer] = await listEmails(page, email);
  expect(answer!.text).toContain("We have your message.");
  expect(answer!.text).not.toMatch(/Sana|school|visit/);

  await page.getByRole("link", { name: "Send another message" }).click();
  await expect(field(page, "Message")).toHaveValue("");
});

test("PAGE-7: by keyboard alone, the summary's links lead to the missing fields", {
  tag: ["@once", "@long"],
}, async ({ page }) => {
  await page.goto("/contact");
  await sendButton(page).focus();
  await page.keyboard.press("Enter");
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toBeFocused();
  await expect(page).toHaveTitle(/^Error: Contact Us/);
  await expectAccessible(page, "the contact page with problems");
  await expectToFit(page, "the contact page with problems");
  await summary.focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(field(page, "Name")).toHaveAttribute("aria-invalid", "true");
  await expect(field(page, "Name")).toHaveAccessibleDescription(/Please enter your name\./);
  await page.keyboard.type("Sana Malik");
  await expect(summary.getByRole("link")).toHaveText(["Please enter your email.", "Please enter your message."]);
});

test("HOME-9: the fundraising tile opens the form with its subject", { tag: "@once" }, async ({ page }) => {
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Quick fundraising" }).click();
  await expect(field(page, "Subject")).toHaveValue("Quick fundraising");
});

test("PAGE-7, REL-2: after a lost answer and a reload, nothing typed is lost and the message arrives once", {
  tag: ["@once", "@long"],
}, async ({ page, amount, expected }) => {
  expected.push(/api\/contact/, /ERR_FAILED/);
  const subject = `Lost and found, ${amount}`;
  await page.goto("/contact");
  await fill(page, { email: `lost-${amount}@example.com`, subject });
  await page.route(
    "**/api/contact",
    async (route) => {
      await route.fetch();
      await route.abort("failed");
    },
    { times: 1 },
  );
  await sendButton(page).click();
  const alert = page.getByRole("alert").filter({ hasText: "it will not be sent twice" });
  await expect(alert).toBeFocused();
  await expectAccessible(page, "a message without an answer");
  await page.reload();
  await expect(field(page, "Subject")).toHaveValue(subject);
  await sendButton(page).click();
  await expect(thanks(page)).toBeVisible();
  await expect.poll(() => emailsAbout(page, subject)).toHaveLength(1);
  await page.reload();
  await expect(field(page, "Subject")).toHaveValue("");
});

test("LAY-2, PAGE-7: the page says that it is waiting for a slow answer, and a second press sends nothing", {
  tag: ["@once", "@long"],
}, async ({ page, amount }) => {
  const subject = `Patience, ${amount}`;
  let sent = 0;
  await page.goto("/contact");
  await fill(page, { email: `slow-${amount}@example.com`, subject });
  await page.route("**/api/contact", async (route) => {
    sent += 1;
    await new Promise((resolve) => setTimeout(resolve, 1200));
    await route.continue();
  });
  await sendButton(page).click();
  await expect(page.getByText("Sending your message …")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Loading" })).toBeVisible();
  await sendButton(page).press("Enter");
  await expect(thanks(page)).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Loading" })).toHaveCount(0);
  expect(sent).toBe(1);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  // Without JavaScript, Chromium reports the page's scripts as refused.
  test.beforeEach(({ expected }) => void expected.push(/\.js csp$/));

  test("PAGE-7: the contact page says how to write or call, and shows no form", {
    tag: "@once",
  }, async ({ page }) => {
    await page.goto("/contact");
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { name: "Write to us or call" })).toBeVisible();
    await expect(main.getByRole("link", { name: INBOX }).first()).toBeVisible();
    await expect(main.getByRole("link", { name: "1300 000 000" }).first()).toBeVisible();
    await expect(sendButton(page)).toBeHidden();
  });
});

for (const [what, name] of [
  ["whose script", "contact-form"],
  ["whose page's common script", "browser"],
] as const) {
  test(`LAY-2: a form ${what} does not load says so, and the page can be loaded again`, async ({ page, expected }) => {
    expected.push(new RegExp(`/${name}-`));
    const script = `**/assets/${name}-*.js`;
    await page.route(script, (route) => route.abort());
    await page.goto("/contact");
    await expect(page.getByRole("alert")).toContainText("Part of this page did not load.");
    await expectAccessible(page, "a form that did not load");
    await page.unroute(script);
    await page.getByRole("button", { name: "Reload the page" }).click();
    await expect(page.getByRole("alert")).toBeHidden();
    await sendButton(page).click();
    await expect(field(page, "Name")).toHaveAttribute("aria-invalid", "true");
  });
}
