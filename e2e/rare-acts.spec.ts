import { makeAttempt, makeDonation } from "#database/factories.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { addDays, dayInSydney } from "#shared/language.ts";
import { planDoorEvent } from "./door-event.ts";
import { databaseOf, expect, siteUrl, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

test("PER-8, PER-9: by keyboard alone an administrator reads what goes and what stays, and erases a person @long", async ({
  page,
  donor,
  expected,
}) => {
  expected.push(/422/);
  const database = createDatabase(createPool(databaseOf("usual"), () => undefined));
  const id = await makeDonation(database, { donation: { email: donor.email, first_name: "Erase", last_name: "Me" } });
  await makeAttempt(database, id, { state: "failed" });
  await logInStaff(page, "Amina Raza", "administrator");
  await page.goto(`/admin/people/${id}`);
  await expectGoodScreen(page, "a person");
  await page.goto(`/admin/people/${id}/erase`);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "What goes" }).first()).toBeVisible();
  await expectGoodScreen(page, "what erasing a person means");
  await tabTo(page, main.getByLabel("Type their email address"));
  await page.keyboard.type("somebody.else@example.com");
  await tabTo(page, main.getByLabel("Why"));
  await page.keyboard.type("Asked by telephone today");
  await pressByKey(page, main.getByRole("button", { name: "Erase this person" }));
  await expect(main.locator(".err").first()).toBeVisible();
  await expect(main.getByLabel("Why")).toHaveValue("Asked by telephone today");
  await expectGoodScreen(page, "erasing with the wrong address");
  await tabTo(page, main.getByLabel("Type their email address"));
  await page.keyboard.press("Control+a");
  await page.keyboard.type(donor.email);
  await pressByKey(page, main.getByRole("button", { name: "Erase this person" }));
  await expect(page.getByRole("status")).toContainText("erased");
  const { email } = await database
    .selectFrom("donations")
    .select("email")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await database.destroy();
  expect(email).toBe("");
});

test("REC-27: the forms to take a charge in, or to reverse a payment, fit and read well in any theme @long @once", async ({
  page,
  expected,
}) => {
  expected.push(/422/);
  const pool = createPool(databaseOf("usual"), () => undefined);
  const day = addDays(dayInSydney(new Date()), -1);
  const reference = `2211${Math.trunc(Math.random() * 1e5)}`;
  await pool.query(
    `insert into reconciliation_findings (provider, kind, reference, day, ours_cents, theirs_cents, detail, found_at, last_seen_at)
     values ('payway', 'charge_without_payment', $1, $2, 0, 5329, 'its order reference there is PHONE-2211', now(), now())`,
    [reference, day],
  );
  await pool.end();
  await logInStaff(page, "Yusuf Demir", "treasurer");
  await page.goto(`/admin/reconciliation/${day}`);
  const panel = page.locator(".panel", { hasText: reference });
  await pressByKey(page, panel.locator("summary", { hasText: "Take it in" }));
  await tabTo(page, panel.getByLabel("First name of the donor"));
  await page.keyboard.type("Grace");
  await expectGoodScreen(page, "a charge to take in");
  await pressByKey(page, panel.getByRole("button", { name: "Take in $53.29" }));
  await expect(panel.locator(".err").first()).toBeVisible();
  await expect(panel.getByLabel("First name of the donor")).toHaveValue("Grace");
  await expectGoodScreen(page, "a charge to take in, with faults");
});

