import { expectAccessible } from "./accessible.ts";
import { expect, siteUrl, test } from "./journey.ts";
import { logInStaff } from "./staff-member.ts";

test("FIND-1: by keyboard alone the palette finds a screen and a donation from anywhere, and returns the focus", async ({
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

  await page.keyboard.press("Control+k");
  await page.getByRole("checkbox", { name: "Open with / too" }).uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await expect(box).toBeHidden();
});
