import type { Page } from "@playwright/test";
import { sharp } from "#shared/images/sharp.ts";
import { expectAccessible, expectToFit, usualSchemes } from "./accessible.ts";
import { expect, listEmails, test } from "./journey.ts";

const INBOX = "help@chashma.example";
const CREATE = "**/api/volunteer/create";
const NAME = "آمنہ نور الہدیٰ رضا";
/** 3,000 characters in two scripts, one of them two UTF-16 units long. */
const LONG_TEXT = `${"میں اردو اور انگریزی بولتی ہوں۔ I cook for two hundred. ".repeat(60).slice(0, 2999)}🌱`;

/** Colours are the same at both widths, so dark is checked at one of them. */
const schemes = (isMobile: boolean) => (isMobile ? (["light"] as const) : usualSchemes);

const main = (page: Page) => page.getByRole("main");
const box = (page: Page, name: string) => main(page).getByRole("textbox", { name });
const button = (page: Page, name: string) => main(page).getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => main(page).getByRole("heading", { name });
const summary = (page: Page) => page.getByRole("alert").filter({ hasText: "There is a problem" });
const alertBox = (page: Page, text: string) => page.getByRole("alertdialog", { name: text });
const pad = (page: Page) => main(page).locator("canvas");

type Picture = { name: string; mimeType: string; buffer: Buffer };

async function makePhoto(width = 600, height = 800): Promise<Picture> {
  const plain = { width, height, channels: 3, background: "#b2754e" } as const;
  return { name: "me.jpg", mimeType: "image/jpeg", buffer: await sharp({ create: plain }).jpeg().toBuffer() };
}
const choose = (page: Page, id: "photo" | "signature", picture: Picture) =>
  page.locator(`#${id}`).setInputFiles(picture);

async function fillPersonal(page: Page, email: string) {
  await box(page, "Name").fill(NAME);
  await box(page, "Street Address").fill("12 Harbour Street");
  await main(page).getByLabel("State").selectOption("New South Wales");
  await box(page, "Post Code").fill("2144");
  await box(page, "Mobile Number").fill("0412 345 678");
  await box(page, "Email").fill(email);
  await button(page, "Next").click();
  await expect(heading(page, "Your skills")).toBeFocused();
}

async function fillToLastStep(page: Page, email: string) {
  await page.goto("/volunteer");
  await fillPersonal(page, email);
  await main(page).getByLabel("Events").check();
  await button(page, "Next").click();
  await box(page, "Name").fill("Bilal Raza");
  await box(page, "Email").fill("bilal@example.com");
  await box(page, "Mobile Number").fill("0498 765 432");
  await box(page, "City").fill("Auburn");
  await main(page).getByLabel("State").selectOption("Victoria");
  await box(page, "Post Code").fill("3000");
  await main(page).getByLabel("SMS").check();
  await button(page, "Next").click();
  await expect(heading(page, "Photo and signature")).toBeFocused();
}

async function sign(page: Page) {
  await pad(page).scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await pad(page).boundingBox())!;
  await page.mouse.move(x + width * 0.2, y + height * 0.5);
  await page.mouse.down();
  for (let at = 0; at <= 10; at += 1) {
    await page.mouse.move(x + width * (0.2 + at * 0.05), y + height * (0.5 + 0.3 * Math.sin(at)));
  }
  await page.mouse.up();
}

/** How much is drawn. */
const countInk = (page: Page) => pad(page).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL().length);

async function emailsFrom(page: Page, email: string) {
  const emails = await listEmails(page, INBOX);
  return emails.filter(({ text }) => text.includes(email));
}

async function pressKey(page: Page, name: string) {
  await button(page, name).focus();
  await page.keyboard.press("Enter");
}

async function typeInto(page: Page, name: string, text: string) {
  await box(page, name).focus();
  await page.keyboard.insertText(text);
}

