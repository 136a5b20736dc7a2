import type { BrowserContext } from "@playwright/test";
import { contentPages, formPages, ticketPages } from "#test/public-pages.ts";
import { expect, siteUrl, test } from "./journey.ts";
import { visitInTabs } from "./tabs.ts";

/** The other origins that the page requests anything from. */
function followOthers(context: BrowserContext): string[] {
  const others: string[] = [];
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== siteUrl()) others.push(origin);
  });
  return others;
}

async function expectNoOthers(context: BrowserContext, paths: readonly string[]) {
  const others = followOthers(context);
  await visitInTabs(context, paths, async (tab, path) => {
    await tab.goto(path);
    // The checkout redirects without a hold.
    if (path === "/ticketsCheckout") await tab.waitForURL(/selectTickets/);
    await tab.evaluate(() => scrollTo(0, document.body.scrollHeight));
    expect(others, path).toEqual([]);
  });
}

test("SEC-9: no content page requests anything from another origin", { tag: ["@once", "@long"] }, ({ context }) =>
  expectNoOthers(context, Object.keys(contentPages)),
);

test("SEC-9: no page requests anything from another origin until somebody chooses to pay", {
  tag: ["@once", "@long"],
}, async ({ context, donor }) => {
  await expectNoOthers(context, ["/", "/news", ...Object.keys(formPages), ...Object.keys(ticketPages)]);
  const others = followOthers(context);
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

test("SEC-9: the privacy policy has the table of what we keep, which fits 320 pixels", async ({ page }) => {
  await page.goto("/privacy");
  const table = page.getByRole("table").first();
  await expect(table.getByRole("row", { name: /^Receipt .*Seven years after it was issued/ })).toBeVisible();
  await expect(table.getByRole("columnheader", { name: "How long we keep it" })).toBeAttached();
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(table.getByRole("cell", { name: /Seven years after it was issued/ })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
