import type { Locator, Page } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, siteUrl, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

const textOf = (page: Page) => page.getByRole("textbox", { name: "Text", exact: true });
const htmlOf = (page: Page) => page.locator('textarea[data-enhance="rich-text"]').inputValue();

/** From within the text, presses a button of the bar by the keyboard alone. */
async function pressInBar(page: Page, button: Locator): Promise<void> {
  await page.keyboard.press("Alt+F10");
  for (let presses = 0; presses < 20; presses += 1) {
    if (await button.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("ArrowRight");
  }
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
}

async function typeLines(page: Page, ...lines: string[]): Promise<void> {
  for (const line of lines) {
    await page.keyboard.type(line);
    await page.keyboard.press("Enter");
  }
}

test("RTE-5: an editor writes news by keyboard alone, with heading, link, list, table and picture, and sees the preview", {
  tag: "@long",
}, async ({ page }) => {
  await logInStaff(page, "Claire Donnelly", "editor");
  await page.goto("/admin/news/new");
  const button = (name: string) =>
    page.getByRole("toolbar", { name: "Text" }).getByRole("button", { name, exact: true });
  await tabTo(page, page.getByLabel("Title", { exact: true }));
  await page.keyboard.type("A warm room");
  await tabTo(page, textOf(page));

  await page.keyboard.press("Control+Alt+2");
  await typeLines(page, "What a room needs");
  await page.keyboard.type("Read about ");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("javascript:alert(1)");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByLabel("Address")).toHaveAccessibleDescription(/Enter a page on this site/);
  await expectAccessible(page, "the dialog of a link");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("/refunds");
  await page.keyboard.press("Tab");
  await page.keyboard.type("refunds");
  await page.keyboard.press("Enter");
  await expect(textOf(page)).toBeFocused();
  await typeLines(page, " and more.");

  await pressInBar(page, button("List"));
  await page.keyboard.press("Escape");
  await typeLines(page, "Tin and felt", "A stove", "");
  await pressInBar(page, button("Table"));
  await page.keyboard.type("Prices");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("2");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await expect(textOf(page)).toBeFocused();
  for (const cell of ["Thing", "Price", "Roof", "$310"]) {
    await page.keyboard.type(cell);
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("Control+End");
  await pressInBar(page, button("Picture"));
  await page.keyboard.type("/identity/illustrations/homes-courtyard.svg");
  await tabTo(page, page.getByRole("dialog").getByLabel("What it shows"));
  await page.keyboard.type("A courtyard with three homes");
  await tabTo(page, page.getByRole("dialog").getByLabel("Caption"));
  await page.keyboard.type("The homes at Shigar");
  await page.keyboard.press("Enter");
  await expect(page.locator(".rt-text figcaption")).toHaveText("The homes at Shigar");
  await expect(textOf(page)).toBeFocused();
  await page.keyboard.type("سردی آ گئی");
  await pressInBar(page, button("More"));
  await page.keyboard.press("Enter");

  await expect
    .poll(() => htmlOf(page))
    .toMatch(
      new RegExp(
        [
          "^<h2>What a room needs</h2>",
          '<p>Read about <a href="/refunds">refunds</a> and more.</p>',
          "<ul><li>Tin and felt</li><li>A stove</li></ul>",
          '<table><caption>Prices</caption><thead><tr><th scope="col">Thing</th><th scope="col">Price</th></tr></thead><tbody><tr><td>Roof</td><td>\\$310</td></tr></tbody></table>',
          '<figure><img src="/identity/illustrations/homes-courtyard.svg" alt="A courtyard with three homes" width="\\d+" height="\\d+" loading="lazy" /><figcaption>The homes at Shigar</figcaption></figure>',
          '<p lang="ur" dir="rtl">سردی آ گئی</p>$',
        ].join("\n"),
      ),
    );
  await expectGoodScreen(page, "the editor of a text");

  await pressByKey(page, page.getByRole("button", { name: "Save as a draft" }));
  await expect(textOf(page)).toContainText("What a room needs");
  const link = page.getByRole("link", { name: /See version \d+ on its page/ });
  await page.goto((await link.getAttribute("href"))!);
  await expect(page.getByRole("heading", { name: "What a room needs" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Prices" })).toBeVisible();
  await expect(page.getByRole("figure", { name: "The homes at Shigar" })).toBeVisible();
});

test("RTE-2, RTE-5: a text of which the editor would lose something opens for reading only, and can be changed as HTML", {
  tag: "@long",
}, async ({ page }) => {
  await logInStaff(page, "Claire Donnelly", "editor");
  await page.goto("/admin/news/new");
  const button = page.getByRole("button", { name: "More" });
  await button.click();
  await page.getByRole("menuitem", { name: "Edit as HTML" }).click();
  const area = page.locator('textarea[data-enhance="rich-text"]');
  await expect(area).toBeFocused();
  const html =
    "<p>Before</p><figure><figcaption>above</figcaption><img src='/identity/illustrations/homes-courtyard.svg' alt=''></figure>";
  await area.fill(html);
  await page.getByRole("button", { name: "Back to the text" }).click();
  await expect(page.getByRole("note")).toContainText("Something after “Before” cannot be shown here");
  await expect(textOf(page)).toHaveAttribute("aria-readonly", "true");
  await expectAccessible(page, "a text for reading only");
  expect(await htmlOf(page)).toBe(html);
  await page.getByRole("button", { name: "Edit as HTML" }).click();
  await area.fill("<p>Now it can</p>");
  await page.getByRole("button", { name: "Back to the text" }).click();
  await expect(page.getByRole("note")).toBeHidden();
  await page.keyboard.type("So ");
  expect(await htmlOf(page)).toBe("<p>So Now it can</p>");
});

test("RTE-6: the editor loads only on screens with a text to write; without it the text area stays and is sent", async ({
  page,
  browser,
}) => {
  await logInStaff(page, "Claire Donnelly", "editor");
  const scripts: string[] = [];
  page.on("request", (request) => request.url().endsWith(".js") && scripts.push(request.url()));
  await page.goto("/admin/news");
  await page.waitForLoadState("networkidle");
  expect(scripts.filter((url) => url.includes("enhance-text-area"))).toEqual([]);
  await page.goto("/admin/news/new");
  await expect(textOf(page)).toBeVisible();
  expect(scripts.filter((url) => url.includes("enhance-text-area"))).toHaveLength(1);
  // What matters only to whoever writes HTML is hidden.
  await expect(page.getByText(/As HTML: <p>/)).toBeHidden();

  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const tab = await plain.newPage();
  await tab.goto(`${siteUrl()}/admin/news/new`);
  await expect(tab.getByText(/As HTML: <p>/)).toBeVisible();
  await tab.getByLabel("Title", { exact: true }).fill("Without script");
  await tab.locator('textarea[data-enhance="rich-text"]').fill("<p>Plain</p>");
  await tab.getByRole("button", { name: "Save as a draft" }).click();
  await expect(tab.locator('textarea[data-enhance="rich-text"]')).toHaveValue("<p>Plain</p>");
  await plain.close();
});

test("RTE-7: typing in 500 paragraphs has no delay, and more text than a page can hold is refused with a sentence", {
  tag: "@long",
}, async ({ page }) => {
  await logInStaff(page, "Claire Donnelly", "editor");
  await page.goto("/admin/news/new");
  const paste = (html: string) =>
    textOf(page).evaluate((element, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/html", text);
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, html);
  const typeForMs = async () => {
    const begun = Date.now();
    await page.keyboard.type("Thirty keys, one by one, typed.");
    return Date.now() - begun;
  };
  await textOf(page).click();
  const inShortText = await typeForMs();
  await paste(`<p style="color: red">${"words and words ".repeat(125)}</p>`.repeat(500));
  await expect(page.locator(".rt-said")).toHaveText("Colours, sizes and fonts were left out: the site has its own.");
  await page.keyboard.press("Control+Home");
  // Each key press rewrites one block, not five hundred; the rest of the time is the browser's layout.
  expect(await typeForMs()).toBeLessThan(10 * inShortText + 1000);
  const before = await htmlOf(page);
  expect(before.length).toBeGreaterThan(1_000_000);
  await paste(`<ul>${"<li>x</li>".repeat(13_000)}</ul>`);
  await expect(page.locator(".rt-said")).toContainText("That is more than one page can hold");
  expect(await htmlOf(page)).toBe(before);
  await expectToFit(page, "a long text");
});
