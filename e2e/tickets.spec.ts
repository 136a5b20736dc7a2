import { expectAccessible, expectToFit, usualSchemes } from "./accessible.ts";
import { expect, listCharges, listEmails } from "./journey.ts";
import { readPdf } from "./receipt-text.ts";
import { test } from "./ticket-buyer.ts";

/** Colours are the same at both widths, so dark is checked at one of them. */
const schemes = (isMobile: boolean) => (isMobile ? (["light"] as const) : usualSchemes);

test("TIC-1, TIC-2, TIC-3, TIC-4, TIC-6: from the event to the tickets, by card, with a reload half-way", async ({
  page,
  buyer,
  staff,
  simulator,
  isMobile,
}) => {
  const check = async (what: string) => {
    await expectAccessible(page, what, schemes(isMobile));
    await expectToFit(page, what);
  };
  await page.goto("/events/charity-dinner");
  await page.getByRole("link", { name: "Book tickets" }).click();
  await expect(page).toHaveURL("/ticketAbout?event=charity-dinner");
  await expect(buyer.heading("Charity dinner")).toBeVisible();
  await page.getByRole("link", { name: "Book tickets" }).click();
  await expect(page).toHaveURL("/selectTickets?event=charity-dinner");
  await expect(buyer.button("Next")).toHaveAccessibleDescription("Choose at least one ticket");
  await buyer.button("Add one VIP Seat").click();
  await buyer.button("Add one Standard Seat").click();
  await buyer.button("Add one Standard Seat").click();
  await expect(page.getByRole("status").filter({ hasText: "3 tickets $200.00" })).toBeVisible();
  await check("a choice of tickets");
  await buyer.button("Next").click();

  await expect(page).toHaveURL("/ticketsCheckout?event=charity-dinner");
  await buyer.seesHold();
  for (const name of controls) await expect(page.locator(`#${name}`)).toHaveAttribute("name", name);
  await expect(page.getByLabel("Country")).toHaveValue("Australia");
  // The payment part loads when it is near the view.
  await page.getByText("You can pay by card or PayPal").scrollIntoViewIfNeeded();
  await expect(buyer.payButton).toHaveAccessibleDescription("Email is required");
  await check("the checkout");
  await buyer.payButton.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "There is a problem" })).toBeFocused();
  await check("the checkout with missing fields");
  await buyer.fillBuyer();
  await expect(page.getByRole("alert").filter({ hasText: "There is a problem" })).toHaveCount(0);
  const held = await buyer.heldOrder();
  await page.reload();
  await buyer.seesHold();
  expect(await buyer.heldOrder()).toEqual(held);
  await expect(buyer.field("Email")).toHaveValue(buyer.email);
  await expect(buyer.field("Last Name")).toHaveValue("Raza");
  for (const words of ["1 × VIP Seat", "2 × Standard Seat", "$200.00"]) await expect(buyer.order).toContainText(words);

  await buyer.solveCaptcha();
  await buyer.typeCard();
  await check("the checkout with the card form");
  await buyer.pay();
  await buyer.seesBooked();
  const reference = await buyer.result.getByText(/^T(-[0-9A-Z]{4}){3}$/).innerText();
  const tickets = page.getByRole("list", { name: "Tickets" }).getByRole("listitem");
  await expect(tickets).toHaveText([/^VIP Seat ?Amina Raza/, /^Standard Seat/, /^Standard Seat/]);
  await check("booked");
  const [charged] = await staff.referencesOf(reference);
  const charges = await listCharges(simulator, 20_000);
  expect(charges.filter(({ orderReference }) => orderReference === charged)).toHaveLength(1);
  await page.reload();
  await expect(tickets).toHaveCount(3);

  await expect.poll(() => listEmails(page, buyer.email).then((emails) => emails.length)).toBe(1);
  const [email] = await listEmails(page, buyer.email);
  expect(email!.subject).toContain("Your tickets for Charity dinner");
  const [pdf, calendar] = email!.attachments;
  const text = await readPdf(await (await page.request.get(pdf!.url)).body());
  for (const words of ["Charity dinner", "Amina Raza", "VIP Seat", reference]) expect(text).toContain(words);
  expect(await (await page.request.get(calendar!.url)).text()).toContain("SUMMARY:Charity dinner");
  await page.goto(/https?:\/\/\S+\/ticket-orders\/\S+/.exec(email!.text)![0]);
  await expect(buyer.heading("Your tickets are booked", 2)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Change name" })).toHaveCount(3);
  await check("the order's page");
});

const controls = [
  "CheckOutEmail",
  "CheckOutFirstName",
  "CheckOutLastName",
  "CheckOutPhoneNumber",
  "CheckOutSelectedCountry",
  "CheckOutAddress",
  "CheckOutSuburb",
  "CheckOutPostalCode",
];
