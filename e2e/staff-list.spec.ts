import { expect, listEmails, siteUrl, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

test("STA-12: an administrator invites somebody, changes their roles and ends their account by keyboard alone", {
  tag: "@long",
}, async ({ page, amount, expected }) => {
  expected.push(/422/);
  const amina = await logInStaff(page, "Amina Raza", "administrator");
  const invited = { email: `tom-${amount}@example.org`, name: `Tom Nguyen ${amount}` };
  await page.goto("/admin/staff");
  const main = page.getByRole("main");
  await tabTo(page, main.getByRole("link", { name: "Invite somebody" }));
  await page.keyboard.press("Enter");
  await tabTo(page, main.getByRole("button", { name: "Send the invitation" }));
  await page.keyboard.press("Enter");
  await expect(main.locator(".err", { hasText: "Choose at least one role." })).toBeVisible();
  await expectGoodScreen(page, "the list of staff with mistakes");

  const form = main.getByRole("region", { name: "Invite somebody" });
  await tabTo(page, form.getByLabel("Email"));
  await page.keyboard.type(invited.email);
  await tabTo(page, form.getByLabel("Name"));
  await page.keyboard.type(invited.name);
  await tabTo(page, form.getByRole("checkbox", { name: "Treasurer" }));
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText(`The invitation to ${invited.name} is on its way.`);
  await expect(main.getByRole("row", { name: invited.name })).toContainText("Invited, 7");
  await expect.poll(async () => (await listEmails(page, invited.email)).length).toBe(1);

  await tabTo(page, main.getByRole("link", { name: invited.name }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(new RegExp(`^${invited.name}`));
  await expectGoodScreen(page, "a member of staff");
  await tabTo(page, main.getByRole("checkbox", { name: "Auditor" }));
  await page.keyboard.press("Space");
  await tabTo(page, main.getByRole("button", { name: "Change the roles" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText(`The roles of ${invited.name} are changed.`);
  await expect(main.getByText(`Amina Raza changed the roles of`)).toBeVisible();

  await tabTo(page, main.getByLabel("Reason"));
  await page.keyboard.type("Invited by mistake");
  await tabTo(page, main.getByRole("button", { name: `End the account of ${invited.name}` }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText(`The account of ${invited.name} has ended.`);
  await expectGoodScreen(page, "somebody who has left");

  await page.goto(`/admin/audit?who=${amina.id}`);
  await expect(main.locator("tbody tr")).toHaveCount(3);
  await expect(main.locator("tbody tr").first()).toContainText(`ended the account of ${invited.name}`);
  await tabTo(page, main.locator("summary").first());
  await page.keyboard.press("Enter");
  await expect(main.getByText("Before: invited")).toBeVisible();
  await expectGoodScreen(page, "the audit trail");
});

test("STA-15: one administrator asks by keyboard for another, who approves it by keyboard", { tag: "@long" }, async ({
  page,
  browser,
  amount,
  expected,
}) => {
  expected.push(/422/);
  const invited = { email: `zoe-${amount}@example.org`, name: `Zoë Clark ${amount}` };
  await logInStaff(page, "Amina Raza", "administrator");
  const second = await browser.newContext({ locale: "en-AU", timezoneId: "Australia/Sydney" });
  const approver = await second.newPage();
  await logInStaff(approver, "Yusuf Demir", "administrator");

  await page.goto("/admin/staff");
  const form = page.getByRole("region", { name: "Invite somebody" });
  await expect(form.getByText(/A new administrator waits until another one approves/)).toBeVisible();
  await tabTo(page, form.getByLabel("Email"));
  await page.keyboard.type(invited.email);
  await tabTo(page, form.getByLabel("Name"));
  await page.keyboard.type(invited.name);
  await tabTo(page, form.getByRole("checkbox", { name: "Administrator" }));
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(page.getByText("You asked for this, so another administrator has to approve it.")).toBeVisible();
  await expectGoodScreen(page, "one’s own request");

  await approver.goto(`${siteUrl()}/admin`);
  const line = approver.getByRole("link", { name: `Amina Raza asks to make ${invited.name} an administrator` });
  await pressByKey(approver, line);
  await expect(approver.getByRole("heading", { level: 1 })).toHaveText("A new administrator");
  await pressByKey(approver, approver.getByRole("button", { name: "Decline" }));
  await expect(approver.getByText("Say why, for the audit trail.")).toBeVisible();
  await expectGoodScreen(approver, "a request for an administrator");
  expect(await listEmails(page, invited.email)).toEqual([]);
  await pressByKey(approver, approver.getByRole("button", { name: /^Approve/ }));
  await expect(approver.getByRole("status")).toHaveText(`Approved. The invitation to ${invited.name} is on its way.`);
  await expectGoodScreen(approver, "an approved request");
  await expect.poll(async () => (await listEmails(page, invited.email)).length).toBe(1);
  await page.reload();
  await expect(page.getByText("This is approved.")).toBeVisible();
  await second.close();
});
