import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { describeQrCode } from "#shared/images/qr-code.ts";
import { findChromium } from "#test/chromium.ts";
import { isLongRun } from "#test/long-run.ts";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { type DoorEvent, planDoorEvent } from "./door-event.ts";
import { expect, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

const TICKETS = isLongRun ? 1000 : 100;
/** How many of them each of the three phones scans. */
const EACH = isLongRun ? 334 : 20;

type Phone = { readonly context: BrowserContext; page: Page; readonly address: string };

/** Adds a phone in the back office by keyboard, and returns what to type on it. */
async function addPhone(page: Page, event: DoorEvent, name: string) {
  await page.goto(`/admin/events/${await event.findScreen()}/door`);
  await tabTo(page, page.getByLabel("Add a phone"));
  await page.keyboard.type(name);
  await pressByKey(page, page.getByRole("button", { name: "Show its code" }));
  const card = page.locator(".pair").filter({ has: page.getByRole("heading", { name }) });
  return {
    code: (await card.locator(".pair-code").textContent())!,
    address: (await card.locator(".address").textContent())!,
  };
}

async function openPhone(browser: Browser, { address, code }: { address: string; code: string }): Promise<Phone> {
  const screen = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const context = await browser.newContext({ ...screen, locale: "en-AU", timezoneId: "Australia/Sydney" });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Pair this phone" }).click();
  await expect(page.getByText("Works without a network", { exact: true })).toBeVisible();
  return { context, page, address };
}

const openDoor = (page: Page) => page.getByRole("button", { name: "Open the door" }).click();

/** Types a code as a scanner does. Returns what the phone says, and after how many milliseconds. */
const scan = (page: Page, text: string) =>
  page.evaluate(async (code) => {
    const told = document.querySelector(".told")!;
    const read = (selector: string) => told.querySelector(selector)?.textContent ?? "";
    const before = `${read(".word")} ${read(".who")}`;
    const began = performance.now();
    const answered = new Promise<void>((resolve) => {
      new MutationObserver((_, observer) => {
        // What was told about the last person also changes, when somebody of the same order comes in.
        if (`${read(".word")} ${read(".who")}` === before) return;
        observer.disconnect();
        resolve();
      }).observe(told, { childList: true, subtree: true, characterData: true });
    });
    for (const key of [...code, "Enter"]) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
    await answered;
    return { word: read(".word"), who: read(".who"), what: read(".what"), ms: performance.now() - began };
  }, text);

test("DOOR-1, DOOR-3, DOOR-4, DOOR-5, DOOR-7, EVT-14: three phones check tickets without a network; all scans arrive once, and doubles are told", async ({
  page,
  browser,
}) => {
  const event = await planDoorEvent("Dinner with three doors", TICKETS);
  const { codes } = event;
  await logInStaff(page, "Sana Malik", "events");
  await page.goto("/admin/events");
  const cards = [
    await addPhone(page, event, "Main entrance"),
    await addPhone(page, event, "Side entrance"),
    await addPhone(page, event, "Garden"),
  ];
  await expectGoodScreen(page, "the door with codes to pair");
  const phones = await Promise.all(cards.map((card) => openPhone(browser, card)));
  for (const { context, page: phone } of phones) {
    await openDoor(phone);
    await context.setOffline(true);
  }
  const [main, side, garden] = phones as [Phone, Phone, Phone];
  await event.cancel(EACH);

  const times: number[] = [];
  const scanAll = async ({ page: phone }: Phone, first: number) => {
    for (let n = 0; n < EACH; n++) {
      const { word, ms } = await scan(phone, codes[first + n]!);
      expect(word).toBe("Welcome");
      times.push(ms);
    }
  };
  await Promise.all([scanAll(main, 0), scanAll(side, EACH - 1), scanAll(garden, 2 * EACH - 2)]);
  times.sort((a, b) => a - b);
  // Half of them as a limit, because all phones share the processor of the test.
  expect(times[Math.floor(times.length / 2)]).toBeLessThan(300);
  expect(await scan(main.page, codes[0]!)).toMatchObject({ word: "Already in" });
  await expect(main.page.getByText(`No network, ${EACH} to send`)).toBeVisible();
  expect(await event.countScans()).toBe(0);

  // A phone is closed while it has no network, and opened again without one.
  await side.page.close();
  side.page = await side.context.newPage();
  await side.page.goto(side.address);
  await openDoor(side.page);
  await expect(side.page.getByText(`No network, ${EACH} to send`)).toBeVisible();

  for (const { context, page: phone } of phones) {
    await context.setOffline(false);
    await expect(phone.getByText("Online", { exact: true })).toBeVisible();
  }
  await expect.poll(() => event.countScans()).toBe(3 * EACH);
  await expect(side.page.getByText("One ticket came in more than once while the phones were apart")).toBeVisible();
  await expectAccessible(side.page, "the door with what phones could not know");
  await side.page.getByRole("button", { name: "I have looked into it" }).click();

  await page.goto(`/admin/events/${await event.findScreen()}/door`);
  // Two tickets at two doors each, and one that was cancelled.
  await expect(page.getByText(/^Came in twice/)).toHaveCount(2);
  await expect(page.getByText(/^Let in with a cancelled ticket/)).toHaveCount(1);
  await expectGoodScreen(page, "the door after phones were apart");
  await page.getByRole("link", { name: "Report" }).click();
  await expect(page.getByRole("row", { name: /^In all/ })).toContainText(String(3 * EACH - 2));
  await expectGoodScreen(page, "the report of an event");
  for (const { context } of phones) await context.close();
  await event.close();
});

test("DOOR-2, DOOR-5, DOOR-6: a helper pairs a phone, finds a name, undoes, and is told what each code is", async ({
  page,
  browser,
}) => {
  const event = await planDoorEvent("Dinner with one door", 6);
  await logInStaff(page, "Sana Malik", "events");
  await page.goto("/admin/events");
  const { address, code } = await addPhone(page, event, "Main entrance");
  const { context, page: phone } = await openPhone(browser, { address, code });
  const good = async (what: string) => {
    await expectAccessible(phone, what);
    await expectToFit(phone, what);
    const folder = process.env.PICTURES;
    if (folder) await phone.screenshot({ path: join(folder, `${what}.png`) });
  };
  await expect(phone.getByText("6 valid tickets on this phone")).toBeVisible();
  await expect(phone.getByText("Verifies codes by itself")).toBeVisible();
  await good("the check before doors");
  await openDoor(phone);
  await good("the door");
  // By keyboard alone, by part of a name.
  await pressByKey(phone, phone.getByRole("button", { name: "Find a name" }));
  await phone.keyboard.type("guest 3");
  await expect(phone.getByText("1 ticket", { exact: true })).toBeVisible();
  await good("finding a name");
  await pressByKey(phone, phone.getByRole("button", { name: /^Let in: Guest 3/ }));
  await expect(phone.getByText("1 of 2 of this order. Guest 4 has not come yet.")).toBeVisible();
  await good("welcome");
  await phone.setViewportSize({ width: 844, height: 390 });
  for (const shown of [phone.getByText("Welcome", { exact: true }), phone.getByRole("button", { name: "Next" })]) {
    await expect(shown).toBeInViewport({ ratio: 1 });
  }
  await good("welcome on a phone held sideways");
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.getByRole("button", { name: "Undo" }).click();
  await expect(phone.getByText("0 of 6")).toBeVisible();
  await phone.getByRole("button", { name: "Find a name" }).click();
  await phone.getByLabel(/^Name, or number/).fill("Guest 3");
  await phone.getByRole("button", { name: /^Let in: Guest 3/ }).click();
  await phone.getByRole("button", { name: "Let the other in too" }).click();
  await expect(phone.getByText("2 of 6")).toBeVisible();
  await event.cancel(5);
  const [first] = event.codes as [string];
  const told = async (text: string) => (await scan(phone, text)).word;
  expect(await told("https://example.org/ticket")).toBe("Not ours");
  await good("not ours");
  expect(await told(first.slice(0, 70))).toBe("Part is missing");
  await good("part is missing");
  expect(await told(first.replace(/.$/, (last) => (last === "0" ? "1" : "0")))).toMatch(/^(Not ours|Part is missing)$/);
  const other = await planDoorEvent("Another dinner", 2);
  await page.goto("/admin/events");
  expect(await told(other.codes[0]!)).toBe("Other event");
  await good("other event");
  await expect(phone.getByText("Online", { exact: true })).toBeVisible();
  // Once the phone has learned that Guest 6 cancelled.
  await expect(phone.getByText("2 of 5")).toBeVisible();
  expect(await told(event.codes[5]!)).toBe("Cancelled");
  await good("cancelled");
  await context.close();
  await Promise.all([event.close(), other.close()]);
});

test("DOOR-2: the camera reads the code of a ticket", async ({ page }) => {
  const event = await planDoorEvent("Dinner with a camera", 2);
  const [code] = event.codes as [string];
  const folder = mkdtempSync(join(tmpdir(), "almoner-camera-"));
  const film = join(folder, "ticket.y4m");
  writeFileSync(film, filmOf(code));
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  try {
    await logInStaff(page, "Sana Malik", "events");
    await page.goto("/admin/events");
    const { page: phone } = await openPhone(browser, await addPhone(page, event, "Main entrance"));
    await expect(phone.getByText("The camera works")).toBeVisible();
    await openDoor(phone);
    await expect(phone.getByText("Welcome", { exact: true })).toBeVisible();
    // The same code stays before the camera, which is the same person.
    await phone.getByRole("button", { name: "Next" }).click();
    await expect(phone.getByText("Hold the code in the frame")).toBeVisible();
    await expect.poll(() => event.countScans()).toBe(1);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
    await event.close();
  }
});

/** A film of one picture: the code on white, as a camera sees it. https://wiki.multimedia.cx/index.php/YUV4MPEG2 */
function filmOf(text: string): Buffer {
  const [width, height] = [640, 480];
  const { size, rects } = describeQrCode(text, "alphanumeric");
  const module = Math.floor(400 / size);
  const [left, top] = [(width - size * module) >> 1, (height - size * module) >> 1];
  const picture = Buffer.alloc(width * height, 230);
  for (const [x, y, wide] of rects) {
    for (let row = top + y * module; row < top + (y + 1) * module; row++) {
      const from = row * width + left + x * module;
      picture.fill(20, from, from + wide * module);
    }
  }
  const colours = Buffer.alloc((width * height) / 2, 128);
  const head = `YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\nFRAME\n`;
  return Buffer.concat([Buffer.from(head), picture, colours]);
}
