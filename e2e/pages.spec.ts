import { contentPages } from "#test/public-pages.ts";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, test } from "./journey.ts";
import { expectStill, watchShifts } from "./layout-shifts.ts";

const checked = [...Object.keys(contentPages), "/ticketAbout", "/selectTickets"];

for (const path of checked) {
  test(`${idOf(path)}: ${path} is accessible and fits, in light and dark, at 320 pixels and with wide text`, async ({
    page,
    isMobile,
  }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expectAccessible(page, path);
    await expectToFit(page, path);
    if (isMobile) {
      await page.setViewportSize({ width: 320, height: 700 });
      await expectToFit(page, `${path} at 320 pixels`);
      await expectAccessible(page, `${path} at 320 pixels`, ["light"]);
    }
  });
}

test("LAY-8: nothing moves by itself while a content page loads", async ({ page }) => {
  test.slow();
  await page.addInitScript(watchShifts);
  for (const path of ["/", ...Object.keys(contentPages), "/contact"]) {
    await expectStill(page, path);
  }
});

/** The requirement that a page answers. */
function idOf(path: string): string {
  if (path.startsWith("/events")) return "PAGE-5";
  if (path === "/gallery") return "PAGE-6";
  if (path.startsWith("/news")) return "HOME-10";
  if (path === "/chashma-world") return "PAGE-4";
  if (["/chairman-message", "/recognition", "/vision"].includes(path)) return "PAGE-1";
  if (["/patient-care", "/rehabilitation-center", "/flood-relief"].includes(path)) return "PAGE-2";
  if (["/privacy", "/refunds", "/terms", "/accessibility"].includes(path)) return "PAGE-9";
  if (path === "/ticketAbout") return "TIC-1";
  return path === "/selectTickets" ? "TIC-2" : "PAGE-3";
}
