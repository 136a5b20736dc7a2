import { expect, type Locator, type Page } from "@playwright/test";
import { type TypedCard, testCards } from "#simulators/control.ts";

export type Donor = ReturnType<typeof createDonor>;

type Line = { category: string; kind?: string; quantity?: number; names?: string[]; amount?: string };

/** Somebody who gives: the acts of a donation, found by what a person reads on the page. */
export function createDonor(page: Page, { email, siteUrl }: { email: string; siteUrl: string }) {
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const textbox = (name: string) => page.getByRole("textbox", { name, exact: true });
  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });
  const payButton = button(/^Donate \$/);
  const payPalButton = page.getByRole("button", { name: "PayPal", exact: true });
  const cart = page.getByRole("table");
  const frame = page.frameLocator('iframe[title="Card details"]');

  const donor = {
    email,
    heading,
    payButton,
    payPalButton,
    cart,
    frame,
    bank: page.frameLocator('iframe[title="Your bank\'s page"]'),
    confirming: page.getByText("We are confirming your payment. Please do not pay again"),

    /** Opens the donation as somebody who chose to be a guest earlier. */
    async openAsGuest() {
      await page.addInitScript((origin) => {
        if (location.origin === origin) localStorage.setItem("guest", "true");
      }, siteUrl);
      await page.goto("/donation");
      await donor.onStep(1);
    },

    /** Waits for a step; the heading names it, also to those who only listen. */
    async onStep(step: 1 | 2 | 3 | 4) {
      await expect(heading(new RegExp(`step ${step} of 4`))).toBeVisible();
      await expect(page).toHaveTitle(new RegExp(`^Step ${step} of 4`));
    },

    async fillPersonal({ firstName = "Amina", lastName = "Raza", postcode = "2144" } = {}) {
      await textbox("First Name").fill(firstName);
      await textbox("Last Name").fill(lastName);
      await textbox("Email").fill(email);
      await textbox("Post Code").fill(postcode);
    },

    next: () => button("Next").click(),
    previous: () => button("Previous").click(),
    /** A button that is off does nothing but say why, so pressing it is allowed. */
    pressWhenOff: (locator: Locator) => locator.click({ force: true }),
    chooseCategory: (label: string) => page.getByLabel("Donation category").selectOption({ label }),
    changeLink: (what: string) => button(`Change ${what}`),

    async addLine({ category, kind, quantity, names = [], amount }: Line) {
      await donor.chooseCategory(category);
      if (kind !== undefined) {
        const kinds = page.getByLabel(`Kind of ${category}`);
        const label = await kinds.getByRole("option").filter({ hasText: kind }).first().innerText();
        await kinds.selectOption({ label });
      }
      if (quantity !== undefined) await textbox("Quantity").fill(String(quantity));
      if (amount !== undefined) await page.getByLabel(/^(Your amount|Amount of each)/).fill(amount);
      for (const [index, name] of names.entries()) await textbox(`Name ${index + 1}`).fill(name);
      await button("Add Donation").click();
      await expect(page.getByText(new RegExp(`^Added ${category}.*Subtotal`))).toBeAttached();
    },

    /** From step 1 with one gift of `amount` dollars to step 4, where it is paid. */
    async goToPreview(amount: string, { category = "Zakat", method = "Credit card" } = {}) {
      await donor.fillPersonal();
      await donor.next();
      await donor.onStep(2);
      await donor.addLine({ category, amount });
      await donor.next();
      await donor.onStep(3);
      await donor.chooseMethod(method);
      await donor.next();
      await donor.onStep(4);
    },

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

    /** What the button says will be charged, in cents. */
    async totalCents(): Promise<number> {
      return Math.round(Number((await payButton.innerText()).replace(/[^\d.]/g, "")) * 100);
    },

    async solveCaptchaForPayPal() {
      await page.getByRole("checkbox").click();
      await expect(payPalButton).toBeVisible();
    },

    donate: () => payButton.click(),

    async giveByCard(card?: TypedCard) {
      await donor.solveCaptcha();
      await donor.typeCard(card);
      await donor.donate();
    },

    seesSuccess: () => expect(heading("Thank you for your donation")).toBeVisible({ timeout: 30_000 }),
    seesFailure: () => expect(heading("Your payment did not go through")).toBeVisible({ timeout: 30_000 }),
    seesConfirming: () => expect(donor.confirming).toBeVisible(),
  };
  return donor;
}
