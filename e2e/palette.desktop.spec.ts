import { expectAccessible } from "./accessible.ts";
import { expect, siteUrl, test } from "./journey.ts";
import { expectGoodScreen, logInStaff } from "./staff-member.ts";

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

test("FIND-3: from a donation, the breadcrumb and Back lead to the list as it was left, and to the same row; Previous and Next open those beside it", async ({
  page,
}) => {
  await logInStaff(page, "Yusuf Demir", "treasurer");
  const list = "/admin/donations?method=cc&sort=oldest";
  await page.goto(list);
  const links = page.locator("tbody th a");
  const paths = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname));
  expect(paths.length).toBeGreaterThan(3);
  await links.nth(1).click();
  await page.waitForURL(siteUrl() + paths[1]!);
  const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
  await crumbs.getByRole("link", { name: "Next" }).click();
  await page.waitForURL(siteUrl() + paths[2]!);
  await expectGoodScreen(page, "a donation of a list");
  await crumbs.getByRole("link", { name: "Donations" }).click();
  await page.waitForURL(siteUrl() + list);
  await expect(links.nth(2)).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(siteUrl() + paths[3]!);
  await page.goBack();
  await expect(links.nth(3)).toBeFocused();
  await links.nth(0).click();
  await page.waitForURL(siteUrl() + paths[0]!);
  await expect(crumbs.getByRole("link", { name: "Previous" })).toBeHidden();

  // Nothing pulls the focus of somebody who comes to the list in another way.
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "All donations" }).click();
  await page.waitForURL(`${siteUrl()}/admin/donations`);
  await expect(page.locator("tbody a:focus")).toHaveCount(0);
});

test("FIND-3: on a phone the strips of screens, and of an event's parts, show the current one", async ({ page }) => {
  await logInStaff(page, "Yusuf Demir", "administrator");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/admin/journal");
  await expect(page.getByRole("navigation", { name: "Screens of Donations" }).getByText("Journal")).toBeInViewport({
    ratio: 1,
  });
  await page.goto("/admin/events");
  await page.getByRole("link", { name: "Community iftar" }).click();
  await page.getByRole("link", { name: "Report", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Parts of the event" }).getByText("Report")).toBeInViewport({
    ratio: 1,
  });
});
