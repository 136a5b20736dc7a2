import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, test } from "./journey.ts";

const parts = "/dev/parts";
const ticketPages = ["/ticketAbout", "/selectTickets", "/ticketsCheckout"];

test("every part passes every rule of axe, in light and dark, and fits 320 pixels", async ({ page }) => {
  await page.goto(parts);
  await expectAccessible(page, parts, ["light", "dark"]);
  await expectToFit(page, parts);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectToFit(page, `${parts} at 320 pixels`);
});

test("in forced colours, focus, choices and fields stay visible, and no pattern is behind text", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(parts);
  const styleOf = (selector: string, part?: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, pseudo) => {
        const { backgroundColor, backgroundImage, borderTopWidth, outlineStyle, textDecorationLine } = getComputedStyle(
          element,
          pseudo,
        );
        return { backgroundColor, backgroundImage, borderTopWidth, outlineStyle, textDecorationLine };
      }, part);
  expect((await styleOf(".btn.focused")).outlineStyle).toBe("solid");
  expect((await styleOf("main .btn-danger")).borderTopWidth).toBe("2px");
  expect((await styleOf(".chip input:checked + span")).backgroundColor).not.toBe(
    (await styleOf(".chip input:not(:checked) + span")).backgroundColor,
  );
  expect((await styleOf(".steps [aria-current]", "::before")).backgroundColor).not.toBe(
    (await styleOf(".steps li:last-child", "::before")).backgroundColor,
  );
  expect((await styleOf(".side-nav [aria-current=page]")).textDecorationLine).toBe("underline");
  for (const ground of [".ground.deep", ".ground.tile-bg", ".ground.paper-bg", ".strip-ajrak"]) {
    expect((await styleOf(ground)).backgroundImage, ground).toBe("none");
  }
});

test("LAY-8: under reduced motion nothing is animated", { tag: "@once" }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const path of ["/", parts]) {
    await page.goto(path);
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll("*")]
        .filter((element) => {
          const { animationName, transitionDuration } = getComputedStyle(element);
          return animationName !== "none" || !/^0s(, 0s)*$/.test(transitionDuration);
        })
        .map(({ className, tagName }) => `${tagName}.${String(className)}`),
    );
    expect(moving, path).toEqual([]);
  }
});

test("print shows what the page says, and no controls", { tag: "@once" }, async ({ page }) => {
  await page.goto("/");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const selector of [
    ".main-nav",
    ".head-actions",
    ".top-strip",
    ".float-badge",
    ".tiles",
    ".hero .btn",
    ".car-ctrl",
  ]) {
    await expect(page.locator(selector).first(), selector).toBeHidden();
  }
  await expect(page.getByRole("banner").getByText("Chashma Foundation")).toBeVisible();
  await expect(page.getByRole("contentinfo").getByText("help@chashma.example")).toBeVisible();
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "Ambulance Fund" })).toBeHidden();
  const [ground, ink] = await page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.body);
    return [backgroundColor, color];
  });
  expect([ground, ink]).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
  await page.goto(parts);
  const address = await page
    .locator("article.prose a")
    .evaluate((link) => getComputedStyle(link, "::after").getPropertyValue("content"));
  expect(address).toContain("acnc.gov.au");
});

test("NAV-1, LAY-1: the ticket pages hide the header and keep the footer", { tag: "@long" }, async ({ page }) => {
  for (const path of ticketPages) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    // Without a selection it redirects away.
    if (path === "/ticketsCheckout") await expect(page).toHaveURL(/\/selectTickets/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("banner")).toHaveCount(0);
    await expect(page.getByRole("contentinfo")).toBeVisible();
    await expectToFit(page, path);
  }
});

test("NAV-2, PRO-1: an old address and the personal pages redirect where they should", { tag: "@once" }, async ({
  page,
}) => {
  await page.goto("/volunteerApplication");
  await expect(page).toHaveURL("/volunteer");
  await page.goto("/donation-history");
  await expect(page).toHaveURL("/login?return=%2Fdonation-history");
});
