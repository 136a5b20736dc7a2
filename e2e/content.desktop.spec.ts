import type { Route } from "@playwright/test";
import { expectToFit } from "./accessible.ts";
import { expect, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

test("CON-1, CON-6: an editor writes, previews, publishes and takes down a news item by keyboard alone", async ({
  page,
  amount,
  browser,
  expected,
}) => {
  expected.push(/404/, /422/);
  await logInStaff(page, "Claire Donnelly", "editor");
  const main = page.getByRole("main");
  const title = `A warm room ${amount}`;
  await page.goto("/admin");
  await pressByKey(
    page,
    page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Content" }),
  );
  await expect(page).toHaveTitle(/^News/);
  await expectGoodScreen(page, "the list of news");
  await pressByKey(page, main.getByRole("link", { name: "Write a news item" }));

  await tabTo(page, main.getByLabel("Title"));
  await page.keyboard.type(title);
  await tabTo(page, main.getByRole("textbox", { name: "Text", exact: true }));
  await page.keyboard.type("Before the first snow.");
  await pressByKey(page, main.getByRole("button", { name: "Publish now" }));
  await expect(main.getByText("Choose a picture before you publish.")).toBeVisible();
  await expectGoodScreen(page, "a new item that lacks a picture");
  await tabTo(page, main.getByRole("textbox", { name: "Picture", exact: true }));
  await page.keyboard.type("/identity/illustrations/hospital.svg");
  await pressByKey(page, main.getByRole("button", { name: "Save as a draft" }));
  await expect(page.getByRole("status")).toHaveText("Saved as version 1.");
  await expect(main.getByRole("link", { name: "No sentence for lists and search engines." })).toBeVisible();
  await expectGoodScreen(page, "the editor of a draft");

  // As on a phone without an account.
  const preview = await main.getByRole("link", { name: /^See version 1 on its page/ }).getAttribute("href");
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await phone.goto(new URL(preview!, page.url()).href);
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText(title);
  await phone.close();

  await tabTo(page, main.getByLabel("In lists"));
  await page.keyboard.type("Two hundred families sleep warm.");
  await pressByKey(page, main.getByRole("button", { name: "Publish now" }));
  await expect(page.getByRole("status")).toHaveText("Published. Visitors see it now.");
  await pressByKey(page, main.getByRole("link", { name: "See it on the site" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await page.goBack();
  await pressByKey(page, main.getByRole("link", { name: "History" }));
  await pressByKey(page, main.getByRole("link", { name: "Compare version 2 with the one it began from" }));
  await expect(main.getByText("Two hundred families sleep warm.")).toBeVisible();
  await expectGoodScreen(page, "the history");
  await page.goBack();
  await page.goBack();
  await pressByKey(page, main.locator("summary", { hasText: "Take down" }));
  await pressByKey(page, main.getByRole("button", { name: "Take it down" }));
  await expect(main.getByText("Not published")).toBeVisible();
});

test("CON-3: an editor whose colleague has saved in the meantime sees both texts, and loses neither", {
  tag: "@long",
}, async ({ page, expected }) => {
  expected.push(/409/);
  await logInStaff(page, "Claire Donnelly", "editor");
  await page.goto("/admin/testimonials/new");
  const main = page.getByRole("main");
  await main.getByLabel("Name").fill("Amina Raza, Lakemba");
  await main.getByLabel("Place").fill("9");
  await main.getByRole("button", { name: "Save as a draft" }).click();
  const colleague = await page.context().newPage();
  await colleague.goto(page.url());
  await colleague.getByLabel("Name").fill("Amina Raza, Auburn");
  await colleague.getByRole("button", { name: "Save", exact: true }).click();
  await expect(colleague.getByRole("status")).toHaveText("Saved as version 2.");
  await colleague.close();
  await main.getByLabel("Name").fill("Amina Raza, Bankstown");
  await main.getByRole("button", { name: "Save", exact: true }).click();
  await expect(main.getByRole("alert")).toContainText("Yours is safe as version 3 in the history.");
  await expect(main.locator("del")).toHaveText("Auburn");
  await expect(main.locator("ins")).toHaveText("Bankstown");
  await expectGoodScreen(page, "two versions");
  await main.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("status")).toHaveText("Saved as version 4.");
});

test("CON-3: without a network, and while the site does not answer, a text that is saved stays in the form", async ({
  page,
  context,
  expected,
}) => {
  expected.push(/ERR_INTERNET_DISCONNECTED/, /ERR_CONNECTION_REFUSED/, /status of 502/, /^status 502/);
  await logInStaff(page, "Claire Donnelly", "editor");
  await page.goto("/admin/news/new");
  const main = page.getByRole("main");
  const save = main.getByRole("button", { name: "Save as a draft" });
  const alert = main.getByRole("alert");
  // The editor takes the place of a plain field once it has loaded; before, what is typed could land in another field.
  await expect(page.getByRole("toolbar", { name: "Text" })).toBeVisible();
  await main.getByLabel("Title").fill("A warm room on the train");
  await main.getByRole("textbox", { name: "Text", exact: true }).pressSequentially("Before the tunnel.");

  await expect(alert).toBeHidden();
  await context.setOffline(true);
  await save.click();
  await expect(alert).toContainText("No connection: what you typed is still here");
  await expect(alert).toBeVisible();
  await expectGoodScreen(page, "a text without a network");
  await context.setOffline(false);
  const answers = [
    (route: Route) => route.abort("connectionrefused"),
    (route: Route) => route.fulfill({ status: 502 }),
  ];
  for (const answer of answers) {
    await page.route("**/healthz", answer, { times: 1 });
    const asked = page.waitForRequest("**/healthz");
    await save.click();
    await asked;
    await expect(alert).toBeVisible();
  }
  await expect(page).toHaveURL(/\/admin\/news\/new$/);

  await save.click();
  await expect(page.getByRole("status")).toHaveText("Saved as version 1.");
  await expect(main.getByLabel("Title")).toHaveValue("A warm room on the train");
  await expect(main.getByRole("textbox", { name: "Text", exact: true })).toHaveText("Before the tunnel.");
});

test("CON-3: a text that is saved while the site hangs stays in the form", { tag: "@long" }, async ({ page }) => {
  await logInStaff(page, "Claire Donnelly", "editor");
  await page.goto("/admin/testimonials/new");
  const main = page.getByRole("main");
  await main.getByLabel("Name").fill("Amina Raza, Lakemba");
  await page.route("**/healthz", () => undefined);
  await main.getByRole("button", { name: "Save as a draft" }).click();
  await expect(main.getByRole("alert")).toContainText("No connection: what you typed is still here");
  await expect(main.getByLabel("Name")).toHaveValue("Amina Raza, Lakemba");
});

test("CON-3: whoever leaves a text that is not saved is asked first, also after it was refused, and not once it is saved", async ({
  page,
  expected,
}) => {
  expected.push(/422/);
  await logInStaff(page, "Claire Donnelly", "editor");
  const main = page.getByRole("main");
  const elsewhere = page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Gallery" });
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    return dialog.dismiss();
  });
  await page.goto("/admin/testimonials/new");
  await main.getByLabel("Name").fill("Amina Raza, Lakemba");
  await elsewhere.click();
  await expect.poll(() => asked).toEqual(["beforeunload"]);
  await expect(main.getByLabel("Name")).toHaveValue("Amina Raza, Lakemba");

  await main.getByRole("button", { name: "Publish now" }).click();
  await expect(page).toHaveTitle(/^Error/);
  await elsewhere.click();
  await expect.poll(() => asked).toEqual(["beforeunload", "beforeunload"]);
  await main.getByLabel("Place").fill("9");
  await main.getByRole("button", { name: "Save as a draft" }).click();
  await expect(page.getByRole("status")).toHaveText("Saved as version 1.");
  await elsewhere.click();
  await expect(page).toHaveURL(/\/admin\/gallery$/);
  expect(asked).toHaveLength(2);
});

test("CON-3: whoever goes back to a new item after saving it, and saves again, makes no second one", async ({
  page,
  amount,
}) => {
  await logInStaff(page, "Claire Donnelly", "editor");
  const main = page.getByRole("main");
  const save = main.getByRole("button", { name: "Save as a draft" });
  await page.goto("/admin/news/new");
  await main.getByLabel("Title", { exact: true }).fill(`A warm room ${amount}`);
  await save.click();
  await expect(page.getByRole("status")).toHaveText("Saved as version 1.");
  const path = page.url();
  await page.goBack();
  await expect(main.getByLabel("Title", { exact: true })).toHaveValue(`A warm room ${amount}`);
  await save.click();
  await expect(page.getByRole("status")).toHaveText("Nothing was changed.");
  expect(page.url()).toBe(path);

  await page.goto("/admin/news/new");
  await main.getByLabel("Title", { exact: true }).fill(`Another room ${amount}`);
  await save.click();
  await expect(page.getByRole("status")).toHaveText("Saved as version 1.");
  expect(page.url()).not.toBe(path);
});

test("LAY-13: a word longer than a line breaks, in names and titles of the back office and in breadcrumbs", async ({
  page,
}) => {
  const word = "Donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenauszahlungsstelle";
  const { id } = await logInStaff(page, word, "administrator");
  const main = page.getByRole("main");
  await page.goto("/admin/news/new");
  await expect(page.getByRole("toolbar", { name: "Text" })).toBeVisible();
  await main.getByLabel("Title").fill(word);
  await main.getByLabel("In lists").fill("One sentence.");
  await main.getByRole("textbox", { name: "Text", exact: true }).fill("Words.");
  await main.getByRole("textbox", { name: "Picture", exact: true }).fill("/identity/illustrations/hospital.svg");
  await main.getByRole("button", { name: "Publish now" }).click();
  await expect(page.getByRole("status")).toContainText("Published.");
  const article = await main.getByRole("link", { name: "See it on the site" }).getAttribute("href");
  for (const path of [page.url(), "/admin/news", "/admin/staff", `/admin/staff/${id}`, "/admin/you", article!]) {
    await page.goto(path);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectToFit(page, `${path} at ${width} px`);
      const narrow = page.locator(".head, .who, .crumbs li, .me a");
      const over = await narrow.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
      expect(over, `${path} at ${width} px`).toBe(0);
    }
  }
});
