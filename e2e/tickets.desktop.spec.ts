import { formatDollars } from "#shared/language.ts";
import { expectAccessible } from "./accessible.ts";
import { expect, listCharges, listEmails } from "./journey.ts";
import { answerPayPal, routePayPal } from "./paypal.ts";
import { test } from "./ticket-buyer.ts";

// Their own events would show on pages that other journeys check.
test.use({ site: "as-live" });

const cents = (amount: string) => Math.round(Number(amount) * 100);

test("TIC-5, TIC-6: PayPal replaces the card form, which starts again when Card is chosen again; PayPal pays", {
  tag: "@long",
}, async ({ page, buyer, staff, simulator, amount }) => {
  const slug = await staff.plan({ vip: { price_cents: cents(amount) } });
  await buyer.openCheckout(slug, { vip: 1 });
  // Not earlier: with routes the browser caches nothing, and page transitions fail with an error.
  await routePayPal(page, simulator.url);
  await buyer.fillBuyer();
  await buyer.solveCaptcha();
  await buyer.typeCard();
  await buyer.chooseMethod("PayPal");
  await expect(buyer.payPalButton).toBeVisible();
  await expect(page.locator('iframe[title="Card details"]')).toHaveCount(0);
  await expectAccessible(page, "the checkout with PayPal");
  await buyer.chooseMethod("Credit card");
  await expect(buyer.frame.getByLabel("Card number")).toHaveValue("");
  await expect(buyer.payPalButton).toHaveCount(0);
  await buyer.chooseMethod("PayPal");
  await expect(buyer.payPalButton).toBeVisible();
  await answerPayPal(page, "Cancel");
  await expect(page.getByRole("alert").filter({ hasText: "Nothing was charged." })).toBeVisible();
  await buyer.button("Try again").click();
  await answerPayPal(page, "Approve");
  await buyer.seesBooked();
  await expect(page.getByRole("list", { name: "Tickets" }).getByRole("listitem")).toHaveCount(1);
  expect(await listCharges(simulator, cents(amount))).toMatchObject([{ provider: "braintree" }]);
});

test("TIC-7: when others take the seats during payment, all of it is refunded, and the page and an email say so", {
  tag: "@long",
}, async ({ page, buyer, staff, rival, simulator, amount }) => {
  const slug = await staff.plan({ vip: { price_cents: cents(amount), capacity: 1 } });
  await simulator.installFault({ match: { amountCents: cents(amount) }, do: "hang_after", times: 1 });
  await buyer.openCheckout(slug, { vip: 1 });
  await buyer.fillBuyer();
  const order = await buyer.heldOrder();
  await buyer.payByCard();
  await staff.untilPaying(order);
  await staff.endHold(order, -1);
  await rival.hold(slug, { vip: 1 });
  await expect(buyer.heading("We are refunding your payment")).toBeFocused();
  await expect(page.getByRole("alert")).toHaveText(/^Your seats were gone by the time your payment arrived/);
  await expect(page.getByText(`We are refunding your ${formatDollars(cents(amount))} in full.`)).toBeVisible();
  await expectAccessible(page, "a refunded payment");
  await expect.poll(() => listCharges(simulator, cents(amount))).toHaveLength(0);
  await expect.poll(() => listEmails(page, buyer.email).then((emails) => emails.length)).toBeGreaterThan(0);
  await page.reload();
  await expect(buyer.heading("We are refunding your payment")).toBeVisible();
  await page.getByRole("link", { name: "See which tickets are left" }).click();
  await expect(page.getByText("Sold out", { exact: true })).toBeVisible();
});

test("TIC-6, TIC-7: the page says that a hold lapsed before payment, and holding again loses nothing that was typed", {
  tag: "@long",
}, async ({ page, buyer, staff, simulator, amount }) => {
  const slug = await staff.plan({ vip: { price_cents: cents(amount), capacity: 1 } });
  await buyer.openCheckout(slug, { vip: 1 });
  await buyer.fillBuyer();
  const first = await buyer.heldOrder();
  await staff.endHold(first, 6);
  await page.reload();
  await expect(buyer.button("I need more time")).toBeVisible();
  await expectAccessible(page, "the last minutes of a hold");
  await expect(buyer.heading("Your seats are no longer held", 2)).toBeFocused();
  await expect(buyer.payButton).toHaveAccessibleDescription("Hold your seats again above before you pay.");
  await expectAccessible(page, "a hold that has lapsed");
  await buyer.button("Hold the seats again").press("Enter");
  await buyer.seesHold();
  await expect(buyer.heading("Your details", 2)).toBeFocused();
  expect((await buyer.heldOrder()).id).not.toBe(first.id);
  await expect(buyer.field("Email")).toHaveValue(buyer.email);
  await expect(buyer.field("Last Name")).toHaveValue("Raza");

  // The hold lapses again, now while the bank is charging; nobody else wants the seat.
  await simulator.installFault({ match: { amountCents: cents(amount) }, do: "slow", ms: 1000, times: 1 });
  const second = await buyer.heldOrder();
  await buyer.payByCard();
  await staff.untilPaying(second);
  await staff.endHold(second, -1);
  await buyer.seesBooked();
  expect(await listCharges(simulator, cents(amount))).toHaveLength(1);
});

