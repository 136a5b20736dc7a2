import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, test } from "./journey.ts";
import { expectStill, watchShifts } from "./layout-shifts.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

// Only previews, because other journeys look at the same site.
test("BAN-3, BAN-5, MENU-3, RED-2: an editor previews a banner and the longest menus, and redirects an address", {
  tag: "@long",
}, async ({ page, browser, amount, expected }) => {
  expected.push(/422/);
  await logInStaff(page, "Claire Donnelly", "editor");
  const main = page.getByRole("main");
  const previewOf = async () => {
    const path = await main.getByRole("link", { name: /^See version \d+ on its page/ }).getAttribute("href");
    return new URL(path!, page.url()).href;
  };

  await page.goto("/admin/banners/new");
  await main.getByLabel("Text", { exact: true }).fill("رمضان کی اپیل: ایک خاندان کو مہینے بھر کا کھانا کھلائیں");
  await main.getByLabel("Link text").fill("ابھی عطیہ کریں");
  await pressByKey(page, main.getByRole("button", { name: "Publish now" }));
  await expect(main.locator(".err", { hasText: "Enter the link’s address, or remove its text." })).toBeVisible();
  await tabTo(page, main.getByLabel("Where the link leads"));
  await page.keyboard.type("/donation");
  await pressByKey(page, main.getByRole("button", { name: "Save as a draft" }));
  await expect(page.getByRole("status")).toHaveText("Saved as version 1.");
  const banner = await previewOf();

  await page.goto("/admin/menus");
  await pressByKey(page, main.getByRole("link", { name: "Header and footer" }));
  const lists = { "Main menu": 7, "Main menu: below #services": 10, "Footer: Services": 10 };
  for (const [list, count] of Object.entries(lists)) {
    const words = (at: number) => `Entry ${at} `.padEnd(list === "Main menu" ? 24 : 40, "words of ");
    const typed = Array.from({ length: count }, (_, at) => `${words(at)} ${at === 3 ? "#services" : `/vision?${at}`}`);
    const lines =
      list === "Main menu" ? ["Home /", ...typed] : typed.map((line) => line.replace("#services", "/events"));
    await main.getByLabel(list, { exact: true }).fill(lines.join("\n"));
  }
  await pressByKey(page, main.getByRole("button", { name: "Save", exact: true }));
  await expect(page.getByRole("status")).toHaveText(/^Saved as version \d+\.$/);
  await expectGoodScreen(page, "the menus");
  const menus = await previewOf();
  for (const list of Object.keys(lists)) await main.getByLabel(list, { exact: true }).fill("");
  await pressByKey(page, main.getByRole("button", { name: "Save", exact: true }));
  await expect(main.getByLabel("Main menu", { exact: true })).toHaveValue(/^Home \/\nOrganisation/);

  await page.goto("/admin/redirects");
  await tabTo(page, main.getByLabel("Old address"));
  await page.keyboard.type(`/Old-Page-${amount}`);
  await tabTo(page, main.getByLabel("Leads to"));
  await page.keyboard.type("/vision");
  await pressByKey(page, main.getByRole("button", { name: "Redirect it" }));
  await expect(main.getByRole("rowheader", { name: `/old-page-${amount}` })).toBeVisible();
  await expectGoodScreen(page, "the redirects");
  await page.goto(`/old-page-${amount}/?utm=1`);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/vision?utm=1");

  for (const width of [1440, 390]) {
    const visitor = await browser.newPage({ viewport: { width, height: 800 } });
    await visitor.goto(menus);
    await expectToFit(visitor, `the longest menus at ${width} px`);
    if (width === 1440) await expectAccessible(visitor, "the longest menus");
    await watchShifts(visitor.context(), expected);
    await expectStill(visitor, banner);
    await expectToFit(visitor, `a banner at ${width} px`);
    if (width === 390) await expectAccessible(visitor, "a banner");
    const announcement = visitor.getByRole("complementary", { name: "Announcement" });
    await pressByKey(visitor, announcement.getByRole("button", { name: "Close this announcement" }));
    await expect(announcement).toBeHidden();
    await expectStill(visitor, banner);
    await expect(announcement).toBeHidden();
    await visitor.context().close();
  }
});
