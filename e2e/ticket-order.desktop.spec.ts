import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expectAccessible } from "./accessible.ts";
import { expect, listEmails } from "./journey.ts";
import { expectLightForm } from "./script-budget.ts";
import { test } from "./ticket-buyer.ts";

// Their own events would show on pages that other journeys check.
test.use({ site: "as-live" });

test("TIC-6: by keyboard alone a holder is renamed, and one of three tickets is cancelled and refunded", async ({
  page,
  buyer,
  staff,
  rival,
}) => {
  await expectLightForm(page, await rival.book(await staff.plan(), { vip: 1, standard: 2 }));
  const tickets = page.getByRole("region", { name: "Tickets", exact: true }).getByRole("listitem");
  await expect(tickets).toHaveCount(3);
  await tickets
    .first()
    .getByRole("button", { name: /^Change name/ })
    .press("Enter");
  const name = page.getByRole("textbox", { name: /^Name on ticket/ });
  await expect(name).toBeFocused();
  await expectAccessible(page, "a changed name");
  await page.keyboard.insertText("آمنہ نور");
  await page.keyboard.press("Enter");
  await expect(tickets.first().getByRole("status")).toContainText("The name is changed.");
  await expect(tickets.first().getByRole("button", { name: /^Change name/ })).toBeFocused();
  await expect(tickets.first()).toContainText("آمنہ نور");

  const cancel = page.getByRole("region", { name: "Can someone not make it?" });
  await expect(cancel.getByRole("button")).toHaveAccessibleDescription("Choose the tickets to cancel");
  await cancel.getByRole("checkbox").last().press("Space");
  await cancel.getByRole("button", { name: "Cancel 1 ticket, refund $50.00" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Cancel this ticket?" });
  await expect(dialog).toContainText("We will refund $50.00 to the card or PayPal account that paid.");
  await expectAccessible(page, "the question before tickets are cancelled");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(cancel.getByRole("button", { name: /^Cancel 1 ticket/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: /^Yes, cancel 1 ticket/ }).press("Enter");
  await expect(buyer.heading("Your tickets are booked", 2)).toBeFocused();
  await expect(
    page.getByText("1 ticket cancelled. $50.00 will be refunded to the card or PayPal account that paid."),
  ).toBeVisible();
  await expect(tickets.filter({ hasText: "Cancelled" })).toHaveCount(1);
  await expect(tickets.filter({ hasText: "Change name" })).toHaveCount(2);
  await expect(cancel.getByRole("checkbox")).toHaveCount(2);
  await expectAccessible(page, "an order with a cancelled ticket");
  await page.reload();
  await expect(tickets.filter({ hasText: "Cancelled" })).toHaveCount(1);
  await expect(tickets.first()).toContainText("آمنہ نور");
  await expect.poll(() => listEmails(page, "rival@example.com").then((emails) => emails.length)).toBeGreaterThan(0);
});

test("TIC-6: the page of an order with two tickets prints on one sheet of A4", async ({ page, staff, rival }) => {
  await page.goto(await rival.book(await staff.plan(), { standard: 2 }));
  await expect(page.getByRole("button", { name: /^Change name/ })).toHaveCount(2);
  const { numPages } = await getDocument({ data: new Uint8Array(await page.pdf({ format: "A4" })), verbosity: 0 })
    .promise;
  expect(numPages).toBe(1);
});
