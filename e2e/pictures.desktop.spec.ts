import type { Page } from "@playwright/test";
import { sharp } from "#shared/images/sharp.ts";
import { expect, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

/** A picture that no other journey has: its size is its own. */
async function drawFile(name: string, width: number) {
  const background = { r: width % 200, g: 110, b: 120 };
  const buffer = await sharp({ create: { width, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer();
  return { name, mimeType: "image/jpeg", buffer };
}

/** Drops a file where the mouse would. */
async function drop(page: Page, { name, buffer }: { name: string; buffer: Buffer }): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ({ name, text }) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], name, { type: "image/jpeg" }));
      return data;
    },
    { name, text: buffer.toString("base64") },
  );
  await page.dispatchEvent(".drop", "drop", { dataTransfer });
}

test("PIC-1, PIC-3, PIC-4: files are chosen and dropped, one is used in a news item by keyboard alone, and cut", async ({
  page,
  amount,
  expected,
}) => {
  expected.push(/422/, /choose-picture/);
  await logInStaff(page, "Claire Donnelly", "editor");
  const main = page.getByRole("main");
  const own = Number(amount.replace(/\D/g, "")) % 700;
  await page.goto("/admin/pictures");
  const heic = { name: "IMG_2093.heic", mimeType: "image/heic", buffer: Buffer.from("\0\0\0\x18ftypheic", "latin1") };
  // Its script has come.
  await expect(main.getByRole("status")).toBeAttached();
  await page.setInputFiles('input[type="file"]', [await drawFile(`roof ${amount}.jpg`, 700 + own), heic]);
  const kits = await drawFile(`kits ${amount}.jpg`, 1401 + own);
  await drop(page, { ...kits, buffer: Buffer.concat([kits.buffer, Buffer.alloc(10 * 1024 * 1024)]) });
  await expect(main.getByRole("status")).toHaveText("Pictures in the library: 2 of 3.");
  await expect(main.getByText("In the library. Made smaller first, because it had more than 10 MB")).toBeVisible();
  await expect(main.getByRole("alert")).toContainText("choose Most Compatible");
  await expect(main.locator(".pics").getByRole("link", { name: `roof ${amount}.jpg` })).toBeVisible();
  await expectGoodScreen(page, "the library with files that came and one that did not");
  await pressByKey(page, main.getByRole("button", { name: "Remove IMG_2093.heic from the list" }));
  await expect(main.getByRole("alert")).toHaveCount(0);

  await page.goto("/admin/news/new");
  await tabTo(page, main.getByLabel("Title", { exact: true }));
  await page.keyboard.type(`With a roof ${amount}`);
  await page.route("**/assets/choose-picture-*.js", (route) => route.abort(), { times: 1 });
  await pressByKey(page, main.getByRole("button", { name: "Choose a picture" }));
  await expect(main.getByRole("alert")).toHaveText(
    "The pictures could not be loaded. Check your connection and try again.",
  );
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Choose a picture" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type(`ROOF ${amount}`);
  await expect(dialog.getByRole("button", { name: "kits" })).toHaveCount(0);
  await expectGoodScreen(page, "choosing a picture");
  await dialog.locator('input[type="file"]').setInputFiles(await drawFile(`roof ${amount}.jpg`, 700 + own));
  await expect(dialog.getByText("Already in the library")).toBeVisible();
  await expect(dialog.getByRole("button", { name: `roof ${amount}.jpg` })).toHaveCount(1);
  await pressByKey(page, dialog.getByRole("button", { name: `roof ${amount}.jpg` }));
  await expect(dialog).toHaveCount(0);
  await expect(main.getByRole("button", { name: "Choose a picture" })).toBeFocused();
  const field = main.getByRole("textbox", { name: "Picture", exact: true });
  await expect(field).toHaveValue(/^\/images\/[0-9a-f]{32}$/);
  const address = await field.inputValue();
  await pressByKey(page, main.getByRole("button", { name: "Save as a draft" }));
  await expect(page.getByRole("status")).toHaveText("Saved as version 1.");

  await page.goto(address.replace("/images/", "/admin/pictures/"));
  await expect(main.getByRole("link", { name: `With a roof ${amount}` })).toBeVisible();
  await main.locator(".focal img").click({ position: { x: 2, y: 30 } });
  await expect(main.getByLabel("From the left, %")).toHaveValue("0");
  await expect(main.locator(".crops .picture.fx-0")).toHaveCount(8);
  await tabTo(page, main.getByLabel("From the top, %"));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("80");
  await expect(main.locator(".crops .picture.fx-0.fy-8")).toHaveCount(8);
  await expectGoodScreen(page, "one picture");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText("Saved. Every page shows it like this.");
  await expect(main.getByLabel("From the top, %")).toHaveValue("80");
});
