import { expect, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

test("VOLA-9, VOLA-11: by keyboard alone a coordinator plans a shift and adds a volunteer", { tag: "@long" }, async ({
  page,
}) => {
  await logInStaff(page, "Hira Baig", "coordinator");
  await page.goto("/admin/volunteers/shifts");
  await expectGoodScreen(page, "the list of shifts");
  await pressByKey(page, page.getByRole("link", { name: "Plan a shift" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plan a shift");
  await expectGoodScreen(page, "the form of a shift");
  const day = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
  await tabTo(page, page.getByLabel("Name", { exact: true }));
  await page.keyboard.type("Stall at the market");
  await page.getByLabel("Day", { exact: true }).fill(day);
  await page.getByLabel("From").fill("09:00");
  await page.getByLabel(/^Until/).fill("12:00");
  await tabTo(page, page.getByLabel("Fundraising"));
  await page.keyboard.type("2");
  await pressByKey(page, page.getByRole("button", { name: "Plan the shift" }));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Stall at the market");
  await page.getByLabel("Volunteer", { exact: true }).selectOption({ index: 1 });
  await pressByKey(page, page.getByRole("button", { name: "Add to the shift" }));
  await expect(page.getByRole("status")).toHaveText("Added.");
  await expect(page.getByText("1 of 2")).toBeVisible();
  await expectGoodScreen(page, "a shift");
});
