import type { Page } from "@playwright/test";
import { contrast } from "#shared/brand/oklch.ts";
import { expect, test } from "./journey.ts";
import { readPages } from "./receipt-text.ts";
import { logInStaff } from "./staff-member.ts";

/** In points: A4 less the margin of 12 mm. The reader of PDFs makes lines up to 2 points wider. */
const RIGHT_EDGE = 595.3 - (12 * 72) / 25.4 + 2;

/** The words of a printed screen without their spaces, and the right end of its widest line in points. */
async function print(page: Page) {
  const pages = await readPages(await page.pdf({ format: "A4" }));
  const pieces = pages.flat().filter(({ str }) => str.trim() !== "");
  return {
    words: pieces.map(({ str }) => str.replace(/\s/g, "")).join(""),
    right: Math.max(...pieces.map(({ transform, width }) => transform[4] + width)),
  };
}

/** The colours of the screen's words, as #RRGGBB. */
const listInks = (page: Page) =>
  page.locator("main").evaluate((main) => {
    const pen = document.createElement("canvas").getContext("2d")!;
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const inks = new Set<string>();
    while (texts.nextNode()) {
      const { parentElement: parent, textContent } = texts.currentNode;
      if (!textContent?.trim() || !parent!.checkVisibility()) continue;
      pen.fillStyle = getComputedStyle(parent!).color;
      inks.add(String(pen.fillStyle));
    }
    return [...inks];
  });

test("ADM-18: a printed screen has every amount and no controls, in dark ink, and says whose it is and of when", async ({
  page,
}) => {
  await logInStaff(page, "Claire Donnelly", "administrator");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const path of [
    "/admin",
    "/admin/donations",
    "/admin/reconciliation",
    "/admin/refunds",
    "/admin/orders",
    "/admin/catalogue",
    "/admin/volunteers",
    "/admin/volunteers/list",
    "/admin/staff",
  ]) {
    await page.goto(path);
    const amounts = await page.locator("main td.num").allInnerTexts();
    const { words, right } = await print(page);
    for (const amount of amounts) expect(words, path).toContain(amount.replace(/\s/g, ""));
    expect(right, path).toBeLessThanOrEqual(RIGHT_EDGE);
    expect(words, path).toMatch(/^ChashmaFoundationAustralia:\w+day\d+\w+20\d\dat.*Sydneytime/);
    const controls = page.locator("button, input, select, summary, .btn").filter({ visible: true });
    await expect(controls, path).toHaveCount(0);
    if ((await page.locator(".pager").count()) > 0)
      expect(words, path).toMatch(/Thispagehas\d+of|onepageofalongerlist/);
    for (const ink of await listInks(page)) expect(contrast(ink, "#ffffff"), path).toBeGreaterThanOrEqual(4.5);
  }
});

test("ADM-18: a printed shift has who comes, with their numbers, and no controls", async ({ page }) => {
  await logInStaff(page, "Claire Donnelly", "coordinator");
  await page.goto("/admin/volunteers/shifts");
  await page.getByRole("region", { name: "Coming up" }).getByRole("link", { name: "Street stall" }).click();
  const people = page.getByRole("region", { name: "Signed up" }).getByRole("listitem");
  const names = await people.getByRole("link").allInnerTexts();
  const numbers = await people.locator(".tn").allInnerTexts();
  await page.emulateMedia({ media: "print" });
  const { words } = await print(page);
  expect(numbers.length).toBe(names.length);
  for (const number of numbers) expect(words).toContain(number.replace(/\s/g, ""));
  await expect(page.locator("button, input, select, summary, .btn").filter({ visible: true })).toHaveCount(0);
});

test("ADM-18: a printed page of a filtered list says what was filtered and how many of all rows it has, with no link beside it", async ({
  page,
}) => {
  await logInStaff(page, "Claire Donnelly", "administrator");
  await page.goto("/admin/donations?method=cc&state=paid");
  await page.emulateMedia({ media: "print" });
  const { words } = await print(page);
  expect(words).toContain("Shown:CardPaid");
  // A busy machine may be too slow to add them up.
  expect(words).toMatch(/Thispagehas25of\d+donations\.|Thisisonepageofalongerlist\./);
  await expect(page.getByText(/Save this filter|Remove all/).filter({ visible: true })).toHaveCount(0);
});
