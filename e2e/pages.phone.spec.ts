import { expectAccessible, expectToFit } from "./accessible.ts";
import { test } from "./journey.ts";
import { contentPaths, idOf } from "./pages.ts";

for (const path of contentPaths) {
  test(`${idOf(path)}: ${path} is accessible and fits at 320 pixels and with wide text`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto(path);
    await expectToFit(page, `${path} at 320 pixels`);
    await expectAccessible(page, `${path} at 320 pixels`, ["light"]);
  });
}
