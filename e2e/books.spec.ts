import { randomUUID } from "node:crypto";
import pg from "pg";
import { addDays, dayInSydney } from "#shared/language.ts";
import { isLongRun } from "#test/long-run.ts";
import { databaseOf, expect, test } from "./journey.ts";
import { expectGoodScreen, logInStaff, tabTo } from "./staff-member.ts";

let pool: pg.Pool;
test.beforeAll(() => {
  pool = new pg.Pool({ connectionString: databaseOf("usual"), max: 2 });
});
test.afterAll(() => pool.end());

test("REC-25: a treasurer closes a difference with a reason, by the keyboard alone", async ({ page, expected }) => {
  // The missing reason.
  expected.push(/422/);
  const day = addDays(dayInSydney(new Date()), -1);
  const transaction = `11799${Math.trunc(Math.random() * 1e5)}`;
  await pool.query(
    `insert into reconciliation_runs (provider, day, state, provider_cents, ledger_cents, transactions, started_at, finished_at)
     values ('payway', $1, 'done', 10658, 5329, 2, now(), now()), ('braintree', $1, 'done', 0, 0, 0, now(), now())
     on conflict do nothing`,
    [day],
  );
  await pool.query(
    `insert into reconciliation_findings (provider, kind, reference, day, ours_cents, theirs_cents, detail, found_at, last_seen_at)
     values ('payway', 'charge_without_payment', $1, $2, 0, 5329, 'its order reference there is TERMINAL-0381', now(), now())`,
    [transaction, day],
  );
  await logInStaff(page, "Yusuf Demir", "treasurer");
  await page.goto("/admin/reconciliation");
  await expectGoodScreen(page, "reconciliation");
  const open = page.locator(".todo li", { hasText: transaction }).getByRole("link");
  await tabTo(page, open);
  await page.keyboard.press("Enter");
  const panel = page.locator(".panel", { hasText: transaction });
  await expect(panel.getByRole("heading")).toHaveText("PayWay holds a charge that no payment of ours stands for");
  await expectGoodScreen(page, "a day of reconciliation");

  await tabTo(page, panel.locator("summary", { hasText: "Close with a reason" }));
  await page.keyboard.press("Enter");
  await tabTo(page, panel.getByRole("textbox"));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(panel.getByText("Write why this difference needs nothing more.")).toBeVisible();
  await tabTo(page, panel.getByRole("textbox"));
  await page.keyboard.type("The bank tested its terminal");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText("The difference is closed.");
  await expect(panel).toContainText("Yusuf Demir closed it on");
  await expect(panel).toContainText("“The bank tested its terminal”");
});

test("JOB-2: a treasurer sends a failed email again and discards another, by the keyboard alone", {
  tag: "@long",
}, async ({ page }) => {
  const ids = [randomUUID(), randomUUID()] as const;
  // The jobs name messages that do not exist, so nobody gets an email.
  for (const id of ids) {
    await pool.query(
      `insert into pgboss.job (id, name, data, output, source_name, source_created_on)
       values ($1, 'failed', $2, '{"message": "connect ECONNREFUSED"}', 'emails', now())`,
      [id, JSON.stringify({ template: "contact-message", messageId: randomUUID() })],
    );
  }
  await logInStaff(page, "Yusuf Demir", "treasurer");
  await page.goto("/admin/failed-jobs");
  await expectGoodScreen(page, "failed emails");
  const row = (id: string) => page.locator(`tr[data-id="${id}"]`);
  await expect(row(ids[0])).toContainText("The mail server could not be reached.");
  await tabTo(page, row(ids[0]).getByRole("button", { name: /Send again/ }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText("The email is being sent again.");
  await expect(row(ids[0])).toHaveCount(0);

  await tabTo(page, row(ids[1]).locator("summary"));
  await page.keyboard.press("Enter");
  await tabTo(page, row(ids[1]).getByRole("textbox"));
  await page.keyboard.type("Answered by telephone");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText("The email is discarded.");
  await expect(row(ids[1])).toHaveCount(0);
});

test("REC-26: reports, journals and open payments are readable on any width, light and dark @once", async ({
  page,
}) => {
  await logInStaff(page, "Yusuf Demir", "treasurer");
  // In `npm test` the screen with the most on it stands for the others.
  const others = isLongRun ? ["/admin/journal", "/admin/reconciliation/payments"] : [];
  for (const address of ["/admin/reports", ...others]) {
    await page.goto(address);
    await expectGoodScreen(page, address);
  }
});
