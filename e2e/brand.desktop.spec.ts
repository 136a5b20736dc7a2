import { expectAccessible, expectToFit } from "./accessible.ts";
import { becomeGuest } from "./donor.ts";
import { expect, test } from "./journey.ts";
import { expectStill, watchShifts } from "./layout-shifts.ts";
import { brotliBytes, kB, watchScripts } from "./script-budget.ts";
import { logInStaffAt } from "./staff-member.ts";
import { type JourneySite, startSite } from "./start-site.ts";

// Everybody sees a brand, so this journey has a site of its own.
let own: JourneySite;
test.beforeAll(async () => {
  own = await startSite({});
});
test.afterAll(() => own.stop());

test("BRA-2, BRA-6: colours that nobody could read are refused, the quiet theme is published, and its pages pass axe", {
  tag: "@long",
}, async ({ page, browser, expected }) => {
  expected.push(/409/);
  await logInStaffAt(own, page, "Priya Nair", "administrator");
  const main = page.getByRole("main");
  await page.goto(`${own.url}/admin/settings/brand`);
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

  const visitor = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await watchShifts(visitor.context(), expected);
  const scripts = watchScripts(visitor);
  await expectStill(visitor, `${own.url}/`);
  expect(await brotliBytes(scripts), scripts.join("\n")).toBeLessThanOrEqual(5 * kB);
  await expect(visitor.locator("meta[name=theme-color]")).toHaveAttribute("content", taken);
  await expect(visitor.getByRole("link", { name: /^Donate to / }).locator("img")).toHaveCount(0);
  await becomeGuest(visitor, own.url);
  for (const path of ["/", "/vision", "/donation", "/selectTickets", "/login"]) {
    await visitor.goto(own.url + path);
    await expectAccessible(visitor, `${path} in the quiet theme`);
    await visitor.setViewportSize({ width: 390, height: 844 });
    await expectToFit(visitor, `${path} in the quiet theme`);
    await visitor.setViewportSize({ width: 1440, height: 900 });
  }
  await visitor.context().close();
});
