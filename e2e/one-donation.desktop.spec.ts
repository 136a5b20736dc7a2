import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { APIRequestContext } from "@playwright/test";
import pg from "pg";
import { testCards, tokenise } from "#simulators/control.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";
import { databaseOf, expect, siteUrl, test } from "./journey.ts";
import { doubleText, findLayoutFaults } from "./layout.ts";
import { expectGoodScreen, logInStaff, pressByKey, tabTo } from "./staff-member.ts";

let pool: pg.Pool;
test.beforeAll(() => {
  pool = new pg.Pool({ connectionString: databaseOf("usual"), max: 2 });
});
test.afterAll(() => pool.end());

/** Makes a donation of $100 with calls, as a donor's page does; returns its id. */
async function giveByCalls(request: APIRequestContext, email: string): Promise<string> {
  await request.get("/api/checkout");
  const captcha = await solveCaptcha(await (await request.get("/api/captcha?action=donate&effort=1")).json());
  const { cookies } = await request.storageState();
  const line = {
    donation_type: "Sadaqah",
    donation_type_option: "",
    quantity: 1,
    donation_amount: 100,
    net_donation_amount: 100,
    admin_fee_amount: 5,
    merchant_fee: 1.58,
    donation_shared_name: "",
  };
  const answer = await request.post("/api/payway-payment", {
    headers: {
      "x-xsrf-token": decodeURIComponent(cookies.find(({ name }) => name === "XSRF-TOKEN")!.value),
      "idempotency-key": randomUUID(),
      origin: siteUrl(),
    },
    data: {
      singleUseTokenId: await tokenise(`${process.env.JOURNEY_SIMULATOR}/payway/rest/v1`, testCards.approved),
      amount: 106.58,
      donorName: "Fared Hussain",
      donor_first_name: "Fared",
      donor_last_name: "Hussain",
      donor_email: email,
      donorEmail: email,
      donationType: "Sadaqah",
      source: "web",
      user_id: 0,
      payment_method: "PAYWAY",
      payment_type: "Credit Card",
      postal_code: "2144",
      is_anonymous: false,
      item_details: JSON.stringify([line]),
      captcha,
    },
  });
  const { code, data } = await answer.json();
  expect(code).toBe("200");
  return /[0-9a-f-]{36}/.exec(data.receiptUrl)![0];
}

test("DSK-11: a treasurer corrects a receipt's name, notes why and finds the person, by the keyboard alone", async ({
  page,
  playwright,
}) => {
  const email = `fared-${randomUUID().slice(0, 8)}@example.com`;
  const request = await playwright.request.newContext({ baseURL: siteUrl() });
  const id = await giveByCalls(request, email);
  await request.dispose();
  await logInStaff(page, "Claire Donnelly", "treasurer");
  await page.goto(`/admin/donations/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Donation of $106.58Paid");
  await expectGoodScreen(page, "one donation");

  await pressByKey(page, page.locator("main .menu > summary"));
  await pressByKey(page, page.getByRole("link", { name: "Correct the name on the receipt" }));
  const panel = page.locator("#act");
  await expect(panel.getByRole("heading")).toHaveText("Correct the name on the receipt");
  await tabTo(page, panel.getByLabel("First name"));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Farid");
  await pressByKey(page, panel.getByRole("button", { name: "Show what happens first" }));
  await expect(panel.getByRole("alert")).toContainText("Nothing was done yet.");
  await expect(panel.getByRole("region", { name: "The email" })).toContainText("Dear Farid Hussain,");
  await expectGoodScreen(page, "a correction to be checked");
  await pressByKey(page, panel.getByRole("button", { name: `Correct it and send to ${email}` }));
  await expect(page.getByRole("status")).toHaveText("The name is corrected, and the new receipt is on its way.");
  const receipts = page.getByRole("region", { name: "Receipts" }).locator("tbody tr");
  await expect(receipts).toHaveCount(2);
  await expect(receipts.nth(0)).toContainText("Farid Hussain");
  await expect(receipts.nth(1)).toContainText("Void, replaced by");

  await tabTo(page, page.getByLabel("For your colleagues"));
  await page.keyboard.type("Farid rang: his name was misspelt.");
  await pressByKey(page, page.getByRole("button", { name: "Add the note" }));
  // Not always the latest: the email with the new receipt can leave after it.
  const note = page.locator(".tl > li", { hasText: "Claire Donnelly noted:" });
  await expect(note).toContainText("Farid rang: his name was misspelt.");
  await expectGoodScreen(page, "a donation with its history");

  await pressByKey(page, page.locator("main .head").getByRole("link", { name: "Farid Hussain" }));
  await expect(page).toHaveURL(/\/admin\/people\//);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Farid Hussain");
  await expectGoodScreen(page, "a person");
  await pressByKey(page, page.getByRole("link", { name: /^Sadaqah/ }));
  await expect(page).toHaveURL(new RegExp(id));
});

test("ADM-4: a form whose button is pressed again while the answer is on its way is sent once", async ({
  page,
  playwright,
}) => {
  const request = await playwright.request.newContext({ baseURL: siteUrl() });
  const id = await giveByCalls(request, `twice-${randomUUID().slice(0, 8)}@example.com`);
  await request.dispose();
  await logInStaff(page, "Claire Donnelly", "treasurer");
  await page.goto(`/admin/donations/${id}`);
  let sent = 0;
  await page.route("**/note", async (route) => {
    sent += 1;
    await sleep(1000);
    await route.continue();
  });
  await page.getByLabel("For your colleagues").fill("Pressed often.");
  await page.getByRole("button", { name: "Add the note" }).evaluate((button: HTMLButtonElement) => {
    for (let press = 0; press < 10; press += 1) setTimeout(() => button.click(), 50 * press);
  });
  const notes = page.locator(".tl > li", { hasText: "Claire Donnelly noted:" });
  await expect(notes).toHaveText(/Pressed often\./);
  expect(sent).toBe(1);
});

test("ADM-15, DSK-11: on a phone with text of double size a donation and the dashboard fit, and break no word", async ({
  page,
  playwright,
}) => {
  const request = await playwright.request.newContext({ baseURL: siteUrl() });
  const id = await giveByCalls(request, `double-${randomUUID().slice(0, 8)}@example.com`);
  await request.dispose();
  await logInStaff(page, "Claire Donnelly", "treasurer");
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/admin", `/admin/donations/${id}`]) {
    await page.goto(path);
    await doubleText(page);
    const faults = await findLayoutFaults(page);
    expect(
      faults.filter((fault) => /too wide|is broken/.test(fault)),
      path,
    ).toEqual([]);
    const overflowing = await page.locator(".tabs-bottom > a, .tabs-bottom summary").evaluateAll((tabs) =>
      tabs.filter((tab) => {
        const label = document.createRange();
        label.selectNodeContents(tab);
        return label.getBoundingClientRect().width > tab.clientWidth;
      }),
    );
    expect(overflowing, `${path}: labels wider than their place in the bar`).toEqual([]);
  }
});
