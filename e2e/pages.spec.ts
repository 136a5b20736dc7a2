import { contentPages } from "#test/public-pages.ts";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, test } from "./journey.ts";
import { expectStill, watchShifts } from "./layout-shifts.ts";
import { contentPaths, idOf } from "./pages.ts";
import { visitInTabs } from "./tabs.ts";

for (const path of contentPaths) {
  test(`${idOf(path)}: ${path} is accessible and fits, also with wide text and at 320 pixels`, {
    tag: "@once",
  }, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expectAccessible(page, path, ["light"]);
    await expectToFit(page, path);
    await page.setViewportSize({ width: 320, height: 700 });
    await expectToFit(page, `${path} at 320 pixels`);
  });

  test(`${idOf(path)}: ${path} has enough contrast in dark`, { tag: ["@once", "@long"] }, async ({ page }) => {
    await page.goto(path);
    await expectAccessible(page, path, ["dark"]);
  });
}

test("LAY-8: the layout does not shift while a content page loads", { tag: "@long" }, async ({ context, expected }) => {
  await watchShifts(context, expected);
  await visitInTabs(context, ["/", ...Object.keys(contentPages), "/contact"], expectStill);
});
