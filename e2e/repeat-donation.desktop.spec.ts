import { expectAccessible } from "./accessible.ts";
import { expect, listCharges, test } from "./journey.ts";

test("DON-30: repeating a donation asks for confirmation before it is charged", {
  tag: "@long",
}, async ({ page, donor, simulator, amount, expected }) => {
  expected.push(/409: POST .*\/api\/payway-payment/, /409.*\/api\/payway-payment/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const amountCents = await donor.totalCents();
  await donor.giveByCard();
  await donor.seesSuccess();
  await page.getByRole("button", { name: "Make another donation" }).click();
  await donor.goToPreview(amount);
  await donor.giveByCard();
  const refusal = page
    .getByRole("alert")
    .filter({ hasText: /You gave this \d+ seconds? ago: .* by card\. Nothing more was charged\./ });
  await expect(refusal).toBeFocused();
  await expect(refusal.getByRole("button", { name: "See that donation" })).toBeVisible();
  await expectAccessible(page, "a repeated donation");
  expect(await listCharges(simulator, amountCents)).toHaveLength(1);
  await refusal.getByRole("button", { name: "Give it again" }).click();
  await donor.seesSuccess();
  expect(await listCharges(simulator, amountCents)).toHaveLength(2);
});
