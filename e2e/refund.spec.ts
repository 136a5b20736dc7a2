import type { Page } from "@playwright/test";
import { createDatabase, createPool, type Database } from "#shared/database/connect.ts";
import { databaseOf, expect, test as journey, siteUrl } from "./journey.ts";
import { expectGoodScreen, logInStaff, tabTo as tabToControl } from "./staff-member.ts";

const test = journey.extend<{ readonly database: Database }>({
  database: async ({ site }, use) => {
    const database = createDatabase(createPool(databaseOf(site), () => undefined));
    await use(database);
    await database.destroy();
  },
});

/**
 * A card donation that exceeds one person's limit even after a refund of $100, was settled days ago, and has no refund
 * request.
 */
function findLargeDonation(database: Database) {
  return (
    database
      .selectFrom("donations")
      .innerJoin("payment_attempts as payment", "payment.donation_id", "donations.id")
      .select(["donations.id", "reference", "total_cents as cents"])
      .where("payment.state", "=", "succeeded")
      .where("payment.provider", "=", "payway")
      .where("total_cents", ">", 60_000)
      .where("payment.sent_at", "<", new Date(Date.now() - 3 * 86_400_000))
      // Leaves out the demo's own waiting request.
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("refund_requests").select("id").whereRef("donation_id", "=", "donations.id"))),
      )
      .orderBy("payment.sent_at", "desc")
      .limit(1)
      .executeTakeFirstOrThrow()
  );
}

type Control = "button" | "link" | "textbox" | "radio";
const tabTo = (page: Page, name: string | RegExp, role: Control = "button") =>
  tabToControl(page, page.getByRole("main").getByRole(role, { name }));

test("RFD-2, RFD-3, RFD-4, LAY-13: by keyboard alone one person requests a large refund, another approves it, and both see the result", async ({
  page,
  browser,
  database,
  expected,
}) => {
  // The form comes back because the amount on its button was another one.
  expected.push(/409/);
  const { id, cents } = await findLargeDonation(database);
  const part = cents - 10_000;
  const amount = `$${(part / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/, ",")}`;
  await logInStaff(page, "Yusuf Demir", "treasurer");
  const second = await browser.newContext({ locale: "en-AU", timezoneId: "Australia/Sydney" });
  // Somebody else who may approve, and whose name is longer than a line.
  const longName = "Donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenauszahlungsstelle";
  await logInStaff(await second.newPage(), longName, "treasurer");

  await page.goto(`/admin/donations/${id}/refund`);
  await expectGoodScreen(page, "the refund form");
  await tabTo(page, /All that is left/, "radio");
  await page.keyboard.press("ArrowDown");
  await tabTo(page, "Amount of the part", "textbox");
  await page.keyboard.type((part / 100).toFixed(2));
  await tabTo(page, "Why", "textbox");
  await page.keyboard.type("He meant to give a tenth of it");
  await tabTo(page, "Check what happens");
  await page.keyboard.press("Enter");

  await expect(page.getByText(`Check what happens with ${amount}, then send it.`)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Why" })).toHaveValue("He meant to give a tenth of it");
  await expect(page.getByText("a new one for the $100.00 that we keep takes its place")).toBeVisible();
  await expectGoodScreen(page, "the checked refund form");
  await tabTo(page, `Request a refund of ${amount}`);
  await page.keyboard.press("Enter");
  await expect(page.getByText("You requested this, so someone else has to approve it.")).toBeVisible();
  await expectGoodScreen(page, "one’s own request");

  const approver = await second.newPage();
  await logInStaff(approver, "Claire Donnelly", "treasurer");
  await approver.goto(`${siteUrl()}/admin`);
  await expect(approver.getByRole("link", { name: `Refund of ${amount} for D-` })).toBeVisible();
  await approver.goto(`${siteUrl()}/admin/refunds`);
  await expectGoodScreen(approver, "the list of refunds");
  const path = new URL(page.url()).pathname;
  const link = approver.locator(`tr[data-id="${path.split("/").at(-1)}"] a`);
  await link.focus();
  await approver.keyboard.press("Enter");
  await expect(approver.getByRole("heading", { name: "What happens if it is approved" })).toBeVisible();
  await expectGoodScreen(approver, "a request to approve");
  await tabTo(approver, `Approve and refund ${amount}`);
  await approver.keyboard.press("Enter");
  await expect(approver.getByText(`Refunded ${amount}.`)).toBeVisible();
  await expect(approver.getByText("PayWay returned it to the card that paid.")).toBeVisible();
  await expectGoodScreen(approver, "a refund that is made");

  await page.reload();
  await expect(page.getByText("Claire Donnelly approved it.")).toBeVisible();
  await expect(page.locator(".money").getByText("Refunded")).toBeVisible();
  await second.close();
});
