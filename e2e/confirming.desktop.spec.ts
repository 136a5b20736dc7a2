import { expect, listCharges, listEmails, test } from "./journey.ts";

const PAY = "**/api/payway-payment";

test("DON-16, DON-17: a payment that never reached the bank fails, charges nothing and can be tried again", {
  tag: "@long",
}, async ({ page, donor, simulator, amount }) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const amountCents = await donor.totalCents();
  await simulator.installFault({ match: { amountCents }, do: "hang_before", times: 2 });
  await donor.giveByCard();
  await donor.seesConfirming();
  await donor.seesFailure();
  await expect(page.getByText(/nothing was charged/i)).toBeVisible();
  expect(await listCharges(simulator, amountCents)).toHaveLength(0);
  await expect.poll(() => listEmails(page, donor.email).then(([email]) => email?.subject)).toContain("was not charged");
  await page.getByRole("button", { name: "Try again" }).click();
  await donor.onStep(4);
  await donor.giveByCard();
  await donor.seesSuccess();
  expect(await listCharges(simulator, amountCents)).toHaveLength(1);
});

test("DON-16, DON-22: a donation whose request is lost is looked up and sent again with its key", {
  tag: "@long",
}, async ({ page, donor, simulator, amount, expected }) => {
  expected.push(/ERR_CONNECTION_RESET/, /status 404: GET .*\/api\/payments\//, /404.*\/api\/payments\//);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const amountCents = await donor.totalCents();
  await page.route(PAY, (route) => route.abort("connectionreset"), { times: 1 });
  await donor.giveByCard();
  await donor.seesConfirming();
  await donor.seesSuccess();
  expect(await listCharges(simulator, amountCents)).toHaveLength(1);
});

test("DON-16, DON-22: when a proxy replaces the answer with its own error page, the payment is confirmed and never called a failure", {
  tag: "@long",
}, async ({ page, donor, simulator, amount, expected }) => {
  expected.push(/502/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const amountCents = await donor.totalCents();
  await page.route(
    PAY,
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" });
    },
    { times: 1 },
  );
  await donor.giveByCard();
  await donor.seesConfirming();
  await donor.seesSuccess();
  expect(await listCharges(simulator, amountCents)).toHaveLength(1);
});

test("DON-22: pressing Donate again before the answer charges once", { tag: "@long" }, async ({
  donor,
  simulator,
  amount,
}) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const amountCents = await donor.totalCents();
  await simulator.installFault({ match: { amountCents }, do: "slow", ms: 800 });
  await donor.solveCaptcha();
  await donor.typeCard();
  await donor.payButton.dblclick();
  await donor.seesSuccess();
  expect(await listCharges(simulator, amountCents)).toHaveLength(1);
});

test("DON-20, DON-22: a second tab shows the payment from the first, and cannot pay again", {
  tag: "@long",
}, async ({ page, context, donor, simulator, amount, expected }) => {
  // The second tab may check before the payment has reached the server.
  expected.push(/404: GET .*\/api\/payments\//, /404.*\/api\/payments\//);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const amountCents = await donor.totalCents();
  await simulator.installFault({ match: { amountCents }, do: "slow", ms: 1000 });
  const other = await context.newPage();
  await other.goto("/donation");
  await expect(other.getByRole("textbox", { name: "First Name" })).toHaveValue("Amina");
  await page.bringToFront();
  await donor.giveByCard();
  await expect(other.getByRole("heading", { level: 1, name: /confirming|Thank you/ })).toBeVisible();
  await donor.seesSuccess();
  await expect(other.getByRole("heading", { level: 1, name: "Thank you for your donation" })).toBeVisible();
  expect(await listCharges(simulator, amountCents)).toHaveLength(1);
});

test("DON-20, DON-22: Back, Forward and a reload after success never offer to pay again", { tag: "@long" }, async ({
  page,
  donor,
  simulator,
  amount,
}) => {
  await page.goto("/contact");
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const amountCents = await donor.totalCents();
  await donor.giveByCard();
  await donor.seesSuccess();
  await page.reload();
  await donor.seesSuccess();
  await page.goBack();
  await expect(page).toHaveURL("/contact");
  await page.goForward();
  await donor.seesSuccess();
  await expect(donor.payButton).toHaveCount(0);
  const draft = () => page.evaluate(() => localStorage.getItem("donation-draft") ?? "");
  await expect.poll(draft).not.toContain('"payment"');
  expect(await listCharges(simulator, amountCents)).toHaveLength(1);
});
