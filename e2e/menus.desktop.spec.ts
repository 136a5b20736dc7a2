import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./journey.ts";

test("NAV-4: the main menu has the specification's entries and works by keyboard alone", async ({ page }) => {
  await page.goto("/");
  const nav = page.getByRole("navigation", { name: "Main" });
  await expect(nav.locator("> ul > li > :is(a, button)")).toHaveText([
    "Home",
    "Organisation",
    "Services",
    "Chashma World",
    "Events",
    "Gallery",
  ]);
  await expect(nav.getByRole("link", { name: "Home" })).toHaveAttribute("aria-current", "page");
  const services = nav.getByRole("button", { name: "Services" });
  await services.focus();
  await page.keyboard.press("Enter");
  await expect(services).toHaveAttribute("aria-expanded", "true");
  await expect(nav.locator("#menu-services").getByRole("link")).toHaveText([
    "Ambulance Fund",
    "Fight Against Hunger",
    "Home and Orphanage",
    "Patient Care",
    "Rehabilitation Center",
    "Flood Relief",
  ]);
  await expectAccessible(page, "an open menu");
  await page.keyboard.press("Tab");
  await expect(nav.getByRole("link", { name: "Ambulance Fund" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(services).toHaveAttribute("aria-expanded", "false");
  await expect(services).toBeFocused();
  await nav.getByRole("button", { name: "Organisation" }).click();
  await expect(nav.getByRole("link", { name: "Vision & Mission" })).toBeVisible();
  await services.click();
  await expect(nav.getByRole("link", { name: "Vision & Mission" })).toBeHidden();
  await page.mouse.click(700, 600);
  await expect(services).toHaveAttribute("aria-expanded", "false");
});

test("API-10: the API reference opens without a complaint from the browser", { tag: "@long" }, async ({ page }) => {
  await page.goto("/api/docs");
  await expect(page.getByText("/api/payway-payment").first()).toBeVisible();
  const answer = await page.request.get("/api/openapi.json");
  const description = await answer.json();
  expect(description.openapi).toMatch(/^3\.1/);
  expect(Object.keys(description.paths)).toContain("/api/categories");
});

test("DON-21: without a mail server, everybody can read the mailbox", { tag: "@long" }, async ({
  page,
  donor,
  amount,
  expected,
}) => {
  // An email runs no script, not even the one that a test reads it with.
  expected.push(/sandboxed/, /origin-keyed/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await donor.giveByCard();
  await donor.seesSuccess();
  await expect.poll(async () => (await page.request.get(`/dev/mail.json?to=${donor.email}`)).json()).toHaveLength(1);
  await page.goto(`/dev/mail?to=${donor.email}`);
  const email = page.getByText(/Your receipt/).first();
  await expectAccessible(page, "the mailbox");
  await email.click();
  await expect(page.frameLocator("iframe").first().getByText("Thank you for your donation").first()).toBeVisible();
});
