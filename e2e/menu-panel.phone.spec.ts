import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./journey.ts";

test("LAY-4, NAV-4: the phone menu is a dialog: Escape closes it, focus returns, and the page behind stays still", {
  tag: "@phone",
}, async ({ page }) => {
  await page.goto("/");
  const open = page.getByRole("button", { name: "Open menu" });
  await open.click();
  const panel = page.getByRole("dialog", { name: "Menu" });
  await expect(panel).toBeVisible();
  await expect(panel.getByRole("button", { name: "Close menu" })).toBeFocused();
  await expectAccessible(page, "the menu panel");
  await page.mouse.move(200, 600);
  await page.evaluate(() => scrollTo(0, 0));
  await page.mouse.wheel(0, 600);
  await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(open).toBeFocused();
  await open.click();
  const links = panel.getByRole("navigation", { name: "Mobile" });
  await links.getByText("Services").click();
  await expect(links.getByRole("link", { name: "Patient Care" })).toHaveAttribute("href", "/patient-care");
  await expect(links.getByRole("link", { name: "Chashma World" })).toBeVisible();
  await panel.getByRole("button", { name: "Close menu" }).click();
  await expect(panel).toBeHidden();
});

test("LAY-5: on a phone the menu and the footer link to Contact and the social networks", { tag: "@phone" }, async ({
  page,
}) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Open menu" }).click();
  const panel = page.getByRole("dialog", { name: "Menu" });
  for (const place of [panel, page.getByRole("contentinfo")]) {
    for (const name of ["Facebook", "Instagram", "YouTube", "Contact Us"]) {
      const link = place.getByRole("link", { name, exact: true, includeHidden: true });
      await expect(link).toBeVisible();
      expect((await link.boundingBox())!.height, name).toBeGreaterThanOrEqual(24);
    }
  }
});