async function chooseByKeyboard(page: Page, id: "photo" | "signature", picture: Picture) {
  await page.locator(`#${id}`).focus();
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(picture);
}

/** Chooses from a list by typing the first letters of a name. */
async function pick(page: Page, name: string, letters: string) {
  const list = main(page).getByLabel(name, { exact: true });
  await expect(list.locator("option", { hasText: letters })).toBeAttached();
  await list.focus();
  await page.keyboard.type(letters);
  await expect(list).toHaveValue(new RegExp(`^${letters}`));
}

test("VOL-1, VOL-4, VOL-10: by keyboard alone, Urdu names and 3,000 characters arrive unchanged", async ({
  page,
  amount,
}) => {
  const email = `amina-${amount}@example.com`;
  // The listener must be there before a file dialog opens.
  page.on("filechooser", () => undefined);
  await page.goto("/volunteerApplication");
  await expect(page).toHaveURL("/volunteer");
  await expect(page.getByRole("progressbar", { name: "Application" })).toHaveAttribute("aria-valuenow", "25");
  await typeInto(page, "Name", NAME);
  await page.keyboard.press("Tab");
  await page.keyboard.insertText("12 Harbour Street");
  await pick(page, "State", "New South");
  await page.keyboard.press("Tab");
  await page.keyboard.insertText("2144");
  await page.keyboard.press("Tab");
  await expect(box(page, "Country")).toBeFocused();
  await expect(box(page, "Country")).toHaveValue("Australia");
  await page.keyboard.insertText("Atlantis");
  await typeInto(page, "Mobile Number", "0412 345 678");
  await typeInto(page, "Email", email);
  await page.keyboard.press("Enter");

  await expect(heading(page, "Your skills")).toBeFocused();
  await typeInto(page, "Skills", LONG_TEXT);
  await main(page).getByLabel("Fundraising").press("Space");
  await main(page).getByLabel("Administration").press("Space");
  await main(page).getByRole("radio", { name: "Availability" }).focus();
  await page.keyboard.press("ArrowRight");
  await pressKey(page, "Next");

  await expect(heading(page, "Emergency contact")).toBeFocused();
  await typeInto(page, "Name", "بلال رضا");
  await typeInto(page, "Email", "bilal@example.com");
  await typeInto(page, "Mobile Number", "+92 300 1234567");
  await pick(page, "Country", "Pakistan");
  await typeInto(page, "City", "Lahore");
  await pick(page, "State", "Punjab");
  await typeInto(page, "Post Code", "54000");
  await main(page).getByRole("radio", { name: "SMS" }).press("Space");
  await pressKey(page, "Next");

  await expect(heading(page, "Photo and signature")).toBeFocused();
  await chooseByKeyboard(page, "photo", await makePhoto());
  await chooseByKeyboard(page, "signature", await makePhoto(500, 200));
  await expect(main(page).getByRole("img", { name: "The photo you chose" })).toBeVisible();
  await expect(main(page).getByRole("img", { name: "The signature you chose" })).toBeVisible();
  await pressKey(page, "Submit");
  await expect(alertBox(page, "Volunteer created successfully")).toBeVisible();
  await page.keyboard.press("Enter");
  const thanks = page.getByRole("status").filter({ hasText: "We have your application" });
  await expect(thanks).toBeFocused();
  await expect(thanks).toContainText(email);
  await expect(box(page, "Name")).toHaveValue("");

  await expect.poll(() => emailsFrom(page, email)).toHaveLength(1);
  const [application] = await emailsFrom(page, email);
  expect(application!.subject).toContain(NAME);
  expect(application!.text.replace(/\s+/g, " ")).toContain(LONG_TEXT.replace(/\s+/g, " ").trim());
  expect(application!.text).toMatch(/Administration, Fundraising/);
  await expect.poll(() => listEmails(page, email)).toHaveLength(1);
  const [confirmation] = await listEmails(page, email);
  await page.goto(/https?:\/\/\S+\/volunteer\/application\/\S+/.exec(confirmation!.text)![0]);
  const held = page.getByRole("region", { name: "What we hold about you" });
  expect(await held.getByRole("paragraph").filter({ hasText: "I cook" }).textContent()).toBe(LONG_TEXT);
  for (const text of [NAME, "بلال رضا", "Weekend"]) await expect(held.getByText(text)).toBeVisible();
});

