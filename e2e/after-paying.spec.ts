import { testCards } from "#simulators/control.ts";
import { expectAccessible } from "./accessible.ts";
import { expect } from "./journey.ts";
import { test } from "./ticket-buyer.ts";

test("DON-28: after paying, Back leaves the donation, the offered account has the details filled in, and Donate begins another", {
  tag: "@long",
}, async ({ page, donor, amount }) => {
  await page.goto("/contact");
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await donor.giveByCard();
  await donor.seesSuccess();
  await expect(page.getByRole("heading", { name: "Donate by bank deposit" })).toHaveCount(0);
  await expectAccessible(page, "thanks");
  await page.goBack();
  await expect(page).toHaveURL("/contact");
  await page.goForward();
  await donor.seesSuccess();
  await page.reload();
  await donor.seesSuccess();
  await page.getByRole("region", { name: "Result" }).getByRole("link", { name: "Create an account" }).click();
  await expect(page).toHaveURL("/register");
  await expect(page.getByRole("main").getByRole("textbox", { name: "Email" })).toHaveValue(donor.email);
  await page.goBack();
  await donor.seesSuccess();
  await page.getByRole("banner").getByRole("link", { name: "Donate", exact: true }).click();
  await donor.onStep(1);
});

test("DON-29: after a decline, 'Try again' goes to the card with the reason in view, and the summary is folded", {
  tag: "@long",
}, async ({ page, donor, amount, expected }) => {
  expected.push(/402/);
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  const answers = page.locator("details.check-answers");
  await expect(answers).toHaveAttribute("open");
  await donor.giveByCard(testCards.declined);
  await donor.seesFailure();
  await page.getByRole("button", { name: "Try again" }).click();
  const reason = page.getByRole("region", { name: "Your last payment" });
  await expect(reason).toBeFocused();
  await expect(reason).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("checkbox")).toBeInViewport();
  await expect(answers).not.toHaveAttribute("open");
  await expect(answers.locator("summary")).toContainText("$");
  await expectAccessible(page, "another try");
});

test("DON-28, TIC-9: the countdown of held seats stays in view and hides no field; after paying, Back shows no old choice", {
  tag: "@phone",
}, async ({ page, buyer, staff, isMobile }) => {
  const slug = await staff.plan();
  await buyer.openCheckout(slug, { standard: 2 });
  await buyer.fillBuyer();
  await expect(buyer.payButton).toBeVisible();
  // Folded only on phones.
  if (isMobile) await page.getByText("Add a phone number or address (optional)").click();
  for (const name of ["Email", "Phone (optional)", "Post Code (optional)"]) {
    await buyer.field(name).focus();
    await expect(buyer.clock).toBeInViewport({ ratio: 1 });
    const [field, clock] = [await buyer.field(name).boundingBox(), await buyer.clock.boundingBox()];
    const isBeside = clock!.x > field!.x + field!.width;
    expect(isBeside || field!.y + field!.height <= clock!.y || clock!.y + clock!.height <= field!.y, name).toBe(true);
  }
  await buyer.payByCard();
  await buyer.seesBooked();
  await expect(page.getByRole("list", { name: "Tickets" }).getByRole("listitem")).toHaveCount(2);
  await page.goBack();
  await expect(page).toHaveURL(`/selectTickets?event=${slug}`);
  await expect(page.getByRole("textbox", { name: "Standard Seat quantity" })).toHaveValue("0");
});
