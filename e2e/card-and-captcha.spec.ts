import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./journey.ts";

const INCOMPLETE = "Please complete the reCAPTCHA verification";
const FAILED = "reCAPTCHA verification failed. Please try again.";
const EXPIRED = "reCAPTCHA verification expired. Please verify again.";

test("DON-14, LAY-7, LAY-11: paying without the captcha shows an error in a toast and beside the captcha", async ({
  page,
  donor,
  amount,
}) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  // Chromium reports what is `required` and empty as invalid, whoever has tried or not.
  await expect(page.getByRole("checkbox")).toHaveAttribute("aria-invalid", "false");
  await expect(donor.payButton).toHaveAccessibleDescription("Complete the verification above first.");
  await donor.pressWhenOff(donor.payButton);
  await donor.pressWhenOff(donor.payButton);
  await expect(page.getByRole("region", { name: "Notifications" }).getByText(INCOMPLETE)).toHaveCount(1);
  const captcha = page.getByRole("group", { name: "Verification" });
  await expect(captcha).toBeFocused();
  await expect(captcha).toContainText(INCOMPLETE);
  await expectAccessible(page, "step 4 without the captcha");
});

test("DON-14, LAY-9: a failed captcha shows our own alert, whose OK has focus, and an error beside the captcha", {
  tag: ["@once", "@long"],
}, async ({ page, donor, amount, expected }) => {
  expected.push(/\/api\/captcha/, /500/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await page.route("**/api/captcha*", (route) => route.fulfill({ status: 500, body: "no" }), { times: 1 });
  await page.getByRole("checkbox").click();
  const alert = page.getByRole("alertdialog", { name: FAILED });
  await expect(alert.getByRole("button", { name: "OK" })).toBeFocused();
  await expectAccessible(page, "the alert");
  await page.keyboard.press("Escape");
  await expect(alert).toHaveCount(0);
  await expect(page.getByRole("group", { name: "Verification" })).toContainText(FAILED);
  await expect(page.getByText("Try again later")).toBeHidden();
  await donor.giveByCard();
  await donor.seesSuccess();
});

test("DON-14, LAY-9: an expired captcha shows an error, keeps the rest of the form, and can be solved again", {
  tag: ["@once", "@long"],
}, async ({ page, donor, amount }) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await donor.solveCaptcha();
  await donor.typeCard();
  await page
    .locator("altcha-widget")
    .evaluate((widget) => widget.dispatchEvent(new CustomEvent("statechange", { detail: { state: "expired" } })));
  const alert = page.getByRole("alertdialog", { name: EXPIRED });
  await alert.getByRole("button", { name: "OK" }).click();
  await expect(page.getByRole("group", { name: "Verification" })).toContainText(EXPIRED);
  await expect(donor.payButton).toHaveAttribute("aria-disabled", "true");
  await expect(donor.frame.getByLabel("Card number")).not.toHaveValue("");
});

test("DON-14, DON-24: a card form that fails to load says so, and Try again loads it", {
  tag: ["@once", "@long"],
}, async ({ page, donor, amount, expected }) => {
  expected.push(/payway\.js/, /404/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await page.route("**/payway.js", (route) => route.fulfill({ status: 404, body: "" }), { times: 1 });
  await page.getByRole("checkbox").click();
  await expect(page.getByRole("alert").filter({ hasText: "The card form didn’t load." })).toBeVisible();
  await expect(page.getByRole("button", { name: "choose another way to pay" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toBeFocused();
  await expectAccessible(page, "a card form that did not load");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("group", { name: "Card details, provided by PayWay" })).toBeFocused();
  await donor.typeCard();
});

test("DON-16: an error beside the button says that the bank cannot read the card details, and nothing is sent", {
  tag: ["@once", "@long"],
}, async ({ page, donor, amount, expected }) => {
  expected.push(/422/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await donor.solveCaptcha();
  await donor.typeCard();
  const refusal = { data: [{ fieldName: "cardNumber", message: "Enter another card" }] };
  await page.route("**/single-use-tokens", (route) => route.fulfill({ status: 422, json: refusal }), { times: 1 });
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/payway-payment")) sent += 1;
  });
  await donor.donate();
  await expect(page.getByRole("alert").filter({ hasText: "Nothing was charged." })).toBeFocused();
  await expect(donor.payButton).toBeVisible();
  expect(sent).toBe(0);
  await donor.donate();
  await donor.seesSuccess();
});

test("DON-24: leaving step 4 removes the card form and what was typed in it", { tag: ["@once", "@long"] }, async ({
  page,
  donor,
  amount,
}) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await donor.solveCaptcha();
  await donor.typeCard();
  await donor.previous();
  await donor.onStep(3);
  await expect(page.locator("iframe")).toHaveCount(0);
  await donor.next();
  await donor.onStep(4);
  await expect(page.locator("iframe")).toHaveCount(0);
  await expect(page.getByRole("checkbox")).not.toBeChecked();
  await donor.solveCaptcha();
  await expect(donor.frame.getByLabel("Card number")).toHaveValue("");
});
