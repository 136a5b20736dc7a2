import { commandLine } from "#admin/audit.ts";
import { planShifts } from "#features/volunteering/server/shifts.ts";
import { shiftTimes } from "#features/volunteering/shift.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { addDays, dayInSydney } from "#shared/language.ts";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { applyAndOpenEmail } from "./applicant.ts";
import { databaseOf, expect, listEmails, test } from "./journey.ts";

test("VOLA-11: on a phone a volunteer signs up for a shift by the link in their email, and withdraws from it", {
  tag: "@phone",
}, async ({ page, amount }) => {
  const email = `shift-${amount}@example.com`;
  const title = `Stall ${amount}`;
  const link = await applyAndOpenEmail(page, email);
  const pool = createPool(databaseOf("usual"), () => undefined);
  const database = createDatabase(pool);
  const approve = "update volunteer_applications set stage = 'approved', roles = '{Fundraising}', decided_at = now()";
  await pool.query(`${approve} where email = $1`, [email]);
  const times = shiftTimes({ day: addDays(dayInSydney(new Date()), 9), from: "09:00", until: "12:00" });
  const wanted = { Fundraising: 2, Events: 1 };
  const shift = { title, place: "Auburn Road", notes: "Bring a hat.", eventId: null, wanted, ...times };
  await planShifts({ database, now: () => new Date() }, [shift], commandLine);
  await database.destroy();

  await page.goto(link);
  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) });
  await expect(row).toContainText("2 places left");
  await expectAccessible(page, "the shifts of a volunteer");
  await expectToFit(page, "the shifts of a volunteer");
  await row.getByRole("button", { name: "Sign up for Fundraising" }).click();
  await expect(page.getByRole("status").filter({ hasText: "You are signed up." })).toBeVisible();
  await expect(row).toContainText("You are signed up for Fundraising.");
  const confirmation = async () => (await listEmails(page, email)).find(({ subject }) => subject.includes(title));
  await expect.poll(async () => (await confirmation())?.subject).toBe(`You are signed up: ${title}`);
  expect((await confirmation())!.text).toContain(link.split("?")[0]);
  await row.getByRole("button", { name: "Withdraw" }).click();
  const dialog = page.getByRole("dialog", { name: "Withdraw from this shift?" });
  await expectAccessible(page, "the question before giving up a place");
  await expectToFit(page, "the question before giving up a place");
  await page.keyboard.press("Escape");
  await expect(row).toContainText("You are signed up for Fundraising.");
  await row.getByRole("button", { name: "Withdraw" }).click();
  await dialog.getByRole("button", { name: "Yes, withdraw" }).click();
  await expect(row).toContainText("2 places left");
});
