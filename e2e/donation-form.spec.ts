import { testCards } from "#simulators/control.ts";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, listEmails, test } from "./journey.ts";

test("DON-4, LAY-11: pressing Next too early moves focus to a list of problems, each linked to its field", async ({
  page,
  donor,
}) => {
  await donor.openAsGuest();
  const next = page.getByRole("button", { name: "Next" });
  await expect(next).toHaveAttribute("aria-disabled", "true");
  await expect(next).toHaveAccessibleDescription("First Name is required");
  await donor.pressWhenOff(next);
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toBeFocused();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(summary.getByRole("link")).toHaveText([
    "First Name is required",
    "Last Name is required",
    "Email is required",
    "Post Code is required",
  ]);
  await expectAccessible(page, "step 1 with errors");
  await summary.getByRole("link", { name: "Email is required" }).click();
  const email = page.getByRole("textbox", { name: "Email" });
  await expect(email).toBeFocused();
  await email.fill("not an address");
  await page.getByRole("textbox", { name: "Post Code" }).focus();
  await expect(email).toHaveAccessibleDescription(/Please enter a valid email address/);
});

test("DON-5, DON-21: an anonymous donation needs only an email, and its receipt names nobody", {
  tag: ["@once", "@long"],
}, async ({ page, donor, amount }) => {
  await donor.openAsGuest();
  const anonymous = page.getByRole("checkbox", { name: /Donate anonymously/ });
  const firstName = page.getByRole("textbox", { name: "First Name" });
  await anonymous.check();
  await expect(firstName).toBeDisabled();
  await expect(firstName).toHaveValue("Anonymous");
  await expect(page.getByRole("textbox", { name: "Last Name" })).toHaveValue("User");
  await expect(page.getByRole("textbox", { name: "Post Code" })).toBeDisabled();
  await anonymous.uncheck();
  await expect(firstName).toBeEnabled();
  await expect(firstName).toHaveValue("");
  await anonymous.check();
  await page.getByRole("textbox", { name: "Email" }).fill(donor.email);
  await expectAccessible(page, "step 1, anonymous");
  await donor.next();
  await donor.onStep(2);
  await donor.addLine({ category: "Sadaqah", amount });
  await donor.next();
  await donor.onStep(3);
  await donor.next();
  await donor.onStep(4);
  await expect(page.getByText("Anonymous User")).toBeVisible();
  await donor.giveByCard();
  await donor.seesSuccess();
  await expect.poll(() => listEmails(page, donor.email).then(([email]) => email?.text ?? "")).toContain("Thank you");
});

