import type { Page } from "@playwright/test";
import { contentPages, formPages } from "#test/public-pages.ts";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { becomeGuest, createDonor } from "./donor.ts";
import { expect, test as journey } from "./journey.ts";
import { expectNoShifts, expectStill, watchShifts } from "./layout-shifts.ts";
import { logInMember } from "./member.ts";
import { brotliBytes, kB, watchScripts } from "./script-budget.ts";
import { logInStaffAt } from "./staff-member.ts";
import { type JourneySite, startSite } from "./start-site.ts";

// Everybody sees a brand, so these journeys have a site of their own. The first publishes what the others look at.
const test = journey.extend<object, { readonly own: JourneySite }>({
  own: [
    async ({ browserName: _ }, use) => {
      const own = await startSite({});
      await use(own);
      await own.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ own }, use) => use(own.url),
});
test.describe.configure({ mode: "serial" });

const tag = "@long";
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

test("BRA-2, BRA-6: colours that nobody could read are refused, and the quiet theme is published", { tag }, async ({
  own,
  page,
  browser,
  expected,
}) => {
  expected.push(/409/);
  await logInStaffAt(own, page, "Priya Nair", "administrator");
  const main = page.getByRole("main");
  await page.goto("/admin/settings/brand");
  await main.getByRole("radio", { name: /^Quiet/ }).check();
  await main.getByLabel("Pick: Main colour").fill("#ffcc66");
  await expect(main.getByRole("textbox", { name: "Main colour", exact: true })).toHaveValue("#ffcc66");
  await main.getByRole("button", { name: "Save the draft" }).click();
  await main.getByRole("button", { name: "Publish the draft" }).click();
  await expect(main.getByRole("alert")).toContainText("Some people could not read these colours.");
  await main.getByRole("button", { name: /^Take #/ }).click();
  const colour = main.getByRole("textbox", { name: "Main colour", exact: true });
  await expect(colour).toHaveValue(/^#(?!ffcc66)[0-9a-f]{6}$/);
  const taken = await colour.inputValue();
  await expect(main.getByRole("table", { name: "Pairs that fail" })).toHaveCount(0);
  await main.getByRole("button", { name: "Publish the draft" }).click();
  await expect(page.getByRole("status")).toHaveText("Published. Visitors see it now.");

  const visitor = await browser.newPage({ viewport: sizes.desktop });
  await visitor.goto(`${own.url}/`);
  await expect(visitor.locator("meta[name=theme-color]")).toHaveAttribute("content", taken);
  await expect(visitor.getByRole("link", { name: /^Donate to / }).locator("img")).toHaveCount(0);
  const stylesheet = await visitor.locator("link[rel=stylesheet][href^='/brand/']").getAttribute("href");
  expect(await brotliBytes([own.url + stylesheet])).toBeLessThanOrEqual(3 * kB);
  await visitor.context().close();
});

/** A page as it is now, at both widths: axe in light and dark, and nothing that sticks out. */
async function expectSound(page: Page, what: string) {
  for (const [name, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    await expectAccessible(page, `${what} in the quiet theme, ${name}`, ["light", "dark"]);
    await expectToFit(page, `${what} in the quiet theme, ${name}`);
  }
  await page.setViewportSize(sizes.desktop);
}

/** Opens a page at both widths, where nothing moves, and with at most this much script. */
async function expectQuiet(page: Page, path: string, maxBytes: number) {
  await page.setViewportSize(sizes.phone);
  await expectStill(page, path);
  await page.setViewportSize(sizes.desktop);
  const scripts = watchScripts(page);
  await expectStill(page, path);
  expect(await brotliBytes(scripts), [path, ...scripts].join("\n")).toBeLessThanOrEqual(maxBytes);
  await expectSound(page, path);
}

const contentPaths = ["/", "/ticketAbout", ...Object.keys(contentPages)];
const groups = Object.entries(Object.groupBy(contentPaths, (path) => contentPaths.indexOf(path) % 5));
for (const [number, paths = []] of groups) {
  test(`BRA-6: in the quiet theme content pages pass axe, hold still and keep their budgets (${Number(number) + 1} of ${groups.length})`, {
    tag,
  }, async ({ page, context, expected }) => {
    await watchShifts(context, expected);
    // Tickets have a script for people in another time zone.
    const most: Readonly<Record<string, number>> = { "/": 5, "/ticketAbout": 4 };
    for (const path of paths) await expectQuiet(page, path, (most[path] ?? 3) * kB);
  });
}

test("BRA-6: in the quiet theme forms pass axe, hold still and keep their budgets", { tag }, async ({
  page,
  context,
  expected,
}) => {
  await watchShifts(context, expected);
  for (const path of [...Object.keys(formPages), "/reset-password"]) await expectQuiet(page, path, 95 * kB);
});

test("BRA-6: in the quiet theme each step of a donation passes axe and holds still", { tag }, async ({
  own,
  page,
  context,
  expected,
}) => {
  await watchShifts(context, expected);
  await becomeGuest(page, own.url);
  await expectQuiet(page, "/donation", 95 * kB);
  const donor = createDonor(page, { email: "quiet@example.com", siteUrl: own.url });
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  await donor.addLine({ category: "Zakat", amount: "25.00" });
  await expectSound(page, "step 2 of a donation");
  await donor.next();
  await donor.onStep(3);
  await donor.chooseMethod("Credit card");
  await expectSound(page, "step 3 of a donation");
  await donor.next();
  await donor.onStep(4);
  await expectSound(page, "step 4 of a donation");
});

test("BRA-6: in the quiet theme choosing and paying for tickets passes axe and holds still", { tag }, async ({
  page,
  context,
  expected,
}) => {
  await watchShifts(context, expected);
  await expectQuiet(page, "/selectTickets", 95 * kB);
  await page.getByRole("button", { name: "Add one Standard Seat" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByRole("timer")).toBeVisible();
  await expectNoShifts(page, "/ticketsCheckout");
  await expectSound(page, "/ticketsCheckout");
});

test("BRA-6: in the quiet theme the pages of a profile pass axe and hold still", { tag }, async ({
  own,
  page,
  context,
  expected,
}) => {
  await watchShifts(context, expected);
  await logInMember(context, "quiet-member@example.com", { url: own.url });
  for (const path of ["/profile", "/edit-profile", "/change-password", "/donation-history"]) {
    await expectQuiet(page, path, 95 * kB);
  }
});
