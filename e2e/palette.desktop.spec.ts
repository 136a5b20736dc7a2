import { expectAccessible } from "./accessible.ts";
import { expect, siteUrl, test } from "./journey.ts";
import { logInStaff } from "./staff-member.ts";

test("FIND-1, FIND-3: by keyboard alone the palette finds a screen and a donation, and single keys lead through lists", async ({
  page,
}) => {
  await logInStaff(page, "Yusuf Demir", "treasurer");
  await page.goto("/admin");
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: /Search people, receipts/ });
  await expect(box).toBeFocused();
  await page.keyboard.type("repor");
  await expect(page.getByRole("option", { name: /Reports/ })).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page, "the palette");
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();

  await page.keyboard.press("/");
  await box.fill("a");
  await expect(page.getByRole("group", { name: "Donations" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await box.fill("repor");
  await expect(page.getByRole("option", { name: /Reports/ })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${siteUrl()}/admin/reports`);

  // Single keys lead to a section and through its list, until they are switched off.
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.waitForURL(`${siteUrl()}/admin/donations`);
  const rows = page.locator("tbody tr");
  for (const [key, row] of [
    ["j", 0],
    ["j", 1],
    ["k", 0],
  ] as const) {
    await page.keyboard.press(key);
    await expect(rows.nth(row).locator("th a")).toBeFocused();
  }
  const address = await rows.nth(0).locator("th a").getAttribute("href");
  await page.keyboard.press("Enter");
  await page.waitForURL(siteUrl() + address);
  await page.keyboard.press("Control+k");
  await page.getByRole("checkbox", { name: /Use single keys/ }).uncheck();
  await page.keyboard.press("Escape");
  for (const key of ["/", "g", "d"]) await page.keyboard.press(key);
  await expect(box).toBeHidden();
  expect(page.url()).toBe(siteUrl() + address);
});
