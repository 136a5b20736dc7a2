import { databaseOf, expect, siteUrl, test } from "./journey.ts";
import { expectGoodScreen, logInStaffAt, pressByKey, tabTo } from "./staff-member.ts";

// No other journey looks at the events of this site.
test.use({ site: "as-live" });

test("EVT-1, EVT-5, EVT-7: an events manager plans an event, its tickets and a code by keyboard alone, copies it, and takes it down", {
  tag: "@long",
}, async ({ page, amount, expected }) => {
  expected.push(/422/, /404/);
  const site = { url: siteUrl("as-live"), databaseUrl: databaseOf("as-live") };
  await logInStaffAt(site, page, "Sana Rehman", "events");
  const main = page.getByRole("main");
  const title = `Night of lanterns ${amount}`;
  const year = new Date().getFullYear() + 1;
  const type = async (label: string, text: string) => {
    await tabTo(page, main.getByRole("textbox", { name: label, exact: true }));
    await page.keyboard.type(text);
  };
  await page.goto("/admin/events");
  await expectGoodScreen(page, "the list of events");
  await pressByKey(page, main.getByRole("link", { name: "Plan an event" }));
  await expect(page).toHaveTitle(/^Plan an event/);
  await expect(main.getByRole("button", { name: "Remove it" })).toBeHidden();
  await type("Title", title);
  await pressByKey(page, main.getByRole("button", { name: "Publish now" }));
  await expect(main.getByText("Check what is marked below.")).toBeVisible();
  await expectGoodScreen(page, "a new event that lacks nearly everything");
  await main.getByLabel("Starts", { exact: true }).fill(`${year}-05-01T18:30`);
  await main.getByLabel("Ends", { exact: true }).fill(`${year}-05-01T22:00`);
  await type("Place", "Town hall, Auburn");
  await type("Picture", "/identity/illustrations/event-night.svg");
  await type("In lists", "Lanterns, poems and tea.");
  await pressByKey(page, main.getByRole("button", { name: "Publish now" }));
  await expect(page.getByRole("status")).toHaveText("Published. Visitors see it now.");
  await expectGoodScreen(page, "a published event");

  await pressByKey(page, main.getByRole("link", { name: "Tickets", exact: true }));
  await expect(page).toHaveTitle(new RegExp(title));
  await expectGoodScreen(page, "tickets of an event that sells none");
  await pressByKey(page, main.getByRole("link", { name: "Add a type" }));
  await type("Title", "Adult");
  await type("Price of one", "25");
  await type("Seats", "80");
  await expectGoodScreen(page, "a new ticket type");
  await pressByKey(page, main.getByRole("button", { name: "Add the type" }));
  await expect(main.getByRole("link", { name: "Adult" })).toBeVisible();
  await expectGoodScreen(page, "tickets of an event");
  await pressByKey(page, main.getByRole("link", { name: "Discount codes" }));
  await type("Code", "early26");
  await type("How much", "20");
  await expectGoodScreen(page, "a new code");
  await pressByKey(page, main.getByRole("button", { name: "Add the code" }));
  await expect(main.getByRole("link", { name: "EARLY26" })).toBeVisible();

  await pressByKey(page, main.getByRole("link", { name: "Details" }));
  await main.getByLabel("Day of the copy").fill(`${year}-06-01`);
  await pressByKey(page, main.getByRole("button", { name: "Copy the event" }));
  await expect(page.getByRole("status")).toHaveText("Copied as a draft. Check it, and publish it.");
  await expect(main.getByLabel("Starts", { exact: true })).toHaveValue(`${year}-06-01T18:30`);
  await page.goBack();
  const address = await main.getByRole("link", { name: "See it on the site" }).getAttribute("href");
  await pressByKey(page, main.locator("summary", { hasText: "Take down" }));
  await pressByKey(page, main.getByRole("button", { name: "Take it down" }));
  await expect(main.getByText("Not published")).toBeVisible();
  expect((await page.goto(address!))?.status()).toBe(404);
});
