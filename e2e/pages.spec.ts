import { isLongRun } from "#test/long-run.ts";
import { contentPages } from "#test/public-pages.ts";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, test } from "./journey.ts";
import { expectStill, watchShifts } from "./layout-shifts.ts";
import { contentPaths, idOf } from "./pages.ts";
import { visitInTabs } from "./tabs.ts";

/** In `npm test` these stand for the pages that show the same kinds of text and pictures. */
const representative = ["HOME-10", "PAGE-1", "PAGE-6", "TIC-2"];

for (const [id, paths = []] of Object.entries(Object.groupBy(contentPaths, idOf))) {
  test(`${id}: ${paths.join(", ")}: accessible and fitting, also with wide text and at 320 pixels`, {
    tag: representative.includes(id) ? "@once" : ["@once", "@long"],
  }, async ({ page }) => {
    const { width, height } = page.viewportSize()!;
    for (const path of isLongRun ? paths : paths.slice(0, 1)) {
      await page.setViewportSize({ width, height });
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      await expectAccessible(page, path);
      await expectToFit(page, path);
      await page.setViewportSize({ width: 320, height: 700 });
      await expectToFit(page, `${path} at 320 pixels`);
    }
  });
}

test("LAY-8: the layout does not shift while a content page loads", { tag: "@long" }, async ({ context, expected }) => {
  await watchShifts(context, expected);
  await visitInTabs(context, ["/", ...Object.keys(contentPages), "/contact"], expectStill);
});
