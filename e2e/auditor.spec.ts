import { expect, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

test("ADM-3, AUD-2: by keyboard alone an auditor reads a donation, the reports and the audit trail, and is offered no change @long", async ({
  page,
  expected,
}) => {
  expected.push(/403/);
  await logInStaff(page, "Ingrid Olsen", "auditor");
  await page.goto("/admin");
  await expectGoodScreen(page, "an auditor’s dashboard");
  const forms = page.getByRole("main").locator("form[method=post]");

  await page.goto("/admin/donations?state=refunded");
  await expect(page.locator("table .box")).toHaveCount(0);
  await expect(page.locator("summary", { hasText: "Export" })).toHaveCount(0);
  const first = page.locator("tbody tr").first().getByRole("link").first();
  await pressByKey(page, first);
  await expect(page).toHaveURL(/\/admin\/donations\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: "What happened" })).toBeVisible();
  await expect(forms).toHaveCount(0);
  await expectGoodScreen(page, "a donation as an auditor sees it");
  await page.goto(`${page.url()}/refund`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You may not do this");

  for (const path of ["/admin/refunds", "/admin/reconciliation", "/admin/reports", "/admin/staff"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect([path, await forms.count()]).toEqual([path, 0]);
  }
  await page.goto("/admin/audit");
  await expectGoodScreen(page, "the audit trail as an auditor sees it");
  await tabTo(page, page.getByLabel("Who"));
  await expect(page.locator("tbody tr").first()).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Show" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/admin\/audit\?/);
});
