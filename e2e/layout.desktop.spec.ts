import type { Locator, Page } from "@playwright/test";
import { contentPages, formPages, ticketPages } from "#test/public-pages.ts";
import { expectAccessible } from "./accessible.ts";
import { becomeGuest, createDonor } from "./donor.ts";
import { expect, siteUrl } from "./journey.ts";
import { doubleText, findCovered, findLayoutFaults, spaceText, widths } from "./layout.ts";
import { logInMember } from "./member.ts";
import { test } from "./ticket-buyer.ts";

const heights: Readonly<Record<number, number>> = {
  1440: 900,
  1280: 800,
  1024: 768,
  844: 390,
  768: 1024,
  390: 844,
  320: 640,
};
const paths = [
  "/",
  ...Object.keys({ ...contentPages, ...formPages, ...ticketPages }),
  "/events/charity-dinner",
  "/reset-password",
  "/donation",
]
  // Without a selection it redirects to the choice of tickets.
  .filter((path) => !path.startsWith("/ticketsCheckout"));
const halves = [paths.filter((_, index) => index % 2 === 0), paths.filter((_, index) => index % 2 === 1)];

test.beforeEach(async ({ page }) => {
  await becomeGuest(page, siteUrl());
});

for (const [half, own] of halves.entries()) {
  test(`LAY-13, LAY-14: pages fit seven widths, double-size text and text spacing, and break no word or number (${half + 1} of 2)`, {
    tag: "@long",
  }, async ({ page }) => {
    for (const [index, path] of own.entries()) {
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? "light" : "dark", reducedMotion: "reduce" });
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      for (const width of widths) {
        await page.setViewportSize({ width, height: heights[width]! });
        expect(await findLayoutFaults(page), `${path} at ${width} pixels`).toEqual([]);
      }
      await spaceText(page);
      expect(await findLayoutFaults(page), `${path} at 320 pixels with text spacing`).toEqual([]);
      await doubleText(page);
      for (const width of [1280, 768, 390, 360, 320]) {
        await page.setViewportSize({ width, height: heights[width] ?? 844 });
        expect(await findLayoutFaults(page), `${path} at ${width} pixels with text of double size`).toEqual([]);
      }
    }
  });
}

async function expectWholeInDoubleSize(page: Page, what: string): Promise<void> {
  await doubleText(page);
  expect(await findLayoutFaults(page), what).toEqual([]);
}

test("LAY-13, LAY-14: on a phone with text of double size the steps of a donation break no word or amount", async ({
  page,
  donor,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await donor.openAsGuest();
  await donor.pressWhenOff(page.getByRole("button", { name: "Next" }));
  await expectWholeInDoubleSize(page, "step 1 with errors");
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  await donor.addLine({ category: "Qurban", kind: "Cow share", names: ["Mohammed Ali"] });
  await donor.addLine({ category: "Zakat", amount: "12,345.67" });
  await expectWholeInDoubleSize(page, "step 2");
  await donor.next();
  await donor.onStep(3);
  await expectWholeInDoubleSize(page, "step 3");
  await donor.next();
  await donor.onStep(4);
  await expectWholeInDoubleSize(page, "step 4");
});

test("LAY-14: on a small phone a long email address does not widen the thanks for a donation", async ({
  page,
  amount,
}) => {
  const email = `wolfeschlegelsteinhausenbergerdorff.${amount}@example.com`;
  const donor = createDonor(page, { email, siteUrl: siteUrl() });
  await page.setViewportSize({ width: 320, height: 640 });
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await donor.giveByCard();
  await donor.seesSuccess();
  expect(await findLayoutFaults(page)).toEqual([]);
});

test("LAY-13, LAY-14: on a phone with text of double size a choice of tickets and its order break no word or amount", {
  tag: "@long",
}, async ({ page, buyer, staff }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const slug = await staff.plan();
  await page.goto(`/selectTickets?event=${slug}`);
  await buyer.choose({ vip: 2, standard: 1 });
  await expectWholeInDoubleSize(page, "the choice of tickets");
  await buyer.button("Next").click();
  await buyer.seesHold();
  await buyer.fillBuyer();
  await expectWholeInDoubleSize(page, "the checkout");
  await buyer.payByCard();
  await buyer.seesBooked();
  await expectWholeInDoubleSize(page, "the booking");
});

test("LAY-13, LAY-14: on a phone with text of double size a member's pages break no word or number", {
  tag: "@long",
}, async ({ page, context, donor }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await logInMember(context, donor.email, { lastName: "Abdulrahman" });
  for (const path of ["/profile", "/edit-profile", "/change-password", "/donation-history"]) {
    await page.goto(path);
    await expectWholeInDoubleSize(page, path);
  }
});

test("LAY-13: from 900 to 1180 pixels the top bar is one line", async ({ page }) => {
  await page.goto("/");
  for (const width of [861, 900, 960, 1024, 1151, 1152, 1180]) {
    await page.setViewportSize({ width, height: 768 });
    const bar = await page.locator(".top-strip .wrap").evaluate((wrap) => ({
      isTooLong: wrap.scrollWidth > wrap.clientWidth,
      heights: [...wrap.children].filter((part) => part.checkVisibility()).map((part) => part.clientHeight),
    }));
    expect(bar.isTooLong, `${width} pixels`).toBe(false);
    expect(Math.max(...bar.heights), `${width} pixels`).toBeLessThan(40);
  }
});

test("LAY-3: the badge is in the footer on pages with forms and below 1400 pixels, and floats over no text or control", {
  tag: "@long",
}, async ({ page }) => {
  for (const path of [
    "/",
    "/chashma-world",
    "/ambulance-fund",
    "/events",
    "/gallery",
    "/ticketAbout",
    "/donation",
    "/contact",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const hasForm = ["/donation", "/contact"].includes(path);
    for (const width of [1920, 1440, 1400, 1399, ...widths.slice(1)]) {
      await page.setViewportSize({ width, height: heights[width] ?? 900 });
      const { floats, covered } = await findCovered(page);
      expect({ floats, covered }, `${path} at ${width} pixels`).toEqual({
        floats: width >= 1400 && !hasForm,
        covered: [],
      });
    }
    await expect(page.getByRole("contentinfo").getByRole("link", { name: /Registered charity/ })).toBeVisible();
  }
});

test("LAY-14: a toast never covers the focused field or one with a problem", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/register");
  const toast = page.locator(".toast");
  const show = () =>
    page.evaluate(() =>
      document.dispatchEvent(
        new CustomEvent("almoner:toast", { detail: { text: "Something is missing", tone: "bad" } }),
      ),
    );
  const overlaps = (field: Locator) =>
    field.evaluate((input) => {
      const a = input.getBoundingClientRect();
      const b = document.querySelector(".toast")!.getBoundingClientRect();
      return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
    });
  const scrollFieldTo = (field: Locator, block: "start" | "end") =>
    field.evaluate((input, at) => {
      const { top, bottom } = input.getBoundingClientRect();
      scrollBy({ top: at === "end" ? bottom - innerHeight + 20 : top - 20, behavior: "instant" });
    }, block);
  const low = page.getByRole("textbox", { name: "Post Code" });
  await low.focus();
  await scrollFieldTo(low, "end");
  await show();
  await expect(toast).toBeVisible();
  expect(await overlaps(low)).toBe(false);
  await scrollFieldTo(low, "start");
  await expect.poll(() => overlaps(low)).toBe(false);
  await page.getByRole("textbox", { name: "First Name" }).focus();
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  await expect.poll(() => toast.evaluate((box) => innerHeight - box.getBoundingClientRect().bottom)).toBeLessThan(30);
});

test("LAY-9: a success has its own colour and icon, in light and dark", async ({ page }) => {
  await page.goto("/dev/parts");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const signs = await page.evaluate(() =>
      [".toast.good", ".toast.bad", ".alert-dialog.good p"].map((selector) => {
        const { backgroundColor, maskImage } = getComputedStyle(document.querySelector(selector)!, "::before");
        return { backgroundColor, maskImage };
      }),
    );
    const [good, bad, alert] = signs;
    expect(alert, colorScheme).toEqual(good);
    expect(bad!.backgroundColor, colorScheme).not.toBe(good!.backgroundColor);
    expect(bad!.maskImage, colorScheme).not.toBe(good!.maskImage);
  }
});

