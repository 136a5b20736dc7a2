import { expect, type Page } from "@playwright/test";
import { type TypedCard, testCards } from "#simulators/control.ts";

/** A payer: captcha, card frame and PayPal, which are the same on every payment page. */
export function createPayer(page: Page, verb: "Donate" | "Pay") {
  const payButton = page.getByRole("button", { name: new RegExp(`^${verb} \\$`) });
  const payPalButton = page.getByRole("button", { name: "PayPal", exact: true });
  const frame = page.frameLocator('iframe[title="Card details"]');
  const payer = {
    payButton,
    payPalButton,
    frame,
    bank: page.frameLocator('iframe[title="Your bank’s page"]'),
    confirming: page.getByText("We are confirming your payment. Please do not pay again"),

    chooseMethod: (method: string) => page.getByRole("radio", { name: new RegExp(`^${method}`) }).check(),

    async solveCaptcha() {
      await page.getByRole("checkbox").click();
      await expect(frame.getByLabel("Card number")).toBeVisible();
    },

    async typeCard(card: TypedCard = testCards.approved) {
      await frame.getByLabel("Card number").fill(card.number);
      await frame.getByLabel("Expiry month").selectOption(card.month);
      await frame.getByLabel("Expiry year").selectOption(card.year);
      await frame.getByLabel(/^Security code/).fill(card.cvn);
      await frame.getByLabel("Name on card").fill(card.name ?? "A Raza");
      await expect(payButton).toHaveAttribute("aria-disabled", "false");
    },

    /** The charge that the button announces, in cents. */
    async totalCents(): Promise<number> {
      return Math.round(Number((await payButton.innerText()).replace(/[^\d.]/g, "")) * 100);
    },

    async solveCaptchaForPayPal() {
      await page.getByRole("checkbox").click();
      await expect(payPalButton).toBeVisible();
    },

    pay: () => payButton.click(),

    async payByCard(card?: TypedCard) {
      await payer.solveCaptcha();
      await payer.typeCard(card);
      await payer.pay();
    },

    seesConfirming: () => expect(payer.confirming).toBeVisible(),
  };
  return payer;
}
