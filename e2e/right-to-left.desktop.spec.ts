import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./journey.ts";

/** A page in a language that is written from right to left. */
async function openRightToLeft(page: Page, path: string) {
  await page.route(path, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('dir="ltr"', 'dir="rtl"');
    await route.fulfill({ response, body });
  });
  await page.goto(path);
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
}

/** The indexes of the slides within the track's frame. */
function listShown(track: Locator): Promise<number[]> {
  return track.evaluate((element) => {
    const frame = element.getBoundingClientRect();
    const isInside = ({ left, right }: DOMRect) => left >= frame.left - 8 && right <= frame.right + 8;
    return [...element.children].flatMap((slide, index) =>
      isInside(slide.getBoundingClientRect()) ? [index + 1] : [],
    );
  });
}

/** The groups of a number in the order they appear on the page, from the left. */
function orderOfGroups(element: Element): string[] {
  const text = element.firstChild!;
  const groups = [...text.textContent!.matchAll(/\d+/g)].map(({ 0: digits, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + digits.length);
    return { digits, left: range.getBoundingClientRect().left };
  });
  return groups.sort((one, other) => one.left - other.left).map(({ digits }) => digits);
}

test("LANG-3: where text runs from right to left, a carousel turns towards the end of its list and wraps round", {
  tag: "@long",
}, async ({ page }) => {
  await openRightToLeft(page, "/");
  const track = page.getByRole("region", { name: "Causes", exact: true });
  await track.scrollIntoViewIfNeeded();
  const next = page.getByRole("button", { name: "Next causes" });
  const previous = page.getByRole("button", { name: "Previous causes" });
  await expect(next).toBeVisible();
  for (const [button, shown] of [
    [undefined, [1, 2, 3]],
    [next, [4, 5, 6]],
    [next, [1, 2, 3]],
    [previous, [4, 5, 6]],
    [previous, [1, 2, 3]],
  ] as const) {
    await button?.click();
    await expect.poll(() => listShown(track)).toEqual(shown);
  }
  const groups = page.getByRole("banner").locator('[href^="tel:"] bdi').first();
  expect(await groups.evaluate(orderOfGroups)).toEqual(["1300", "000", "000"]);
  // Arrows point the way their button turns.
  await expect(next.locator("svg")).toHaveCSS("transform", "matrix(-1, 0, 0, 1, 0, 0)");
});

test("LANG-3: the gallery's arrow keys follow the direction of the text", async ({ page }) => {
  await openRightToLeft(page, "/gallery");
  const link = page.locator(".gallery-list .card-title a").first();
  await expect(link).toHaveAttribute("aria-haspopup", "dialog");
  await link.click();
  const words = page.getByRole("dialog", { name: "Gallery" }).locator("[aria-live]");
  const track = page.locator(".viewer-track");
  for (const [key, number] of [
    ["ArrowLeft", 2],
    ["ArrowLeft", 3],
    ["ArrowRight", 2],
    ["End", 12],
  ] as const) {
    await page.keyboard.press(key);
    await expect(words).toContainText(`Picture ${number} of 12`);
    await expect.poll(() => listShown(track)).toEqual([number]);
  }
});