test("VOL-7, VOL-8, VOL-9: each step says what is missing, keeps it on the page, and is accessible with its errors", {
  tag: "@long",
}, async ({ page, isMobile }) => {
  await page.goto("/volunteer");
  const check = async (what: string, links: readonly string[]) => {
    await expect(summary(page)).toBeFocused();
    await expect(summary(page).getByRole("link")).toHaveText([...links]);
    await expect(page).toHaveTitle(/^Error: Step \d of 4: /);
    await expectAccessible(page, what, schemes(isMobile));
    await expectToFit(page, what);
    if (!isMobile) return;
    await page.setViewportSize({ width: 320, height: 700 });
    await expectToFit(page, `${what} at 320 pixels`);
    await page.setViewportSize({ width: 390, height: 844 });
  };
  const place = ["State is required", "Post Code is required"];
  await button(page, "Next").click();
  await check("personal details", [
    "Name is required",
    "Street Address is required",
    ...place,
    "Mobile Number is required",
    "Email is required",
  ]);
  await box(page, "Email").fill("amina@");
  await expect(summary(page).getByRole("link").last()).toHaveText("Invalid email format");
  await fillPersonal(page, "amina@example.com");
  await button(page, "Next").click();
  await check("skills", ["Area of Interest is required"]);
  await summary(page).getByRole("link").click();
  await page.keyboard.press("Space");
  await button(page, "Next").click();
  await expect(heading(page, "Emergency contact")).toBeFocused();
  await button(page, "Next").click();
  await check("the emergency contact", [
    "Name is required",
    "Email is required",
    "Mobile Number is required",
    "City is required",
    ...place,
    "Preferred Contact is required",
  ]);
  await page.goBack();
  await expect(heading(page, "Your skills")).toBeFocused();
  await expect(main(page).getByLabel("Administration")).toBeChecked();
  const marks = main(page).getByRole("list", { name: "Progress" }).getByRole("listitem");
  await expect(marks).toHaveText(["Personal completed", "Skills", "Emergency", "Image"]);
});

test("VOL-6, VOL-11: pictures are refused with a reason or made smaller; a signature is drawn, undone and drawn again", async ({
  page,
  amount,
  isMobile,
}) => {
  await fillToLastStep(page, `pictures-${amount}@example.com`);
  await button(page, "Submit").click();
  await expect(summary(page).getByRole("link")).toHaveText([
    "Photo: Please upload an image",
    "Signature: Please upload an image",
  ]);
  const photo = main(page).getByRole("group", { name: "Photo" });
  await expect(photo.getByText("Take a photo")).toBeVisible({ visible: isMobile });
  const refused = async (buffer: Buffer, sentence: RegExp) => {
    await choose(page, "photo", { name: "me.jpg", mimeType: "image/jpeg", buffer });
    await expect(photo.getByText(sentence)).toBeVisible();
  };
  await page.locator("#photo").evaluate((input: HTMLInputElement) => {
    const chosen = new DataTransfer();
    const parts = [new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), new Uint8Array(10 * 1024 * 1024 - 3)];
    chosen.items.add(new File(parts, "me.jpg"));
    input.files = chosen.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await expect(photo.getByText(/larger than 10 MB/)).toBeVisible();
  await refused(Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), /HEIC picture.*save it as JPEG/);
  await refused(Buffer.from("<svg onload=alert(1)>"), /choose a JPEG, PNG or WebP picture/);
  await refused(Buffer.from("\xff\xd8\xff\xe0 and no more", "latin1"), /may be damaged/);

  const blank = await countInk(page);
  await sign(page);
  expect(await countInk(page)).toBeGreaterThan(2 * blank);
  await button(page, "Undo last stroke").click();
  expect(await countInk(page)).toBe(blank);
  await sign(page);
  await button(page, "Clear signature").click();
  expect(await countInk(page)).toBe(blank);
  await sign(page);
  await expectAccessible(page, "a photo that was refused, the signature and the review", schemes(isMobile));

  // A portrait photo that its camera stored sideways: wide in the file, tall on screen.
  const { buffer } = await makePhoto(3000, 2000);
  const turned = await sharp(buffer).withMetadata({ orientation: 6 }).toBuffer();
  const large = Buffer.concat([turned, Buffer.alloc(10 * 1024 * 1024)]);
  await choose(page, "photo", { name: "holiday.jpeg", mimeType: "image/jpeg", buffer: large });
  await expect(photo.getByText(/^holiday\.jpg, \d+ kB$/)).toBeVisible();
  const size = await photo.getByRole("img").evaluate((image: HTMLImageElement) => [image.width, image.height]);
  expect(size[0]! / size[1]!).toBeCloseTo(2 / 3, 1);

  await expectToFit(page, "photo, signature and review");
});