test("TIC-7: seats that others have taken cannot be held again; the rest can be chosen, and nothing is charged", {
  tag: "@long",
}, async ({ page, buyer, staff, rival, expected }) => {
  expected.push(/409/);
  const slug = await staff.plan({ vip: { capacity: 1 } });
  await buyer.openCheckout(slug, { vip: 1 });
  await buyer.fillBuyer();
  await staff.endHold(await buyer.heldOrder(), -1);
  await rival.hold(slug, { vip: 1 });
  await page.reload();
  await expect(buyer.heading("We couldn’t hold your seats", 2)).toBeFocused();
  await expectAccessible(page, "seats that others hold");
  await page.getByRole("region", { name: "We couldn’t hold your seats" }).getByRole("link").click();
  await expect(page.getByText("VIP Seat is no longer available")).toBeVisible();
  await buyer.choose({ standard: 1 });
  await buyer.button("Next").click();
  await buyer.seesHold();
  await expect(buyer.field("Email")).toHaveValue(buyer.email);
});

test("TIC-1, TIC-2: an event that is sold out or has ended says so, and offers nothing to book", {
  tag: "@long",
}, async ({ page, staff, rival }) => {
  const soldOut = await staff.plan({ vip: { capacity: 1 }, standard: { capacity: 2 } });
  await rival.hold(soldOut, { vip: 1, standard: 2 });
  const over = await staff.plan({ startsInDays: -2 });
  for (const [slug, text, none] of [
    [soldOut, "Sold out. Every seat is sold, or held", "No tickets are on sale at the moment."],
    [over, "This event has ended. Tickets are no longer on sale.", "This event has ended."],
  ] as const) {
    await page.goto(`/ticketAbout?event=${slug}`);
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByRole("link", { name: /Book/ })).toHaveCount(0);
    await expectAccessible(page, text);
    await page.goto(`/selectTickets?event=${slug}`);
    await expect(page.getByText(none)).toBeVisible();
    await expect(page.getByRole("button", { name: "Next" })).toHaveCount(0);
    await expectAccessible(page, `nothing to choose: ${text}`, ["light"]);
  }
});

test("TIC-2, LAY-5, LAY-12: tickets are chosen by keyboard alone, and a wrong choice is explained", {
  tag: "@long",
}, async ({ page, buyer, staff }) => {
  const slug = await staff.plan({ standard: { capacity: 3 } });
  await page.goto(`/selectTickets?event=${slug}`);
  const quantity = (title: string) => page.getByRole("textbox", { name: `${title} quantity` });
  await buyer.button("Next").press("Enter");
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toBeFocused();
  await expectAccessible(page, "a choice of no tickets");
  await summary.getByRole("link", { name: "Choose at least one ticket" }).press("Enter");
  await expect(quantity("VIP Seat")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(quantity("VIP Seat")).toHaveValue("1");
  await expect(summary).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(buyer.button("Add one VIP Seat")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(quantity("Standard Seat")).toBeFocused();
  await page.keyboard.type("1000");
  await page.keyboard.press("Tab");
  const text = "Only 3 Standard Seat tickets left";
  await expect(quantity("Standard Seat")).toHaveValue("1000");
  await expect(quantity("Standard Seat")).toHaveAccessibleDescription(`Error: ${text}`);
  await expect(page.getByRole("status").filter({ hasText: text })).toBeVisible();
  await expect(buyer.button("Next")).toHaveAttribute("aria-disabled", "true");
  await expect(buyer.button("Next")).toHaveAccessibleDescription(text);
  await expectAccessible(page, "more tickets than are left");
  await quantity("Standard Seat").press("Enter");
  await expect(summary.getByRole("link", { name: text })).toBeVisible();
  await quantity("Standard Seat").fill("3");
  await expect(quantity("Standard Seat")).toHaveAccessibleDescription(text);
  await expect(page.getByRole("status").filter({ hasText: "4 tickets $250.00" })).toBeVisible();
  await quantity("Standard Seat").press("Enter");
  await buyer.seesHold();
  await expect(buyer.order).toContainText("3 × Standard Seat");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  // Without JavaScript, Chromium reports the page's scripts as refused.
  test.beforeEach(({ expected }) => void expected.push(/\.js csp$/));

  test("TIC-2, TIC-3: the pages say how to book by telephone, and show nothing that does not work", async ({
    page,
  }) => {
    for (const [path, text] of [
      ["/selectTickets", "Booking on this page needs JavaScript"],
      ["/ticketsCheckout", "Paying on this page needs JavaScript"],
    ] as const) {
      await page.goto(path);
      // Playwright finds no text inside noscript.
      await expect(page.locator("noscript p")).toBeVisible();
      await expect(page.locator("noscript p")).toContainText(text);
      await expect(page.getByRole("main").getByRole("link", { name: "1300 000 000" })).toBeVisible();
      await expect(page.getByRole("main").getByRole("button").filter({ visible: true })).toHaveCount(0);
    }
  });
});
