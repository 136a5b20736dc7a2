import { expect, type Locator, type Page } from "@playwright/test";
import { createPayer } from "./payer.ts";

export type Donor = ReturnType<typeof createDonor>;

/** As if 'Continue As a Guest User' had been pressed earlier: sets the cookie and this browser's marker. */
export async function becomeGuest(page: Page, siteUrl: string): Promise<void> {
  await page.context().addCookies([{ name: "guest", value: "true", url: siteUrl }]);
  await page.context().addInitScript((origin) => {
    if (location.origin === origin) localStorage.setItem("guest", "true");
  }, siteUrl);
}

type Line = { category: string; kind?: string; quantity?: number; names?: string[]; amount?: string };

/** A donor: the steps of a donation, by what a person reads on the page. */
export function createDonor(page: Page, { email, siteUrl }: { email: string; siteUrl: string }) {
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const textbox = (name: string) => page.getByRole("textbox", { name, exact: true });
  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });
  const payer = createPayer(page, "Donate");
  const cart = page.getByRole("table");

  const donor = {
    ...payer,
    email,
    heading,
    cart,

    /** Opens the donation as somebody who has already chosen to be a guest. */
    async openAsGuest() {
      await becomeGuest(page, siteUrl);
      await page.goto("/donation");
      await donor.onStep(1);
    },

    /** Waits for a step by its heading. */
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
    /** A disabled button says why when it is pressed, so it can be pressed too. */
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

    /** Goes from step 1, with one gift of `amount` dollars, to payment at step 4. */
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

    donate: payer.pay,
    giveByCard: payer.payByCard,

    /** Waits until the page has gone back over its steps (DON-28), which would interrupt going elsewhere. */
    async seesSuccess() {
      await expect(heading("Thank you for your donation")).toBeVisible();
      await expect(async () => {
        expect(await page.evaluate(() => history.state?.wizard?.depth ?? 0)).toBe(0);
      }).toPass();
    },
    seesFailure: () => expect(heading("Your payment did not go through")).toBeVisible(),
  };
  return donor;
}
