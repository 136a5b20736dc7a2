import type { Page } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, test } from "./journey.ts";

const viewerOf = (page: Page) => page.getByRole("dialog", { name: "Gallery" });

/** The cards' links, once a click on them opens the viewer. */
async function openGallery(page: Page) {
  await page.goto("/gallery");
  const links = page.locator(".gallery-list .card-title a");
  await expect(links.first()).toHaveAttribute("aria-haspopup", "dialog");
  return links;
}

test("PAGE-6: the gallery shows its pictures with title, description, day and who made them", async ({ page }) => {
  await openGallery(page);
  const card = page.getByRole("listitem").filter({ hasText: "Two pots, three cooks" });
  await expect(card).toContainText("The night kitchen, an hour before the cloth is laid.");
  await expect(card).toContainText("8 November 2026");
  await expect(card).toContainText("Created By Samina, kitchen team");
  await expect(card.locator("img")).toHaveJSProperty("complete", true);
});

test("PAGE-6: the viewer opens with Enter, turns with arrows, Home and End, and Escape returns focus to the card", async ({
  page,
}) => {
  const links = await openGallery(page);
  await links.nth(1).focus();
  await page.keyboard.press("Enter");
  const viewer = viewerOf(page);
  await expect(viewer).toBeVisible();
  const words = viewer.locator("[aria-live]");
  await expect(words).toContainText("Picture 2 of 12");
  await expect(words).toContainText("On call at dusk");
  await expectOnlyShown(page, 1);
  for (const [key, number] of [
    ["ArrowRight", 3],
    ["ArrowRight", 4],
    ["ArrowLeft", 3],
    ["End", 12],
    ["ArrowRight", 1],
    ["ArrowLeft", 12],
    ["Home", 1],
  ] as const) {
    await page.keyboard.press(key);
    await expect(words).toContainText(`Picture ${number} of 12`);
    await expectOnlyShown(page, number - 1);
  }
  await page.keyboard.press("End");
  await page.keyboard.press("Escape");
  await expect(viewer).toBeHidden();
  await expect(links.nth(11)).toBeFocused();
  await expect(links.nth(11)).toBeInViewport();
});

test("PAGE-6: buttons and swiping turn pictures, the page behind stays still, and a button closes the viewer", {
  tag: "@phone",
}, async ({ page }) => {
  const links = await openGallery(page);
  await links.nth(2).scrollIntoViewIfNeeded();
  await page
    .locator(".gallery-list .card")
    .nth(2)
    .click({ position: { x: 60, y: 60 } });
  const viewer = viewerOf(page);
  const words = viewer.locator("[aria-live]");
  await expect(words).toContainText("Picture 3 of 12");
  const before = await page.evaluate(() => scrollY);
  await viewer.getByRole("button", { name: "Next picture" }).click();
  await expect(words).toContainText("Picture 4 of 12");
  await expectOnlyShown(page, 3);
  // A swipe of the picture at rest scrolls the track, which then snaps.
  const track = viewer.locator(".viewer-track");
  const scrolled = () => track.evaluate((one) => one.scrollLeft / one.clientWidth);
  await expect.poll(scrolled).toBeCloseTo(3, 2);
  await track.evaluate((one) => one.scrollBy({ left: one.clientWidth * 0.7 }));
  await expect(words).toContainText("Picture 5 of 12");
  await expectOnlyShown(page, 4);
  await viewer.getByRole("button", { name: "Previous picture" }).click();
  await expect(words).toContainText("Picture 4 of 12");
  await expectOnlyShown(page, 3);
  await page.mouse.wheel(0, 800);
  expect(await page.evaluate(() => scrollY)).toBe(before);
  await viewer.getByRole("button", { name: "Close the gallery" }).click();
  await expect(viewer).toBeHidden();
  await expect(links.nth(3)).toBeFocused();
});

test("PAGE-6: the open viewer is accessible, fits, and shows a picture wide enough for the window", {
  tag: "@long",
}, async ({ page }) => {
  const links = await openGallery(page);
  await links.nth(0).click();
  const viewer = viewerOf(page);
  await expect(viewer).toBeVisible();
  await expectAccessible(page, "gallery viewer");
  await expectToFit(page, "gallery viewer");
  const image = viewer.locator("img").first();
  await expect(image).toHaveJSProperty("complete", true);
  const { shown, loaded } = await image.evaluate((element: HTMLImageElement) => ({
    shown: element.clientWidth,
    loaded: Number(/\/(\d+)\.\w+$/.exec(element.currentSrc)?.[1]),
  }));
  expect(loaded).toBeGreaterThanOrEqual(Math.min(shown, 1280) * 0.9);
});

test("PAGE-6: the gallery page loads at most 3 kB of script", { tag: "@once" }, async ({ page, request }) => {
  const scripts = new Set<string>();
  page.on("request", (asked) => asked.resourceType() === "script" && scripts.add(asked.url()));
  await openGallery(page);
  let bytes = 0;
  for (const url of scripts) {
    const answer = await request.head(url, { headers: { "accept-encoding": "br" } });
    bytes += Number(answer.headers()["content-length"]);
  }
  expect(scripts.size).toBe(2);
  expect(bytes).toBeLessThanOrEqual(3000);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  // Without JavaScript, Chromium reports the page's scripts as refused.
  test.beforeEach(({ expected }) => void expected.push(/\.js csp$/));
  // The browser shows a picture's file in a page it makes, whose inline style our policy refuses.
  test.beforeEach(({ expected }) => void expected.push(/Applying inline style.*\/images\//, /^not caught: $/));

  test("PAGE-6: without JavaScript a card opens the picture's file", { tag: "@once" }, async ({ page }) => {
    await page.goto("/gallery");
    await page.getByRole("link", { name: "Two pots, three cooks" }).click();
    await expect(page).toHaveURL(/\/images\/[0-9a-f]{32}\/\d+\.jpg$/);
    await expect(page.locator("img")).toBeVisible();
  });
});

/** Waits until the track has stopped with this slide in the middle. */
async function expectOnlyShown(page: Page, index: number) {
  const track = page.locator(".viewer-track");
  await expect
    .poll(() => track.evaluate((element) => Math.round((element.scrollLeft / element.clientWidth) * 100) / 100))
    .toBe(index);
}
