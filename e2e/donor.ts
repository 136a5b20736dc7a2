import { expect, type Locator, type Page } from "@playwright/test";
import { createPayer } from "./payer.ts";

export type Donor = ReturnType<typeof createDonor>;

/** As somebody who pressed 'Continue As a Guest User' earlier: the cookie, and the marker of this browser. */
export async function becomeGuest(page: Page, siteUrl: string): Promise<void> {
  await page.context().addCookies([{ name: "guest", value: "true", url: siteUrl }]);
  await page.addInitScript((origin) => {
    if (location.origin === origin) localStorage.setItem("guest", "true");
  }, siteUrl);
}

type Line = { category: string; kind?: string; quantity?: number; names?: string[]; amount?: string };

/** Somebody who gives: the acts of a donation, found by what a person reads on the page. */
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

    /** Opens the donation as somebody who chose to be a guest earlier. */
    async openAsGuest() {
      await becomeGuest(page, siteUrl);
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

    donate: payer.pay,
    giveByCard: payer.payByCard,

    /** The page then goes back over its steps by itself (DON-28); who went elsewhere before that would be stopped. */
    async seesSuccess() {
      await expect(heading("Thank you for your donation")).toBeVisible({ timeout: 30_000 });
      await expect(async () => {
        expect(await page.evaluate(() => history.state?.donation?.depth ?? 0)).toBe(0);
      }).toPass();
    },
    seesFailure: () => expect(heading("Your payment did not go through")).toBeVisible({ timeout: 30_000 }),
  };
  return donor;
}