test("DON-6, DON-7, DON-8: every category can be added, with only the fields it needs", {
  tag: ["@once", "@long"],
}, async ({ page, donor }) => {
  await donor.openAsGuest();
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  const answer = await page.request.get("/api/categories");
  const { data } = await answer.json();
  const categories = data.category as Record<string, string>[];
  expect(categories.length).toBeGreaterThanOrEqual(11);
  for (const wire of categories) {
    const category = (wire.title ?? wire.category_title ?? wire.name)!;
    await donor.chooseCategory(category);
    const kinds = page.getByLabel(`Kind of ${category}`);
    const hasKinds = wire.subcategory_status === "true";
    await expect(kinds).toHaveCount(hasKinds ? 1 : 0);
    if (hasKinds) await kinds.selectOption({ index: 1 });
    const quantity = page.getByRole("textbox", { name: "Quantity" });
    const amount = page.getByLabel(/^(Your amount|Amount of each)/);
    await expect(quantity, category).toHaveCount(wire.is_editable_quantity === "yes" ? 1 : 0);
    await expect(amount, category).toHaveCount(wire.is_editable_amount === "yes" ? 1 : 0);
    const name = page.getByRole("textbox", { name: "Name 1" });
    await expect(name, category).toHaveCount(category === "Qurban" ? 1 : 0);
    if (await amount.count()) await amount.fill("12.34");
    if (await name.count()) await name.fill("Sana");
    await page.getByRole("button", { name: "Add Donation" }).click();
    await expect(donor.cart.getByRole("row", { name: category })).toHaveCount(1);
    await expect(page.getByLabel("Donation category")).toBeFocused();
  }
  await page.getByRole("button", { name: /^Delete Zakat/ }).click();
  await expect(donor.cart.getByRole("row", { name: "Zakat" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo deleting Zakat" }).click();
  await expect(donor.cart.getByRole("row", { name: "Zakat" })).toHaveCount(1);
});

test("DON-8, DON-25, LAY-11: an empty, too small or too large cart says why the donor cannot continue", {
  tag: ["@once", "@long"],
}, async ({ page, donor }) => {
  await donor.openAsGuest();
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  await expect(page.getByText("Give from $2.00 to $50,000.00 AUD")).toBeVisible();
  const next = page.getByRole("button", { name: "Next" });
  await expect(next).toHaveAccessibleDescription("Add at least one donation to continue.");
  await expectAccessible(page, "step 2, empty");
  await donor.addLine({ category: "Zakat", amount: "1.99" });
  await expect(next).toHaveAccessibleDescription("The smallest donation is $2.00.");
  await donor.pressWhenOff(next);
  await donor.onStep(2);
  await donor.addLine({ category: "Zakat", amount: "49999" });
  await expect(next).toHaveAccessibleDescription(/The largest donation is \$50,000\.00/);
  const add = page.getByRole("button", { name: "Add Donation" });
  await donor.chooseCategory("Zakat");
  await page.getByLabel("Your amount").fill("10.999");
  await donor.pressWhenOff(add);
  await expect(page.getByRole("alert").filter({ hasText: "at most 2 decimals" })).toBeFocused();
  await expectAccessible(page, "step 2 with errors");
});

test("DON-6, LAY-12: a quantity of 1000 stays as typed, and the field, the sum and both buttons say what is wrong", {
  tag: "@long",
}, async ({ page, donor, amount }) => {
  await donor.openAsGuest();
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  await donor.addLine({ category: "Zakat", amount });
  await donor.chooseCategory("Fitrana");
  const quantity = page.getByRole("textbox", { name: "Quantity" });
  const text = "Enter a whole number from 1 to 999";
  await quantity.fill("");
  await quantity.pressSequentially("1000");
  await expect(quantity).toHaveAccessibleDescription(`Error: ${text}`);
  await quantity.press("Tab");
  await expect(quantity).toHaveValue("1000");
  const next = page.getByRole("button", { name: "Next" });
  for (const name of ["Add Donation", "Next"]) {
    await expect(page.getByRole("button", { name })).toHaveAttribute("aria-disabled", "true");
    await expect(page.getByRole("button", { name })).toHaveAccessibleDescription(text);
  }
  await expect(page.getByText("$15,000.00")).toHaveCount(0);
  await expectAccessible(page, "a quantity that is too large");
  await donor.pressWhenOff(next);
  await donor.onStep(2);
  await quantity.fill("999");
  await expect(page.getByText("$14,985.00")).toBeVisible();
  await expect(next).toHaveAccessibleDescription(/^Fitrana isn’t added yet/);
});

test("LAY-12: pasted text is never cut off: the field says that it is too long", { tag: "@once" }, async ({
  page,
  donor,
}) => {
  await donor.openAsGuest();
  await donor.fillPersonal({ lastName: "R".repeat(120), postcode: "2144 and more" });
  const lastName = page.getByRole("textbox", { name: "Last Name" });
  const postcode = page.getByRole("textbox", { name: "Post Code" });
  await expect(lastName).toHaveAccessibleDescription("Error: Enter a last name of at most 100 characters");
  const next = page.getByRole("button", { name: "Next" });
  await expect(next).toHaveAccessibleDescription("Enter a last name of at most 100 characters");
  await lastName.fill("Raza");
  await expect(next).toHaveAccessibleDescription(/^Enter a post code of at most 12 letters/);
  await page.reload();
  await expect(postcode).toHaveValue("2144 and more");
});

test("DON-8: the suggested amounts are in one row, or two by two", { tag: ["@once", "@phone"] }, async ({
  page,
  donor,
}) => {
  await donor.openAsGuest();
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  await donor.chooseCategory("Zakat");
  for (const [width, perRow] of [
    [320, 2],
    [390, 2],
    [768, 4],
    [1440, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const chips = await page.locator(".chip").evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().top));
    const rows = [...new Set(chips)].map((top) => chips.filter((each) => each === top).length);
    expect(rows, `at ${width}`).toEqual(Array(4 / perRow).fill(perRow));
  }
});

test("DON-27: a line that is not a tax-deductible gift says so where it is chosen, in the cart and before paying", {
  tag: ["@once", "@long"],
}, async ({ page, donor, amount }) => {
  await donor.openAsGuest();
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  await donor.chooseCategory("Qurban");
  await expect(page.getByText("Qurban is not a tax-deductible gift.")).toBeVisible();
  await expectAccessible(page, "step 2 with Qurban chosen");
  await donor.addLine({ category: "Qurban", kind: "Goat", names: ["Amina"] });
  await donor.addLine({ category: "Zakat", amount });
  const marked = donor.cart.getByRole("row").filter({ hasText: "Not a tax-deductible gift" });
  await expect(marked).toHaveText([/^Qurban/]);
  await donor.next();
  await donor.onStep(3);
  await donor.next();
  await donor.onStep(4);
  await expect(marked).toHaveText([/^Qurban/]);
  const slip = page.getByRole("region", { name: "Total to pay" });
  const gift = Number(amount).toLocaleString("en-AU", { minimumFractionDigits: 2 });
  await expect(slip).toContainText(`Tax-deductible gift on your receipt: $${gift}. Fees are not part of it.`);
});

test("DON-9, DON-10, DON-13: step 3 explains the cost of card, PayPal and running costs", { tag: "@once" }, async ({
  page,
  donor,
}) => {
  await donor.openAsGuest();
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  await donor.addLine({ category: "Zakat", amount: "100" });
  await donor.next();
  await donor.onStep(3);
  const slip = page.getByRole("region", { name: "Total to pay" });
  await expect(slip).toContainText("$5.00");
  await expect(slip).toContainText("$1.58");
  await expect(slip).toContainText("$106.58");
  await page.getByRole("checkbox", { name: /Help cover our running costs/ }).uncheck();
  await expect(slip).toContainText("$101.50");
  await expect(page.getByRole("radio", { name: "Credit card Adds 1.5%: $1.50" })).toBeChecked();
  await page.getByRole("radio", { name: "PayPal Adds 3%: $3.00" }).check();
  await expect(slip).toContainText("$103.00");
});

test("DON-1, DON-23: Previous unmarks the later steps, and each Change link returns straight to Preview", {
  tag: "@once",
}, async ({ page, donor, amount }) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await expect(page.getByRole("listitem").filter({ hasText: /completed/ })).toHaveCount(3);
  for (const [what, step] of [
    ["personal details", 1],
    ["donations", 2],
    ["payment method and fees", 3],
  ] as const) {
    await donor.changeLink(what).click();
    await donor.onStep(step);
    await page.getByRole("button", { name: "Save and go back to Preview" }).click();
    await donor.onStep(4);
  }
  await donor.previous();
  await donor.onStep(3);
  await donor.previous();
  await donor.onStep(2);
  await expect(page.getByRole("listitem").filter({ hasText: /completed/ })).toHaveText(["Personal completed"]);
  await page.goForward();
  await donor.onStep(3);
  await page.goBack();
  await donor.onStep(2);
});

test("DON-20: the donation survives a reload and a closed tab, without card data", { tag: ["@once", "@long"] }, async ({
  page,
  context,
  donor,
  amount,
}) => {
  await donor.openAsGuest();
  await donor.goToPreview(amount);
  await donor.solveCaptcha();
  await donor.typeCard();
  await page.reload();
  await donor.onStep(4);
  await expect(donor.cart).toContainText("Zakat");
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).toContain("Amina");
  expect(kept).not.toContain(testCards.approved.number.slice(0, 6));
  const other = await context.newPage();
  await page.close();
  await other.goto("/donation");
  await expect(other.getByRole("textbox", { name: "First Name" })).toHaveValue("Amina");
  await other.getByRole("button", { name: "Next" }).click();
  await expect(other.getByRole("table")).toContainText("Zakat");
});

test("DON-3: the bank details are beside the form, and a button copies each", { tag: ["@once", "@phone"] }, async ({
  page,
  context,
  donor,
  isMobile,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await donor.openAsGuest();
  if (isMobile) await page.getByRole("heading", { name: "Donate by bank deposit" }).click();
  await expect(page.getByText("Example Bank of Australia")).toBeVisible();
  await page.getByRole("button", { name: "Copy account number for Sample Mutual Bank" }).click();
  await expect(page.getByText("Copied the account number for Sample Mutual Bank")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("11111111");
});

test("LAY-11, DON-1: each step fits 320 pixels and a reader's own text spacing", {
  tag: ["@once", "@long"],
}, async ({ page, donor, amount }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/");
  await expectToFit(page, "home");
  await page.goto("/login");
  await expectToFit(page, "login");
  await donor.openAsGuest();
  await expectToFit(page, "step 1");
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  await donor.addLine({ category: "Qurban", kind: "Goat", quantity: 2, names: ["A".repeat(60), "Yusuf Raza"] });
  await donor.addLine({ category: "Zakat", amount });
  await expectToFit(page, "step 2");
  await donor.next();
  await donor.onStep(3);
  await expectToFit(page, "step 3");
  await donor.next();
  await donor.onStep(4);
  await donor.solveCaptcha();
  await expectToFit(page, "step 4");
  await donor.typeCard();
  await donor.donate();
  await donor.seesSuccess();
  await expectToFit(page, "success");
});