test("PERF-20: the header shows the dark mark on white, and the light one on a dark device, but not on paper", async ({
  page,
}) => {
  await page.goto("/");
  const shown = () =>
    page.locator(".site-head .brand svg:visible").evaluateAll((marks) => marks.map((mark) => mark.classList[0]));
  for (const [media, colorScheme, expected] of [
    ["screen", "light", "on-light"],
    ["screen", "dark", "on-dark"],
    ["print", "dark", "on-light"],
  ] as const) {
    await page.emulateMedia({ media, colorScheme });
    expect(await shown(), `${media}, ${colorScheme}`).toEqual([expected]);
  }
});

test("LAY-14: the picture beside the registration keeps its shape and fits the window", async ({ page }) => {
  await page.goto("/register");
  const box = await page.locator(".auth .side img").evaluate((picture) => {
    const { width, height } = picture.getBoundingClientRect();
    // How much larger the picture is than its column's width needs, to fill the height.
    return { height, zoom: Math.max(1, height / ((width * 3) / 4)) };
  });
  expect(box.height).toBeLessThanOrEqual(820);
  expect(box.zoom).toBeLessThan(1.6);
});

test("LAY-14: on a phone a table in a text looks like a list with labels, and stays a table for assistive technology", async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/chashma-world");
  const table = page.locator(".prose table");
  const cells = await table
    .locator("tbody tr")
    .first()
    .locator("th, td")
    .evaluateAll((all) =>
      all.map((cell) => ({
        left: cell.getBoundingClientRect().left,
        top: cell.getBoundingClientRect().top,
        label: getComputedStyle(cell, "::before").content,
      })),
    );
  expect(cells.map(({ label }) => label)).toEqual(["none", '"In Pakistan"', '"In Australia"']);
  expect(new Set(cells.map(({ left }) => left)).size).toBe(1);
  expect(cells[1]!.top).toBeLessThan(cells[2]!.top);
  expect(await page.locator(".table-wrap").evaluate((frame) => frame.scrollWidth > frame.clientWidth)).toBe(false);
  const tree = await page.context().newCDPSession(page);
  const { nodes } = await tree.send("Accessibility.getFullAXTree");
  const roles = nodes.filter(({ ignored }) => !ignored).map(({ role }) => role?.value);
  for (const [role, count] of [
    ["table", 1],
    ["row", 5],
    ["columnheader", 3],
    ["rowheader", 4],
    ["cell", 8],
  ] as const) {
    expect(
      roles.filter((one) => one === role),
      role,
    ).toHaveLength(count);
  }
  await expectAccessible(page, "/chashma-world at 320 pixels");
});
