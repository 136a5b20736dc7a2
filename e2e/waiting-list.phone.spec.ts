import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, listEmails } from "./journey.ts";
import { test } from "./ticket-buyer.ts";

test("WAIT-1, WAIT-2, WAIT-5: on a phone somebody joins the list of a sold-out event, is offered a freed seat and buys it", {
  tag: "@phone",
}, async ({ page, buyer, staff, rival, context }) => {
  const check = async (what: string) => {
    await expectAccessible(page, what);
    await expectToFit(page, what);
  };
  const slug = await staff.plan({ vip: { capacity: 1 } });
  const sold = await rival.book(slug, { vip: 1 });
  await page.goto(`/selectTickets?event=${slug}`);
  await page.getByRole("link", { name: "Join the waiting list for VIP Seat" }).click();
  await expect(buyer.heading("Wait for VIP Seat", 2)).toBeVisible();
  await check("the form of a waiting list");
  await buyer.button("Join the waiting list").click();
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("link")).toHaveText([
    "First Name is required",
    "Last Name is required",
    "Email is required",
    "Enter how many tickets you need, 1 to 10",
  ]);
  await check("the form of a waiting list with missing fields");
  await buyer.field("First Name").fill("Amina");
  await buyer.field("Last Name").fill("Raza");
  await buyer.field("Email").fill(buyer.email);
  await buyer.field("Tickets").fill("1");
  await buyer.field("Tickets").press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "You are on the waiting list" })).toBeFocused();
  await check("a place on the waiting list");

  const linkOf = async (subject: RegExp, label: string) => {
    const find = async () =>
      (await listEmails(page, buyer.email)).find((email) => subject.test(email.subject))?.text ?? "";
    await expect.poll(find).toContain("/waiting-list/");
    return new RegExp(`${label}[^]*?(/(?:waiting-list|ticket-orders)/\\S+)`).exec(await find())![1]!;
  };
  await page.goto(await linkOf(/^You are on the waiting list for/, "See your place"));
  await expect(buyer.heading("You are next", 2)).toBeVisible();
  await check("a place in line");

  const other = await context.newPage();
  await other.goto(sold);
  await other.getByRole("checkbox").check();
  await other.getByRole("button", { name: /^Cancel/ }).click();
  await other.getByRole("dialog").getByRole("button", { name: /^Yes/ }).click();
  await expect(other.getByText("1 ticket cancelled.")).toBeVisible();
  await other.close();

  await page.goto(await linkOf(/^Your seats for .* are here$/, "I can’t come any more"));
  await expect(buyer.heading("A seat is held for you", 2)).toBeVisible();
  await check("an offer");
  await page.getByRole("link", { name: "Get this seat" }).click();
  await expect(page.getByText(/They are yours until .* Sydney time/)).toBeVisible();
  await check("an order that was offered");
  await page.getByRole("link", { name: "Continue to checkout" }).click();
  await expect(buyer.clock).toContainText(/Your seats are held until .* Sydney time/);
  await buyer.fillBuyer();
  await buyer.solveCaptcha();
  await buyer.typeCard();
  await buyer.pay();
  await buyer.seesBooked();
});

test("WAIT-5: leaving the list is asked once more, and ends the place", { tag: "@phone" }, async ({
  page,
  buyer,
  staff,
  rival,
}) => {
  const slug = await staff.plan({ vip: { capacity: 1 } });
  await rival.book(slug, { vip: 1 });
  await page.goto(`/waiting-list?event=${slug}&type=vip`);
  for (const [label, text] of [
    ["First Name", "Amina"],
    ["Last Name", "Raza"],
    ["Email", buyer.email],
    ["Tickets", "1"],
  ] as const)
    await buyer.field(label).fill(text);
  await buyer.button("Join the waiting list").click();
  await expect(buyer.heading("You are on the waiting list", 2)).toBeVisible();
  const find = async () => /\/waiting-list\/\S+/.exec((await listEmails(page, buyer.email))[0]?.text ?? "")?.[0] ?? "";
  await expect.poll(find).not.toBe("");
  await page.goto(await find());
  await buyer.button("Leave the list").click();
  await page.getByRole("dialog").getByRole("button", { name: "Stay on the list" }).click();
  await buyer.button("Leave the list").press("Enter");
  await expectAccessible(page, "leaving a waiting list", ["light"]);
  await page.getByRole("dialog").getByRole("button", { name: "Yes, leave it" }).click();
  await expect(page.getByText("You have left the waiting list. Thank you for telling us.")).toBeVisible();
  await expect(buyer.heading("You are not on the waiting list any more", 2)).toBeVisible();
});