test("VOL-10: a reload keeps what was typed, a lost connection keeps the pictures too, and pressing twice sends it once", {
  tag: ["@once", "@long"],
}, async ({ page, amount, expected }) => {
  expected.push(/volunteer\/create/, /ERR_CONNECTION_RESET/);
  const email = `twice-${amount}@example.com`;
  await fillToLastStep(page, email);
  await page.reload();
  await expect(main(page).getByText(/please add your photo and signature again/)).toBeVisible();
  await expect(main(page).getByText(NAME)).toBeVisible();
  await choose(page, "photo", await makePhoto());
  const blank = await countInk(page);
  await sign(page);
  await page.route(CREATE, (route) => route.abort("connectionreset"), { times: 1 });
  await button(page, "Submit").click();
  await alertBox(page, "Error creating volunteer").getByRole("button", { name: "OK" }).click();
  const refusal = page.getByRole("alert").filter({ hasText: "it will not be sent twice" });
  await expect(refusal).toBeFocused();
  expect(await countInk(page)).toBeGreaterThan(2 * blank);

  await button(page, "Change personal details").click();
  await box(page, "Post Code").fill("2145");
  await button(page, "Save and go back").click();
  await expect(main(page).getByRole("img", { name: "The photo you chose" })).toBeVisible();
  let sent = 0;
  await page.route(CREATE, async (route) => {
    sent += 1;
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await button(page, "Submit").dblclick();
  await expect(page.getByText(/^Sending… \d+ %$/)).toBeVisible();
  await button(page, "Submit").press("Enter");
  await alertBox(page, "Volunteer created successfully").getByRole("button", { name: "OK" }).click();
  await expect(page.getByText("Thank you. We have your application.")).toBeVisible();
  expect(sent).toBe(1);
  await expect.poll(() => emailsFrom(page, email)).toHaveLength(1);
  await page.reload();
  await expect(box(page, "Name")).toHaveValue("");
  await expect(page.getByText("Thank you. We have your application.")).toBeHidden();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  // Without JavaScript, Chromium reports the page's scripts as refused.
  test.beforeEach(({ expected }) => void expected.push(/\.js csp$/));

  test("VOL-1: the page says how to apply by telephone or email, and shows no form", {
    tag: "@once",
  }, async ({ page }) => {
    await page.goto("/volunteer");
    await expect(heading(page, "Call or email us")).toBeVisible();
    await expect(main(page).getByRole("link", { name: INBOX })).toBeVisible();
    await expect(main(page).getByRole("link", { name: "1300 000 000" })).toBeVisible();
    await expect(button(page, "Next")).toBeHidden();
  });
});
