import type { Locator } from "@playwright/test";
import { testCards } from "#simulators/control.ts";
import { expectAccessible } from "./accessible.ts";
import { expect, listCharges, listEmails, test } from "./journey.ts";
import { lettersOf, readPdf } from "./receipt-text.ts";

test("DON-1, DON-7, DON-15, DON-21, LAY-14, LOG-3, NAV-6: a guest donates from the home page and downloads the receipt", {
  tag: "@phone",
}, async ({ page, donor, simulator, amount }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Donate", exact: true }).first().click();
  await expect(page).toHaveURL("/login?return=%2Fdonation");
  const asGuest = page.getByRole("link", { name: "Continue As a Guest User" });
  await expect(asGuest).toBeInViewport();
  await expectOrder(asGuest, page.getByRole("button", { name: "Log in", exact: true }));
  await asGuest.click();
  await donor.onStep(1);
  await expectAccessible(page, "step 1");
  await donor.fillPersonal({ firstName: "Amina", lastName: "Raza" });
  await donor.next();
  await donor.onStep(2);
  const previous = page.getByRole("button", { name: "Previous" });
  await expectAbove(page.getByRole("button", { name: "Next" }), previous);
  await donor.addLine({ category: "Qurban", kind: "Goat", quantity: 2, names: ["آمنہ رضا", "Yusuf Raza"] });
  await donor.addLine({ category: "Zakat", amount });
  await donor.addLine({ category: "Dastarkhwan", quantity: 3, amount: "5.50" });
  await expect(donor.cart.getByRole("row", { name: /Qurban.*آمنہ رضا, Yusuf Raza.*\$380\.00/ })).toBeVisible();
  await expectAccessible(page, "step 2 with a cart");
  await donor.next();
  await donor.onStep(3);
  await expectAccessible(page, "step 3");
  await donor.next();
  await donor.onStep(4);
  await expect(page.getByText("You have not been charged yet.")).toBeVisible();
  await expectAccessible(page, "step 4");
  await donor.solveCaptcha();
  await donor.typeCard();
  await expectAccessible(page, "step 4 with the card form");
  const totalCents = await donor.totalCents();
  await donor.donate();
  await donor.seesSuccess();
  await expectAccessible(page, "success");

  const link = page.getByRole("link", { name: /Download your receipt/ });
  await expectOrder(link, page.getByRole("button", { name: "Print this page" }));
  const file = await page.request.get((await link.getAttribute("href"))!);
  expect(file.headers()["content-type"]).toBe("application/pdf");
  const text = await readPdf(await file.body());
  const total = dollars(totalCents);
  for (const part of [
    "Amina Raza",
    "ABN 99 000 000 000",
    "This receipt is for a gift",
    "This line is not a tax-deductible gift.",
    "Qurban",
    "$380.00",
    "Zakat",
    dollars(Math.round(Number(amount) * 100)),
    "Dastarkhwan",
    "$16.50",
    "Yusuf Raza",
    `Total paid (AUD): ${total}`,
  ]) {
    expect(text, `the receipt says ${part}`).toContain(part);
  }
  // The PDF's words are read from left to right, so the surname comes first.
  expect(lettersOf(text)).toContain("رضاآمنہ");

  await expect.poll(() => listEmails(page, donor.email).then(([email]) => email?.text)).toContain(total);
  const [receipt] = await listEmails(page, donor.email);
  expect(receipt?.attachments.map(({ filename }) => filename)).toEqual([expect.stringMatching(/^receipt-.*\.pdf$/)]);
  const toOrganisation = () => listEmails(page, "donations@chashma.example");
  await expect
    .poll(() => toOrganisation().then((emails) => emails.some(({ text }) => text.includes(donor.email))))
    .toBe(true);
  expect(await listCharges(simulator, totalCents)).toHaveLength(1);
});

test("DON-14, DON-16, DON-17: a declined card says that nothing was charged, and trying again keeps the cart", {
  tag: ["@once", "@long"],
}, async ({ page, donor, simulator, amount, expected }) => {
  expected.push(/402/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const totalCents = await donor.totalCents();
  await donor.giveByCard(testCards.declined);
  await donor.seesFailure();
  await expect(page.getByText(/nothing was charged/i)).toBeVisible();
  await expectAccessible(page, "failure");
  expect(await listCharges(simulator, totalCents)).toHaveLength(0);

  await page.getByRole("button", { name: "Try again" }).click();
  await donor.onStep(4);
  await page.getByText("Your donation:").click();
  await expect(donor.cart).toContainText("Zakat");
  expect(await donor.totalCents()).toBe(totalCents);
  await expect(page.getByRole("checkbox")).not.toBeChecked();
  await donor.giveByCard(testCards.approved);
  await donor.seesSuccess();
  expect(await listCharges(simulator, totalCents)).toHaveLength(1);
});

test("DON-16, DON-20, DON-22: when the bank stops responding after charging, the payment is confirmed, even after a reload, and charged once", async ({
  page,
  donor,
  simulator,
  amount,
}) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const amountCents = await donor.totalCents();
  await simulator.installFault({ match: { amountCents }, do: "hang_after" });
  await donor.giveByCard();
  await donor.seesConfirming();
  await expect(page.getByRole("button", { name: /donate|try again|previous/i })).toHaveCount(0);
  await page.reload();
  await donor.seesConfirming();
  await expect(donor.cart).toHaveCount(0);
  await expectAccessible(page, "confirming");
  await donor.seesSuccess();
  expect(await listCharges(simulator, amountCents)).toHaveLength(1);
});

/** One below the other or side by side, and in the same order for the Tab key. */
async function expectOrder(first: Locator, second: Locator) {
  await expectAbove(first, second);
  const other = await second.elementHandle();
  const follows = first.evaluate((element, next) => element.compareDocumentPosition(next!) & 4, other);
  expect(await follows).toBe(4);
}

async function expectAbove(first: Locator, second: Locator) {
  const [upper, lower] = [await first.boundingBox(), await second.boundingBox()];
  expect(upper!.y).toBeLessThanOrEqual(lower!.y);
}

function dollars(cents: number): string {
  return (cents / 100).toLocaleString("en-AU", { style: "currency", currency: "AUD" });
}
