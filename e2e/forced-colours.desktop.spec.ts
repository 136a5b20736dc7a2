import { expect, test } from "./journey.ts";
import { logInStaff } from "./staff-member.ts";

test("ADM-15: in forced colours, the current screen and list stay marked", async ({ page }) => {
  await logInStaff(page, "Zara Contrast", "treasurer");
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/admin/reconciliation");
  for (const width of [1440, 1000, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const marked = page.locator(".rail nav, .views, .sub-nav, .tabs-bottom").locator("[aria-current]:visible");
    await expect(marked.first()).toBeVisible();
    for (const link of await marked.all()) await expect(link).toHaveCSS("text-decoration-line", "underline");
    await expect(page.locator(".views a:not([aria-current])").first()).toHaveCSS("text-decoration-line", "none");
  }
});
