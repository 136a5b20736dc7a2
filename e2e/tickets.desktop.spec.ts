import { expectAccessible } from "./accessible.ts";
import { expect, listCharges, listLetters } from "./journey.ts";
import { answerPayPal, routePayPal } from "./paypal.ts";
import { test } from "./ticket-buyer.ts";

// Events of their own, which would show among the pages that other journeys look at.
test.use({ site: "as-live" });

const cents = (amount: string) => Math.round(Number(amount) * 100);

test("TIC-5, TIC-6: PayPal takes the place of the card form, which begins anew once Card is chosen again; PayPal pays", async ({
  page,
  buyer,
  office,
  simulator,
  amount,
}) => {
  const slug = await office.plan({ vip: { price_cents: cents(amount) } });
  await buyer.openCheckout(slug, { vip: 1 });
  // Not sooner: with routes the browser keeps no files, and gives up changing softly from page to page, with an error.
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

test("TIC-7: seats that others took while the payment was on its way: all of it goes back, and the page and a letter say so", async ({
  page,
  buyer,
  office,
  rival,
  simulator,
  amount,
}) => {
  const slug = await office.plan({ vip: { price_cents: cents(amount), capacity: 1 } });
  await simulator.installFault({ match: { amountCents: cents(amount) }, do: "hang_after", times: 1 });
  await buyer.openCheckout(slug, { vip: 1 });
  await buyer.fillBuyer();
  const order = await buyer.heldOrder();
  await buyer.payByCard();
  await office.untilPaying(order);
  await office.endHold(order, -1);
  await rival.hold(slug, { vip: 1 });
  await expect(buyer.heading("Your payment goes back to you")).toBeFocused({ timeout: 30_000 });
  await expect(page.getByRole("alert")).toHaveText(/^Your seats were gone by the time your payment arrived/);
  await expect(page.getByText(`Your $${amount} goes back to you in full.`)).toBeVisible();
  await expectAccessible(page, "a payment that goes back");
  await expect.poll(() => listCharges(simulator, cents(amount))).toHaveLength(0);
  await expect.poll(() => listLetters(page, buyer.email).then((letters) => letters.length)).toBeGreaterThan(0);
  await page.reload();
  await expect(buyer.heading("Your payment goes back to you")).toBeVisible();
  await page.getByRole("link", { name: "See which tickets are left" }).click();
  await expect(page.getByText("Sold out", { exact: true })).toBeVisible();
});

test("TIC-6, TIC-7: a hold that lapses before one pays is said, and held again nothing that was typed is lost", async ({
  page,
  buyer,
  office,
  simulator,
  amount,
}) => {
  const slug = await office.plan({ vip: { price_cents: cents(amount), capacity: 1 } });
  await buyer.openCheckout(slug, { vip: 1 });
  await buyer.fillBuyer();
  const first = await buyer.heldOrder();
  await office.endHold(first, 6);
  await page.reload();
  await expect(buyer.button("I need more time")).toBeVisible();
  await expectAccessible(page, "the last minutes of a hold");
  await expect(buyer.heading("Your seats are not held any more", 2)).toBeFocused();
  await expect(buyer.payButton).toHaveAccessibleDescription("Hold your seats again above to pay.");
  await expectAccessible(page, "a hold that has lapsed");
  await buyer.button("Hold the seats again").press("Enter");
  await buyer.seesHold();
  await expect(buyer.heading("Your details", 2)).toBeFocused();
  expect((await buyer.heldOrder()).id).not.toBe(first.id);
  await expect(buyer.field("Email")).toHaveValue(buyer.email);
  await expect(buyer.field("Last Name")).toHaveValue("Raza");

  // Time passes once more, now while the bank takes its time; nobody else wants the seat.
  await simulator.installFault({ match: { amountCents: cents(amount) }, do: "slow", ms: 1000, times: 1 });
  const second = await buyer.heldOrder();
  await buyer.payByCard();
  await office.untilPaying(second);
  await office.endHold(second, -1);
  await buyer.seesBooked();
  expect(await listCharges(simulator, cents(amount))).toHaveLength(1);
});

test("TIC-7: seats that others hold by then cannot be held again; what is left can be chosen, and nothing was charged", async ({
  page,
  buyer,
  office,
  rival,
  expected,
}) => {
  expected.push(/409/);
  const slug = await office.plan({ vip: { capacity: 1 } });
  await buyer.openCheckout(slug, { vip: 1 });
  await buyer.fillBuyer();
  await office.endHold(await buyer.heldOrder(), -1);
  await rival.hold(slug, { vip: 1 });
  await page.reload();
  await expect(buyer.heading("Your seats could not be held", 2)).toBeFocused();
  await expectAccessible(page, "seats that others hold");
  await page.getByRole("region", { name: "Your seats could not be held" }).getByRole("link").click();
  await expect(page.getByText("VIP Seat can no longer be chosen.")).toBeVisible();
  await buyer.choose({ standard: 1 });
  await buyer.button("Next").click();
  await buyer.seesHold();
  await expect(buyer.field("Email")).toHaveValue(buyer.email);
});

test("TIC-1, TIC-2: an event that is sold out or over says so, and offers nothing to book", async ({
  page,
  office,
  rival,
}) => {
  const soldOut = await office.plan({ vip: { capacity: 1 }, standard: { capacity: 2 } });
  await rival.hold(soldOut, { vip: 1, standard: 2 });
  const over = await office.plan({ startsInDays: -2 });
  for (const [slug, says] of [
    [soldOut, "Sold out. Every seat is sold, or held"],
    [over, "This event is over. Its tickets are no longer sold."],
  ] as const) {
    await page.goto(`/ticketAbout?event=${slug}`);
    await expect(page.getByText(says)).toBeVisible();
    await expect(page.getByRole("link", { name: /Book/ })).toHaveCount(0);
    await expectAccessible(page, says);
    await page.goto(`/selectTickets?event=${slug}`);
    await expect(page.getByText("There are no tickets to choose from just now.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Next" })).toHaveCount(0);
    await expectAccessible(page, `nothing to choose: ${says}`, ["light"]);
  }
});

test("TIC-2, LAY-5, LAY-12: tickets are chosen with the keyboard alone, and what cannot be chosen is said", async ({
  page,
  buyer,
  office,
}) => {
  const slug = await office.plan({ standard: { capacity: 3 } });
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
  const says = "Only 3 Standard Seat tickets left";
  await expect(quantity("Standard Seat")).toHaveValue("1000");
  await expect(quantity("Standard Seat")).toHaveAccessibleDescription(`Error: ${says}`);
  await expect(page.getByRole("status").filter({ hasText: says })).toBeVisible();
  await expect(buyer.button("Next")).toHaveAttribute("aria-disabled", "true");
  await expect(buyer.button("Next")).toHaveAccessibleDescription(says);
  await expectAccessible(page, "more tickets than are left");
  await quantity("Standard Seat").press("Enter");
  await expect(summary.getByRole("link", { name: says })).toBeVisible();
  await quantity("Standard Seat").fill("3");
  await expect(quantity("Standard Seat")).toHaveAccessibleDescription(says);
  await expect(page.getByRole("status").filter({ hasText: "4 tickets $250.00" })).toBeVisible();
  await quantity("Standard Seat").press("Enter");
  await buyer.seesHold();
  await expect(buyer.order).toContainText("3 × Standard Seat");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  // A browser without JavaScript refuses the scripts that the page names.
  test.beforeEach(({ expected }) => void expected.push(/\.js csp$/));

  test("TIC-2, TIC-3: choosing and paying say how to book by telephone, and show nothing that does not work", async ({
    page,
  }) => {
    for (const [path, says] of [
      ["/selectTickets", "Booking on this page needs JavaScript"],
      ["/ticketsCheckout", "Paying on this page needs JavaScript"],
    ] as const) {
      await page.goto(path);
      // Words inside noscript are not found by themselves.
      await expect(page.locator("noscript p")).toBeVisible();
      await expect(page.locator("noscript p")).toContainText(says);
      await expect(page.getByRole("main").getByRole("link", { name: "1300 000 000" })).toBeVisible();
      await expect(page.getByRole("main").getByRole("button").filter({ visible: true })).toHaveCount(0);
    }
  });
});
