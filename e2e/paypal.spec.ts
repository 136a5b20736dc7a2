import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, listCharges, listLetters, test } from "./journey.ts";
import { answerPayPal, routePayPal } from "./paypal.ts";

// Braintree's and PayPal's own script addresses, under the policy of live sites.
test.use({ site: "as-live" });
test.beforeEach(({ page, simulator }) => routePayPal(page, simulator.url));

test("DON-13, DON-14, DON-19, DON-21, LAY-9: a guest gives by PayPal, after the captcha and not before", async ({
  page,
  donor,
  simulator,
  amount,
}) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount, { method: "PayPal" });
  const totalCents = await donor.totalCents();
  await expect(page.getByRole("region", { name: "Total to pay" })).toContainText("Merchant fee (3%)");
  await donor.pressWhenOff(donor.payButton);
  const alert = page.getByRole("alertdialog", { name: "Please complete the reCAPTCHA verification" });
  await alert.getByRole("button", { name: "OK" }).click();
  const captcha = page.getByRole("group", { name: "Verification" });
  await expect(captcha).toBeFocused();
  await expect(captcha).toContainText("Please complete the reCAPTCHA verification");
  await expectAccessible(page, "step 4 with PayPal, without the captcha");
  await donor.solveCaptchaForPayPal();
  await expectAccessible(page, "step 4 with PayPal's button");
  await expectToFit(page, "step 4 with PayPal's button");
  await answerPayPal(page, "Approve");
  await donor.seesSuccess();
  expect(await listCharges(simulator, totalCents)).toMatchObject([{ provider: "braintree" }]);
  const letters = () => listLetters(page, donor.email);
  await expect.poll(() => letters().then(([letter]) => letter?.attachments.length)).toBe(1);
});

test("DON-19, DON-22: cancel, an error and a closed window each say so beside Try again, and the gift is charged once", {
  tag: "@once",
}, async ({ page, donor, simulator, amount }) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount, { method: "PayPal" });
  const totalCents = await donor.totalCents();
  await donor.solveCaptchaForPayPal();
  for (const [choice, sentence] of [
    ["Cancel", "You left PayPal before you approved the payment. Nothing was charged."],
    ["Error", "PayPal could not go on with this payment."],
    ["close", "You left PayPal before you approved the payment. Nothing was charged."],
  ] as const) {
    await answerPayPal(page, choice);
    await expect(page.getByRole("alert").filter({ hasText: sentence })).toBeVisible();
    await expect(page.getByRole("button", { name: "Try again" })).toBeFocused();
    if (choice === "Cancel") await expectAccessible(page, "PayPal, cancelled");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(donor.payPalButton).toBeVisible();
  }
  await answerPayPal(page, "Approve");
  await donor.seesSuccess();
  expect(await listCharges(simulator, totalCents)).toHaveLength(1);
});

test("DON-13, DON-16: while cards are away PayPal is offered, at the pay button and at step 3", {
  tag: "@once",
}, async ({ page, donor, simulator, amount, expected }) => {
  expected.push(/429/);
  const says = "Card payments are not available at the moment. You can pay by PayPal.";
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await donor.solveCaptcha();
  await donor.typeCard();
  // The provider goes away now: what the server then answers is shown by its own tests.
  const away = { code: "429", status: "false", error: "provider_away", message: says, money: "untouched" };
  await page.route("**/api/payway-payment", (route) => route.fulfill({ status: 429, json: away }));
  await page.route("**/api/checkout", async (route) => {
    const answer = await route.fetch();
    const json = await answer.json();
    Object.assign(json.data.payway, { isAvailable: false, message: says });
    await route.fulfill({ json });
  });
  await donor.donate();
  await expect(page.getByRole("alert").filter({ hasText: says })).toBeFocused();
  await expect(donor.payButton).toHaveCount(0);
  await expectAccessible(page, "step 4 while cards are away");
  await page.getByRole("button", { name: "Change payment method", exact: true }).click();
  await donor.onStep(3);
  const save = page.getByRole("button", { name: "Save and go back to Preview" });
  await expect(save).toHaveAccessibleDescription("Choose PayPal to go on.");
  await expect(page.getByRole("radio", { name: /^Credit card/ })).toHaveAccessibleDescription(says);
  await expectAccessible(page, "step 3 while cards are away");
  await donor.chooseMethod("PayPal");
  await save.click();
  await donor.onStep(4);
  const totalCents = await donor.totalCents();
  await donor.solveCaptchaForPayPal();
  await answerPayPal(page, "Approve");
  await donor.seesSuccess();
  expect(await listCharges(simulator, totalCents)).toHaveLength(1);
});
