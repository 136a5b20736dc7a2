import type { Locator } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./journey.ts";

test("HOME-1, HOME-2, HOME-3, HOME-8, HOME-9, HOME-10: home has all its blocks, in order, with their links", async ({
  page,
}) => {
  await page.goto("/");
  const main = page.getByRole("main");
  await expect(main.getByText("Helping Today. Shaping Tomorrow")).toBeVisible();
  await expect(main.getByRole("heading")).toContainText([
    "Give a child the Gift of Education",
    "Choose where your donation goes",
    "A spring is free to whoever comes",
    "Our causes",
    "Our donors",
    "Gallery",
    "Ways to help",
    "News and articles",
  ]);
  await expect(main.getByRole("link", { name: "Donate Now" })).toHaveAttribute("href", "/donation");
  for (const name of ["Schools and Dastarkhwan", "Hospitals and Clinics", "Homes"]) {
    await expect(main.getByRole("link", { name: `Donate to ${name}` })).toHaveAttribute("href", /^\/donation\?cause=/);
  }
  await expect(main.locator(".gallery-block li")).toHaveCount(6);
  await expect(main.getByRole("link", { name: "Become a volunteer" })).toHaveAttribute("href", "/volunteer");
  await expect(main.getByRole("link", { name: "Quick fundraising" })).toHaveAttribute("href", /^\/contact\?subject=/);
  await expect(main.getByRole("link", { name: "Start donating" })).toHaveAttribute("href", "/donation");
  await expect(main.getByText("14 October 2026")).toBeVisible();
  await expect(main.getByRole("link", { name: "A hand pump ends" })).toHaveAttribute("href", /^\/news\/a-hand-pump/);
  await expect(main.getByRole("link", { name: "All news and articles" })).toHaveAttribute("href", "/news");
  await expectAccessible(page, "home");
});

test("HOME-5, HOME-6, HOME-10, HOME-11: a cause opens its page, and its toggle shows the rest of the text in place", async ({
  page,
  expected,
}) => {
  // The browser prefetches the page of a hovered link; a cancelled prefetch is no failure.
  expected.push(/ambulance-fund net::ERR_FAILED/);
  await page.goto("/");
  const card = page.getByRole("group", { name: "1 of 6" }).first();
  await card.scrollIntoViewIfNeeded();
  await expect(card.getByText("Read More")).toBeVisible();
  await card.getByText("Read More").click();
  await expect(card.getByText("without asking who can pay.")).toBeVisible();
  await expect(card.getByText("Read Less")).toBeVisible();
  await expect(page).toHaveURL("/");
  await card.getByText("Read Less").click();
  await expect(card.getByText("Read More")).toBeVisible();
  const picture = (await card.locator(".media").boundingBox())!;
  await page.mouse.click(picture.x + picture.width / 2, picture.y + picture.height / 2);
  await expect(page).toHaveURL("/ambulance-fund");
});

test("HOME-4: causes show and turn three at a time, in a circle; one at a time on narrow screens", {
  tag: "@phone",
}, async ({ page, isMobile }) => {
  await page.goto("/");
  const track = page.getByRole("region", { name: "Causes", exact: true });
  await track.scrollIntoViewIfNeeded();
  const next = page.getByRole("button", { name: "Next causes" });
  await expect(next).toBeVisible();
  const views = isMobile
    ? [[1], [2], [3], [4], [5], [6], [1]]
    : [
        [1, 2, 3],
        [4, 5, 6],
        [1, 2, 3],
      ];
  for (const [index, view] of views.entries()) {
    await expect.poll(() => listShown(track)).toEqual(view);
    if (index < views.length - 1) await next.click();
  }
  await page.getByRole("button", { name: "Previous causes" }).click();
  await expect.poll(() => listShown(track)).toEqual(views.at(-2));
});

test("HOME-7: donors turn every ten seconds until somebody pauses, hovers or moves focus inside", {
  tag: "@long",
}, async ({ page, isMobile }) => {
  await page.clock.install();
  await page.goto("/");
  const track = page.getByRole("region", { name: "Donors", exact: true });
  await track.scrollIntoViewIfNeeded();
  const stop = page.getByRole("button", { name: "Stop slide rotation" });
  await expect(stop).toBeVisible();
  const first = isMobile ? [1] : [1, 2, 3];
  const second = isMobile ? [2] : [4, 5, 6];
  await expect.poll(() => listShown(track)).toEqual(first);
  await page.clock.runFor(10_000);
  await expect.poll(() => listShown(track)).toEqual(second);
  if (!isMobile) {
    await track.hover();
    await page.clock.runFor(30_000);
    expect(await listShown(track)).toEqual(second);
    await page.mouse.move(2, 2);
  }
  await stop.click();
  const start = page.getByRole("button", { name: "Start slide rotation" });
  await expect(start).toBeVisible();
  await page.mouse.move(2, 2);
  await page.clock.runFor(30_000);
  expect(await listShown(track)).toEqual(second);
  await start.click();
  await page.getByRole("button", { name: "Next donors" }).focus();
  await expect(start).toBeVisible();
});

test("HOME-7: under reduced motion donors never turn automatically, and two show at a time from 640 to 1024 pixels", {
  tag: "@long",
}, async ({ page, isMobile }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.clock.install();
  await page.goto("/");
  const track = page.getByRole("region", { name: "Donors", exact: true });
  await track.scrollIntoViewIfNeeded();
  await expect(page.getByRole("button", { name: "Start slide rotation" })).toBeVisible();
  await page.clock.runFor(30_000);
  expect(await listShown(track)).toEqual(isMobile ? [1] : [1, 2, 3]);
  await page.setViewportSize({ width: 800, height: 900 });
  await expect.poll(() => listShown(track)).toEqual([1, 2]);
});

test("HOME-10: a headline links to its article, and the article to all the news", { tag: "@long" }, async ({
  page,
  expected,
}) => {
  // The browser prefetches the page of a hovered link; a cancelled prefetch is no failure.
  expected.push(/net::ERR_FAILED/);
  await page.goto("/");
  await page.getByRole("link", { name: "School kits packed before the new term" }).click();
  await expect(page).toHaveURL("/news/school-kits-packed-before-the-new-term");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("School kits packed before the new term");
  await expect(main.getByText("The hall smelled of new paper.")).toBeVisible();
  await expect(main.getByRole("link", { name: "Donate Now" })).toBeVisible();
  await main.getByRole("link", { name: "All news and articles" }).click();
  await expect(page).toHaveURL("/news");
  await expect(main.getByRole("heading", { level: 2 })).toContainText([
    "A hand pump ends a four-hour walk for water",
    "The travelling camp sees its ten-thousandth patient",
    "School kits packed before the new term",
  ]);
});

/** The numbers, from 1, of the slides that are fully in view. */
function listShown(track: Locator): Promise<number[]> {
  return track.evaluate((element) => {
    const view = element.getBoundingClientRect();
    return [...element.children].flatMap((slide, index) => {
      const { left, right } = slide.getBoundingClientRect();
      return left >= view.left - 2 && right <= view.right + 2 ? [index + 1] : [];
    });
  });
}
