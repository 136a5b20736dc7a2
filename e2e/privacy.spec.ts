import type { Page } from "@playwright/test";
import { contentPages, formPages, ticketPages } from "#test/public-pages.ts";
import { expectAccessible } from "./accessible.ts";
import { expect, siteUrl, test } from "./journey.ts";

/** The origins of everything that the page asks for, but for the site's own. */
function followOthers(page: Page): string[] {
  const others: string[] = [];
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== siteUrl()) others.push(origin);
  });
  return others;
}

test("SEC-9: no page asks anybody else for anything, until somebody has chosen to pay", { tag: "@once" }, async ({
  page,
  donor,
}) => {
  const others = followOthers(page);
  const paths = ["/", ...Object.keys(contentPages), ...Object.keys(formPages), ...Object.keys(ticketPages)];
  for (const path of paths) {
    await page.goto(path);
    // The checkout without a hold leads on by itself.
    await page.mouse.wheel(0, 20_000);
    expect(others, path).toEqual([]);
  }
  await donor.openAsGuest();
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  await donor.addLine({ category: "Zakat", amount: "12.00" });
  await donor.next();
  await donor.onStep(3);
  expect(others).toEqual([]);
  await donor.chooseMethod("Credit card");
  await donor.next();
  await donor.onStep(4);
  await donor.solveCaptcha();
  await expect.poll(() => others.length).toBeGreaterThan(0);
});

test("SEC-9: the table of what is kept is on the privacy policy, and fits a window of 320 pixels", async ({ page }) => {
  await page.goto("/privacy");
  const table = page.getByRole("table").first();
  await expect(table.getByRole("row", { name: /^Receipt .*Seven years after it was issued/ })).toBeVisible();
  await expect(table.getByRole("columnheader", { name: "How long we keep it" })).toBeAttached();
  await expectAccessible(page, "the privacy policy");
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(table.getByRole("cell", { name: /Seven years after it was issued/ })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
