import { expectAccessible } from "./accessible.ts";
import { becomeGuest } from "./donor.ts";
import { expect, siteUrl, test } from "./journey.ts";

test("LAY-1, LAY-3, LAY-5, LAY-6, NAV-5: header, footer and registration badge wrap every page", {
  tag: "@phone",
}, async ({ page, isMobile }) => {
  await becomeGuest(page, siteUrl());
  for (const path of ["/", "/login", "/donation"]) {
    await page.goto(path);
    const header = page.getByRole("banner");
    await expect(header.getByRole("link", { name: "Become a volunteer" })).toHaveAttribute("href", "/volunteer");
    await expect(header.getByRole("link", { name: /Helpline/ })).toHaveAttribute("href", "tel:1300000000");
    await expect(header.getByRole("link", { name: "Donate", exact: true })).toBeVisible();
    if (!isMobile) {
      await expect(header.getByRole("link", { name: "help@chashma.example" })).toHaveAttribute("href", /^mailto:/);
      await expect(header.getByText("Auburn NSW 2144")).toBeVisible();
      await expect(header.getByRole("link", { name: "Facebook" })).toBeVisible();
      await expect(header.getByRole("link", { name: "Log in" })).toHaveAttribute("href", "/login");
    }
    const footer = page.getByRole("contentinfo");
    await expect(footer.getByRole("link", { name: /App Store/ })).toBeVisible();
    await expect(footer.getByRole("link", { name: /Google Play/ })).toBeVisible();
    await expect(footer.getByRole("link", { name: "Ambulance Fund" })).toHaveAttribute("href", "/ambulance-fund");
    const badge = page.getByRole("link", { name: /Registered charity: view our entry/ }).last();
    await expect(badge).toHaveAttribute("href", /acnc\.gov\.au/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  }
});

test("NAV-8: an unknown address gets a helpful page with status 404", { tag: "@once" }, async ({ page, expected }) => {
  expected.push(/404/);
  const answer = await page.goto("/no/such/page");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "We couldn’t find that page" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Go to the home page" })).toBeVisible();
  await expectAccessible(page, "404");
});

test("NAV-3: a navigation starts at the top, and Back restores the position", async ({ page }) => {
  await page.goto("/");
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Donate", exact: true });
  await link.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(500);
  await link.click();
  await expect(page).toHaveURL(/\/login/);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before - 50);
});

test("LAY-5: the skip link is the first keyboard stop and leads past the header", { tag: "@once" }, async ({
  page,
}) => {
  await page.goto("/login");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to main content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("LAY-7: a toast closes after ten seconds, shows once, and stays while a pointer rests on it", {
  tag: "@once",
}, async ({ page, donor, amount }) => {
  await page.clock.install();
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const text = "Please complete the reCAPTCHA verification";
  const toast = page.getByRole("region", { name: "Notifications" }).getByText(text);
  await donor.pressWhenOff(donor.payButton);
  await expect(toast).toBeVisible();
  const box = (await toast.boundingBox())!;
  const { width, height } = page.viewportSize()!;
  expect(box.x + box.width).toBeGreaterThan(width - 100);
  expect(box.y + box.height).toBeGreaterThan(height - 160);
  await donor.pressWhenOff(donor.payButton);
  await expect(toast).toHaveCount(1);
  await toast.hover();
  await page.clock.runFor(11_000);
  await expect(toast).toBeVisible();
  await page.mouse.move(5, 5);
  await page.clock.runFor(10_500);
  await expect(toast).toHaveCount(0);
});

test("LAY-2: the 'Loading' overlay shows only after 150 ms, and closes when the request fails", {
  tag: "@once",
}, async ({ page, donor, expected }) => {
  expected.push(/ERR_CONNECTION_RESET/);
  await page.clock.install();
  await donor.openAsGuest();
  await donor.fillPersonal();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = page.waitForRequest("**/api/categories");
  await page.route("**/api/categories", async (route) => {
    await held;
    await route.abort("connectionreset");
  });
  await page.clock.pauseAt(Date.now() + 600_000);
  await donor.next();
  await asked;
  const overlay = page.locator(".loader");
  await page.clock.runFor(100);
  await expect(overlay).toHaveCount(0);
  await page.clock.runFor(100);
  await expect(overlay).toHaveText("Loading");
  await expect(overlay).toHaveRole("status");
  release();
  await expect(overlay).toHaveCount(0);
  await expect(page.getByRole("alert").filter({ hasText: "We couldn’t load the donation categories." })).toBeVisible();
  await page.unroute("**/api/categories");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByLabel("Donation category")).toBeVisible();
});

test("LAY-8: blocks rise once for 800 ms when scrolled to, and never under reduced motion", {
  tag: ["@once", "@long"],
}, async ({ page }) => {
  await page.addInitScript(() => {
    const moves: unknown[] = [];
    Object.assign(window, { moves });
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
      moves.push(given[1]);
      return animate.apply(this, given);
    };
  });
  const listMoves = () => page.evaluate(() => (window as Window & { moves?: object[] }).moves ?? []);
  await page.goto("/");
  await scrollThrough(page);
  const moves = await listMoves();
  expect(moves.length).toBeGreaterThan(2);
  for (const move of moves) expect(move).toMatchObject({ duration: 800, easing: "ease-in-out" });
  await page.evaluate(() => scrollTo(0, 0));
  await scrollThrough(page);
  expect(await listMoves()).toHaveLength(moves.length);

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  await scrollThrough(page);
  expect(await listMoves()).toEqual([]);
});

test("LAY-8: a block that is jumped over does not stay hidden", { tag: "@once" }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/");
  const blocks = page.locator("[data-rise]");
  const last = page.getByText("We acknowledge the Traditional Custodians");
  // Chromium drops keys pressed before the first paint.
  await expect(async () => {
    await page.keyboard.press("End");
    await expect(last).toBeInViewport({ timeout: 2000 });
  }).toPass();
  await expect
    .poll(() => blocks.evaluateAll((all) => all.map((block) => getComputedStyle(block).opacity)))
    .toEqual(Array(await blocks.count()).fill("1"));
});

test("LAY-10, API-2: header, footer and /site-info all show the details of the organisation's file", {
  tag: "@once",
}, async ({ page }) => {
  await page.goto("/");
  const token = (await page.request.get("/api/checkout")).headers()["set-cookie"];
  const value = /XSRF-TOKEN=([^;]+)/.exec(token ?? "")?.[1] ?? "";
  const answer = await page.request.post("/api/site-info", {
    headers: { "x-xsrf-token": decodeURIComponent(value) },
    data: {},
  });
  const { data } = await answer.json();
  expect(data[0].phone).toBe("1300 000 000");
  await expect(page.getByRole("contentinfo")).toContainText(data[0].phone);
  await expect(page.getByRole("contentinfo")).toContainText("ABN 99 000 000 000");
});

async function scrollThrough(page: import("@playwright/test").Page) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < height; y += 600) {
    await page.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), y);
    // Two frames, so that the observers have seen this position.
    await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
  }
}