test("EVT-9, EVT-10: by keyboard alone one person calls an event off, and another approves it @long", async ({
  page,
  browser,
  amount,
}) => {
  const event = await planDoorEvent(`Cancelled picnic ${amount}`, 4);
  await logInStaff(page, "Leila Haddad", "events");
  await page.goto("/admin/events");
  const path = `/admin/events/${await event.findScreen()}/call-off`;
  await page.goto(path);
  const main = page.getByRole("main");
  await expectGoodScreen(page, "an event to call off");
  await tabTo(page, main.getByRole("textbox").first());
  await page.keyboard.type("The hall is flooded.");
  await expectGoodScreen(page, "an event to call off, filled in");
  await pressByKey(page, main.getByRole("button", { name: /Ask to call off this event/ }));
  await expect(page.getByRole("status")).toContainText("A second person has to approve");
  await expectGoodScreen(page, "an event that waits to be called off");
  const second = await browser.newContext({ locale: "en-AU", timezoneId: "Australia/Sydney" });
  const other = await second.newPage();
  await logInStaff(other, "Yusuf Demir", "treasurer");
  await other.goto(`${siteUrl()}${path}`);
  await expectGoodScreen(other, "an event to call off, for whoever approves");
  await pressByKey(other, other.getByRole("button", { name: /Approve, and refund/ }));
  await expect(other.getByRole("status")).toContainText("The event is called off.");
  await expectGoodScreen(other, "an event that is called off");
  await second.close();
});

test("EVT-16, ORD-6: by keyboard alone somebody gives two tickets, after a mistake, and cancels one of them @long", async ({
  page,
  amount,
  expected,
}) => {
  expected.push(/422/);
  const event = await planDoorEvent(`Dinner with guests ${amount}`, 4);
  await logInStaff(page, "Leila Haddad", "events");
  await page.goto("/admin/events");
  const id = await event.findScreen();
  await page.goto(`/admin/events/${id}/tickets`);
  const main = page.getByRole("main");
  await pressByKey(page, main.getByRole("link", { name: "Standard Seat" }));
  await tabTo(page, main.getByLabel("Seats"));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("10");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toBeVisible();
  await page.goto(`/admin/events/${id}/emails`);
  await expectGoodScreen(page, "emails to ticket holders");
  await page.goto(`/admin/events/${id}/waiting`);
  await expectGoodScreen(page, "a waiting list");
  await page.goto(`/admin/events/${id}/give`);
  await expectGoodScreen(page, "tickets to give");
  await tabTo(page, main.getByLabel("Standard Seat"));
  await page.keyboard.type("2");
  await tabTo(page, main.getByLabel("First name"));
  await page.keyboard.type("Noor");
  await tabTo(page, main.getByLabel("Last name"));
  await page.keyboard.type("Ali");
  await page.keyboard.press("Enter");
  await expect(main.getByText("Enter their email address: the tickets go there.")).toBeVisible();
  await expect(main.getByLabel("First name")).toHaveValue("Noor");
  await expectGoodScreen(page, "tickets to give, with a mistake");
  await tabTo(page, main.getByLabel("Email"));
  await page.keyboard.type("noor.guest@example.org");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toContainText("2 tickets booked and sent to noor.guest@example.org");
  await expect(main.locator("tbody tr").first()).toContainText("Noor Ali");
  await expectGoodScreen(page, "tickets that were given");
  await pressByKey(page, main.getByRole("link", { name: "Noor Ali" }));
  await pressByKey(page, main.getByRole("link", { name: "Cancel tickets" }));
  const panel = main.getByRole("region", { name: "Cancel tickets" });
  await expect(panel).toBeVisible();
  await expectGoodScreen(page, "tickets to cancel");
  await pressByKey(page, panel.getByRole("button", { name: "Show what happens first" }));
  await expect(panel.locator(".err")).toHaveText("Choose the tickets to cancel.");
  await tabTo(page, panel.getByRole("checkbox").last());
  await page.keyboard.press("Space");
  await pressByKey(page, panel.getByRole("button", { name: "Show what happens first" }));
  await expect(panel).toContainText("This ticket is no longer valid.");
  await expectGoodScreen(page, "what cancelling a ticket does");
  await pressByKey(page, panel.getByRole("button", { name: "Cancel 1 ticket" }));
  await expect(page.getByRole("status")).toContainText("1 ticket is cancelled. The buyer gets an email.");
  await expect(main.getByRole("table", { name: "What was bought" }).getByText("Cancelled")).toHaveCount(1);
  await expectGoodScreen(page, "an order with a ticket that staff cancelled");
});
