import { testCards } from "#simulators/control.ts";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, listCharges, test } from "./journey.ts";

test.use({ site: "as-live" });

test("DON-15, DON-16, DON-18: a card whose bank asks is charged once its page has confirmed", async ({
  page,
  donor,
  simulator,
  amount,
}) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const totalCents = await donor.totalCents();
  await donor.giveByCard({ ...testCards.approved, name: "3DS-C" });
  await expect(page.getByRole("heading", { name: "Your bank asks you to confirm" })).toBeFocused();
  await expect(donor.bank.getByRole("heading", { name: "Your bank asks: is this you?" })).toBeVisible();
  await expect(page.getByRole("button", { name: /Previous|^Change|^Donate/ })).toHaveCount(0);
  await expectAccessible(page, "the bank's question");
  await expectToFit(page, "the bank's question");
  expect(await listCharges(simulator, totalCents)).toHaveLength(0);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Your bank asks you to confirm" })).toBeVisible();
  await donor.bank.getByRole("button", { name: "Confirm" }).click();
  await donor.seesSuccess();
  expect(await listCharges(simulator, totalCents)).toHaveLength(1);
});
