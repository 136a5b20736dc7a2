import { expect, listCharges, listLetters, test } from "./journey.ts";

const PAY = "**/api/payway-payment";

test("DON-16, DON-17: a bank that never heard of the payment ends in a failure that charged nothing and lets one try again", async ({
  page,
  donor,
  simulator,
  amount,
}) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const amountCents = await donor.totalCents();
  await simulator.installFault({ match: { amountCents }, do: "hang_before", times: 2 });
  await donor.giveByCard();
  await donor.seesConfirming();
  await donor.seesFailure();
  await expect(page.getByText(/nothing was charged/i)).toBeVisible();
  expect(await listCharges(simulator, amountCents)).toHaveLength(0);
  await expect
    .poll(() => listLetters(page, donor.email).then(([letter]) => letter?.subject))
    .toContain("was not charged");
  await page.getByRole("button", { name: "Try again" }).click();
  await donor.onStep(4);
  await donor.giveByCard();
  await donor.seesSuccess();
  expect(await listCharges(simulator, amountCents)).toHaveLength(1);
});

test("DON-16, DON-22: a donation whose request is lost on the way is confirmed and sent again by its key", async ({
  page,
  donor,
  simulator,
  amount,
  expected,
}) => {
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

test("DON-16, DON-22: an answer that a proxy replaces by its own error page is confirmed, never called a failure", async ({
  page,
  donor,
  simulator,
  amount,
  expected,
}) => {
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

test("DON-22: a second press on Donate while the first is on its way charges once", async ({
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

test("DON-20, DON-22: a second tab shows the payment that the first one sent, and cannot pay again", async ({
  page,
  context,
  donor,
  simulator,
  amount,
  expected,
}) => {
  // The second tab may ask before the payment has reached the server.
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

test("DON-20, DON-22: Back, Forward and a reload after success never offer to pay again", async ({
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
