import { testCards } from "#simulators/control.ts";
import { expect, listCharges, test } from "./journey.ts";

test.use({ site: "as-live" });

const asked = { ...testCards.approved, name: "3DS-C" };
const QUESTION = "Your bank asks you to confirm";

test("DON-17, DON-18: a card whose bank refuses is not charged, and another one is", { tag: "@long" }, async ({
  page,
  donor,
  simulator,
  amount,
  expected,
}) => {
  expected.push(/402/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const totalCents = await donor.totalCents();
  await donor.giveByCard(asked);
  await donor.bank.getByRole("button", { name: "Refuse" }).click();
  await donor.seesFailure();
  await expect(page.getByText(/nothing was charged/i)).toBeVisible();
  expect(await listCharges(simulator, totalCents)).toHaveLength(0);
  await page.getByRole("button", { name: "Try again" }).click();
  await donor.onStep(4);
  await donor.giveByCard({ ...testCards.mastercard, name: "3DS-N" });
  await donor.seesFailure();
  await page.getByRole("button", { name: "Try again" }).click();
  await donor.onStep(4);
  await donor.giveByCard({ ...testCards.mastercard, name: "3DS-Y" });
  await donor.seesSuccess();
  expect(await listCharges(simulator, totalCents)).toHaveLength(1);
});

test("DON-18: a broken bank page can be cancelled, and nothing is charged", { tag: "@long" }, async ({
  page,
  donor,
  simulator,
  amount,
  expected,
}) => {
  expected.push(/402/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const totalCents = await donor.totalCents();
  await donor.giveByCard(asked);
  await donor.bank.getByRole("button", { name: "Break (error)" }).click();
  await expect(page.getByRole("heading", { name: QUESTION })).toBeVisible();
  await page.getByRole("button", { name: "Cancel payment" }).click();
  await donor.seesFailure();
  await expect(page.getByText("You cancelled this payment.")).toBeVisible();
  await expect(page.getByText("Nothing was charged.")).toBeVisible();
  expect(await listCharges(simulator, totalCents)).toHaveLength(0);
});

test("DON-18, DON-20: a reload abandons the payment and keeps the cart; a second window leaves it alone", {
  tag: "@long",
}, async ({ page, context, donor, simulator, amount, expected }) => {
  expected.push(/402/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const totalCents = await donor.totalCents();
  await donor.giveByCard(asked);
  await expect(page.getByRole("heading", { name: QUESTION })).toBeFocused();
  const other = await context.newPage();
  const looked = other.waitForResponse((response) => response.url().includes("/api/payments/"));
  await other.goto("/donation");
  await looked;
  await expect(other.getByText("We are confirming your payment. Please do not pay again")).toBeVisible();
  await other.close();
  await expect(page.getByRole("heading", { name: QUESTION })).toBeVisible();
  await page.reload();
  await donor.seesFailure();
  await expect(page.getByText("this payment wasn’t completed.")).toBeVisible();
  await expect(page.getByText("Nothing was charged.")).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await donor.onStep(4);
  await page.getByText("Your donation:").click();
  await expect(donor.cart).toContainText("Zakat");
  expect(await listCharges(simulator, totalCents)).toHaveLength(0);
});

test("DON-18: a forged message that the bank confirmed is not believed", { tag: "@long" }, async ({
  page,
  donor,
  simulator,
  amount,
  expected,
}) => {
  expected.push(/402/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const totalCents = await donor.totalCents();
  await donor.giveByCard(asked);
  await expect(donor.bank.getByRole("button", { name: "Confirm" })).toBeVisible();
  const bank = page.frame({ url: /challenge-iframe/ })!;
  await bank.evaluate(() =>
    parent.postMessage(
      JSON.stringify({ app: "payway", frameType: "challenge", type: "challenge-response", transStatus: "Y" }),
      "*",
    ),
  );
  await expect(
    page.getByRole("alert").filter({ hasText: "Your bank hasn’t confirmed this payment yet." }),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toBeFocused();
  expect(await listCharges(simulator, totalCents)).toHaveLength(0);
  await page.getByRole("button", { name: "Try again" }).click();
  await donor.bank.getByRole("button", { name: "Confirm" }).click();
  await donor.seesSuccess();
  expect(await listCharges(simulator, totalCents)).toHaveLength(1);
});
