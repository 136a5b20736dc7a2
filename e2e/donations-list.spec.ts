import { readFile } from "node:fs/promises";
import { expect, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

test("DESK-1, DESK-2, DESK-3, DESK-7: by keyboard alone a treasurer finds donations, mends a filter, opens one and exports all", async ({
  page,
}) => {
  await logInStaff(page, "Yusuf Demir", "treasurer");
  await page.goto("/admin/donations");
  await expectGoodScreen(page, "donations");
  const search = page.getByRole("searchbox", { name: "Search" });
  await tabTo(page, search);
  await page.keyboard.type("mal");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=mal/);
  const found = page.locator("#sums dd").first();
  await expect(page.locator("#sums dt").first()).toHaveText("Donations found");

  await pressByKey(page, page.locator("search summary", { hasText: "More" }));
  const least = page.getByLabel("At least, in dollars");
  await tabTo(page, least);
  await page.keyboard.type("fifty");
  await page.keyboard.press("Enter");
  await expect(page.locator("#filter-min-error")).toBeVisible();
  await expect(least).toHaveValue("fifty");
  await expect(search).toHaveValue("mal");
  await expectGoodScreen(page, "donations with a wrong filter");
  await tabTo(page, least);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("50");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/min=50/);
  await expect(page.locator("#filter-min-error")).toHaveCount(0);
  const count = Number(await found.textContent());
  expect(count).toBeGreaterThan(0);

  await pressByKey(page, page.locator("summary", { hasText: "Export" }));
  await tabTo(page, page.getByRole("button", { name: "Plain table (CSV)" }));
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(lines.filter((line) => line.startsWith("Donation,"))).toHaveLength(count);

  const first = page.locator("tbody tr").first().getByRole("link").first();
  const name = await first.textContent();
  await pressByKey(page, first);
  await expect(page).toHaveURL(/\/admin\/donations\/[0-9a-f-]{36}$/);
  await expect(page.locator("main")).toContainText(name!);
  await page.goBack();
  await expect(least).toHaveValue("50");
});

test("DSK-13: by keyboard alone a treasurer saves a filter under a name, uses its tab and deletes it @long", async ({
  page,
}) => {
  await logInStaff(page, "Yusuf Demir", "treasurer");
  await page.goto("/admin/donations?method=pp&q=mal");
  await pressByKey(page, page.getByRole("link", { name: "Save this filter" }));
  await expect(page).toHaveURL(/\/admin\/you\/filters/);
  await expectGoodScreen(page, "save a filter");
  const name = page.getByLabel("Name");
  await expect(name).toHaveValue(/PayPal/);
  await tabTo(page, name);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Gifts by PayPal");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/admin\/donations\?method=pp$/);
  const tab = page.getByRole("navigation", { name: "Saved filters" }).getByRole("link", { name: "Gifts by PayPal" });
  await expect(tab).toHaveAttribute("aria-current", "page");
  await expectGoodScreen(page, "donations with a saved filter");

  await page.goto("/admin/donations");
  await pressByKey(page, tab);
  await expect(page).toHaveURL(/\/admin\/donations\?method=pp$/);
  await pressByKey(page, page.getByRole("link", { name: "Your filters" }));
  await expect(page).toHaveURL(/\/admin\/you\/filters/);
  await expectGoodScreen(page, "saved filters");
  await pressByKey(page, page.getByRole("button", { name: "Delete Gifts by PayPal" }));
  await expect(page).toHaveURL(/\/admin\/donations$/);
  await expect(tab).toHaveCount(0);
});

test("DESK-11, DESK-12, DESK-13: by keyboard alone a treasurer sorts, ticks donations, and sends their receipts again @phone", async ({
  page,
}) => {
  await logInStaff(page, "Yusuf Demir", "treasurer");
  await page.goto("/admin/donations?state=paid");
  // On a phone too, where the rest of the table's head is hidden.
  const byAmount = page.getByRole("link", { name: "Amount" });
  await tabTo(page, byAmount);
  await expect(byAmount).toBeInViewport({ ratio: 0.9 });
  await pressByKey(page, byAmount);
  await expect(page).toHaveURL(/sort=largest/);
  const amounts = await page.locator("tbody .v-c").allTextContents();
  const cents = amounts.map((text) => Number(text.replace(/\D/g, "")));
  expect(cents).toEqual(cents.toSorted((one, other) => other - one));

  const bar = page.locator(".bulk");
  await expect(bar).toBeHidden();
  const boxes = page.locator("tbody .box");
  for (const place of [0, 1]) {
    await tabTo(page, boxes.nth(place));
    await page.keyboard.press("Space");
  }
  const dollars = (sum: number) => (sum / 100).toLocaleString("en-AU", { style: "currency", currency: "AUD" });
  await expect(bar.getByRole("status")).toHaveText(`2 chosen, ${dollars(cents[0]! + cents[1]!)}`);
  const navigation = await page.locator(".tabs-bottom").boundingBox();
  const { y, height } = (await bar.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(navigation?.y ?? page.viewportSize()!.height);
  // The bar covers nothing that has the focus.
  await tabTo(page, boxes.nth(9));
  const [row, edge] = await Promise.all([boxes.nth(9).boundingBox(), bar.boundingBox()]);
  expect(row!.y + row!.height).toBeLessThanOrEqual(edge!.y);
  await expectGoodScreen(page, "donations with ticked rows");

  await pressByKey(page, page.getByRole("button", { name: "Send receipts again" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Send receipts again");
  await expectGoodScreen(page, "receipts to send again");
  await pressByKey(page, page.getByRole("button", { name: "Send 2 receipts" }));
  await expect(page.getByRole("status").filter({ hasText: "receipts are on their way" })).toBeVisible();
});

test("ADM-15: on a phone, a name without a space does not widen the list", { tag: "@once" }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await logInStaff(page, "Yusuf Demir", "treasurer");
  await page.goto("/admin/donations");
  const name = page.locator("tbody .k-c a").first();
  await name.evaluate((link) => link.replaceChildren("Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren"));
  const list = await page.locator(".tw").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(list).toBe(0);
});
