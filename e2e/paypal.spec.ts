import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, listCharges, listEmails, test } from "./journey.ts";
import { answerPayPal, routePayPal } from "./paypal.ts";

// It uses Braintree's and PayPal's real script addresses, under the policy of live sites.
test.use({ site: "as-live" });
test.beforeEach(({ page, simulator }) => routePayPal(page, simulator.url));

test("DON-13, DON-14, DON-19, DON-21, LAY-9: a guest pays by PayPal, but not before the captcha", async ({
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
  const emails = () => listEmails(page, donor.email);
  await expect.poll(() => emails().then(([email]) => email?.attachments.length)).toBe(1);
});

test("DON-19, DON-22: cancelling, an error and a closed window each show a message beside Try again, and the donation is charged once", {
  tag: ["@once", "@long"],
}, async ({ page, donor, simulator, amount }) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount, { method: "PayPal" });
  const totalCents = await donor.totalCents();
  await donor.solveCaptchaForPayPal();
  for (const [choice, sentence] of [
    ["Cancel", "You left PayPal before approving the payment. Nothing was charged."],
    ["Error", "PayPal couldn’t continue this payment."],
    ["close", "You left PayPal before approving the payment. Nothing was charged."],
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

test("DON-13, DON-16: while cards are unavailable PayPal is offered, at the pay button and at step 3", {
  tag: ["@once", "@long"],
}, async ({ page, donor, simulator, amount, expected }) => {
  expected.push(/429/);
  const text = "Card payments aren’t available at the moment. You can pay by PayPal.";
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await donor.solveCaptcha();
  await donor.typeCard();
  // The provider goes down now; server tests show the real answers.
  const away = { code: "429", status: "false", error: "provider_away", message: text, money: "untouched" };
  await page.route("**/api/payway-payment", (route) => route.fulfill({ status: 429, json: away }));
  await page.route("**/api/checkout", async (route) => {
    const answer = await route.fetch();
    const json = await answer.json();
    Object.assign(json.data.payway, { isAvailable: false, message: text });
    await route.fulfill({ json });
  });
  await donor.donate();
  await expect(page.getByRole("alert").filter({ hasText: text })).toBeFocused();
  await expect(donor.payButton).toHaveCount(0);
  await expectAccessible(page, "step 4 while cards are unavailable");
  await page.getByRole("button", { name: "Change payment method", exact: true }).click();
  await donor.onStep(3);
  const save = page.getByRole("button", { name: "Save and go back to Preview" });
  await expect(save).toHaveAccessibleDescription("Choose PayPal to continue.");
  await expect(page.getByRole("radio", { name: /^Credit card/ })).toHaveAccessibleDescription(text);
  await expectAccessible(page, "step 3 while cards are unavailable");
  await donor.chooseMethod("PayPal");
  await save.click();
  await donor.onStep(4);
  const totalCents = await donor.totalCents();
  await donor.solveCaptchaForPayPal();
  await answerPayPal(page, "Approve");
  await donor.seesSuccess();
  expect(await listCharges(simulator, totalCents)).toHaveLength(1);
});
