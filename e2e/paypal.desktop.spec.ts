import { expect, listCharges, test } from "./journey.ts";
import { answerPayPal, routePayPal } from "./paypal.ts";

test("DON-19, DON-24: a fresh clone offers PayPal too; its code loads only at step 4, and its script once", {
  tag: "@long",
}, async ({ page, donor, simulator, amount }) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (/paypal/i.test(request.url()) && request.resourceType() === "script") scripts.push(request.url());
  });
  await donor.openAsGuest();
  await donor.goToPreview(amount, { method: "PayPal" });
  const totalCents = await donor.totalCents();
  expect(scripts).toEqual([]);
  await donor.solveCaptchaForPayPal();
  const loaded = [...scripts];
  expect(loaded.filter((url) => url.includes("paypal-sdk.js"))).toHaveLength(1);
  await donor.previous();
  await donor.onStep(3);
  await donor.next();
  await donor.onStep(4);
  await donor.solveCaptchaForPayPal();
  expect(scripts).toEqual(loaded);
  await answerPayPal(page, "Approve");
  await donor.seesSuccess();
  expect(await listCharges(simulator, totalCents)).toMatchObject([{ provider: "braintree" }]);
});

test("DON-16, DON-22: when PayPal stops responding after charging, the payment is confirmed after a reload and charged once", {
  tag: "@long",
}, async ({ page, donor, simulator, amount }) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount, { method: "PayPal" });
  const amountCents = await donor.totalCents();
  await simulator.installFault({ match: { amountCents }, do: "hang_after" });
  await donor.solveCaptchaForPayPal();
  await answerPayPal(page, "Approve");
  await donor.seesConfirming();
  await expect(page.getByText("PayPal hasn’t told us the outcome")).toBeVisible();
  await page.reload();
  await donor.seesSuccess();
  expect(await listCharges(simulator, amountCents)).toHaveLength(1);
});

test("DON-16, DON-17: a PayPal decline says that nothing was charged, and the card is one step away", {
  tag: "@long",
}, async ({ page, donor, simulator, amount, expected }) => {
  expected.push(/402/);
  await donor.openAsGuest();
  await donor.goToPreview(amount, { method: "PayPal" });
  const amountCents = await donor.totalCents();
  await simulator.installFault({ match: { amountCents }, do: "decline" });
  await donor.solveCaptchaForPayPal();
  await answerPayPal(page, "Approve");
  await donor.seesFailure();
  await expect(page.getByText("PayPal didn’t accept this payment.")).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await donor.onStep(4);
  await page.getByRole("button", { name: "choose another way to pay" }).click();
  await donor.onStep(3);
  await donor.chooseMethod("Credit card");
  await page.getByRole("button", { name: "Save and go back to Preview" }).click();
  await donor.onStep(4);
  const cardCents = await donor.totalCents();
  await donor.giveByCard();
  await donor.seesSuccess();
  expect(await listCharges(simulator, cardCents)).toHaveLength(1);
  expect(await listCharges(simulator, amountCents)).toHaveLength(0);
});

test("DON-20, DON-22: a second PayPal window cannot pay the same donation again", { tag: "@long" }, async ({
  page,
  context,
  donor,
  simulator,
  amount,
  expected,
}) => {
  // The second window may check before the payment has reached the server.
  expected.push(/404: GET .*\/api\/payments\//, /404.*\/api\/payments\//);
  await donor.openAsGuest();
  await donor.goToPreview(amount, { method: "PayPal" });
  const amountCents = await donor.totalCents();
  await simulator.installFault({ match: { amountCents, op: "charge" }, do: "slow", ms: 800 });
  await donor.solveCaptchaForPayPal();
  const other = await context.newPage();
  await other.goto("/donation");
  await expect(other.getByRole("textbox", { name: "First Name" })).toHaveValue("Amina");
  await page.bringToFront();
  await answerPayPal(page, "Approve");
  await expect(other.getByRole("heading", { level: 1, name: /confirming|Thank you/ })).toBeVisible();
  await donor.seesSuccess();
  await expect(other.getByRole("heading", { level: 1, name: "Thank you for your donation" })).toBeVisible();
  expect(await listCharges(simulator, amountCents)).toHaveLength(1);
});

test.describe("with Braintree's own scripts", () => {
  test.use({ site: "as-live" });
  test.beforeEach(({ page, simulator }) => routePayPal(page, simulator.url));

  for (const [what, address] of [
    ["Braintree's script", "https://js.braintreegateway.com/**/client.min.js"],
    ["PayPal's script", "https://www.paypal.com/sdk/js?*"],
  ] as const) {
    test(`DON-19: if something blocks ${what}, the page says so, and Try again loads it`, { tag: "@long" }, async ({
      page,
      donor,
      amount,
      expected,
    }) => {
      expected.push(/ERR_BLOCKED_BY_CLIENT/);
      await donor.openAsGuest();
      await donor.goToPreview(amount, { method: "PayPal" });
      await page.route(address, (route) => route.abort("blockedbyclient"), { times: 1 });
      await page.getByRole("checkbox").click();
      await expect(page.getByRole("alert").filter({ hasText: "PayPal didn’t load." })).toBeVisible();
      await expect(page.getByRole("button", { name: "Try again" })).toBeFocused();
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(donor.payPalButton).toBeVisible();
    });
  }

  test("DON-19: a missing token and a payment that cannot start have their own messages", {
    tag: "@long",
  }, async ({ page, donor, simulator, amount, expected }) => {
    expected.push(/429/, /422/);
    await donor.openAsGuest();
    await donor.goToPreview(amount, { method: "PayPal" });
    const totalCents = await donor.totalCents();
    const message = "PayPal is not available for a few minutes.";
    const refusal = { code: "429", status: "false", error: "provider_away", message, money: "untouched" };
    await page.route("**/api/generateToken", (route) => route.fulfill({ status: 429, json: refusal }), { times: 1 });
    await page.getByRole("checkbox").click();
    await expect(page.getByRole("alert").filter({ hasText: message })).toBeVisible();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(donor.payPalButton).toBeVisible();
    const headers = { "access-control-allow-origin": "*" };
    await page.route("**/create_payment_resource", (route) => route.fulfill({ status: 422, headers, json: {} }), {
      times: 1,
    });
    await donor.payPalButton.click();
    await expect(page.getByRole("alert").filter({ hasText: "PayPal couldn’t start this payment." })).toBeVisible();
    await page.getByRole("button", { name: "Try again" }).click();
    await answerPayPal(page, "Approve");
    await donor.seesSuccess();
    expect(await listCharges(simulator, totalCents)).toHaveLength(1);
  });

  test("DON-19: the page says that the browser blocked the window", { tag: "@long" }, async ({
    page,
    donor,
    amount,
  }) => {
    await donor.openAsGuest();
    await donor.goToPreview(amount, { method: "PayPal" });
    await donor.solveCaptchaForPayPal();
    await page.evaluate(() => {
      window.open = () => null;
    });
    await donor.payPalButton.click();
    await expect(page.getByRole("alert").filter({ hasText: "Please allow pop-ups" })).toBeVisible();
    await donor.onStep(4);
  });
});
