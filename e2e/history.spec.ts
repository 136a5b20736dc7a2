import { randomUUID } from "node:crypto";
import type { BrowserContext, Page } from "@playwright/test";
import { payByCardCall } from "#features/donations/contract.ts";
import { call } from "#shared/contract/call.ts";
import { testCards, tokenise } from "#simulators/control.ts";
import { solveCaptcha } from "#test/solve-captcha.ts";
import { expectAccessible, expectToFit } from "./accessible.ts";
import { expect, siteUrl, test } from "./journey.ts";
import { logInMember } from "./member.ts";
import { readPdf } from "./receipt-text.ts";

const rowsOf = (page: Page) => page.getByRole("main").locator("tbody tr");
const download = (page: Page) => page.getByRole("button", { name: /^Download PDF/ });
const main = (page: Page) => page.getByRole("main");

/** Donates $11.00 with the page's own call, as the person logged in here, and waits until it is charged. */
async function give(context: BrowserContext, email: string, userId: number): Promise<void> {
  const token = (await context.cookies(siteUrl())).find(({ name }) => name === "XSRF-TOKEN")?.value ?? "";
  const captcha = await solveCaptcha(await (await context.request.get(`${siteUrl()}/api/captcha`)).json());
  const key = randomUUID();
  await call(
    async ({ url, body, headers }) => {
      const sent = { ...headers, "x-xsrf-token": token, "content-type": "application/json" };
      const response = await context.request.post(siteUrl() + url, { data: body, headers: sent });
      return { status: response.status(), text: await response.text() };
    },
    payByCardCall,
    {
      headers: { "idempotency-key": key },
      body: {
        token: await tokenise(`${process.env.JOURNEY_SIMULATOR}/payway/rest/v1`, testCards.approved),
        totalCents: 1117,
        donorName: "Sana Malik",
        firstName: "Sana",
        lastName: "Malik",
        email,
        donorEmail: email,
        firstLineCategory: "Sadaqah",
        source: "web",
        userId,
        method: "PAYWAY",
        paymentType: "Credit Card",
        lines: [{ category: "Sadaqah", subcategory: "", quantity: 1, unitCents: 1100, onBehalfOf: [] }],
        postcode: "3000",
        isAnonymous: false,
        captcha,
        repeat: true,
      },
    },
  );
  // On a busy machine the answer is often 202, as for a slow bank.
  await expect
    .poll(async () => (await (await context.request.get(`${siteUrl()}/api/payments/${key}`)).json()).data?.state)
    .toBe("succeeded");
}

/** The user id from the readable cookie. */
async function idOf(context: BrowserContext): Promise<number> {
  return Number((await context.cookies(siteUrl())).find(({ name }) => name === "user")?.value);
}

/** Presses a link or button that opens a PDF in a new tab, and returns the PDF. */
async function readOpenedPdf(page: Page, press: () => Promise<void>): Promise<string> {
  const asked = page.context().waitForEvent("response", (response) => /[?&]key=/.test(response.url()));
  const [tab] = await Promise.all([page.waitForEvent("popup"), press()]);
  const url = (await asked).url();
  await tab.close();
  const pdf = await page.request.get(url);
  expect(pdf.headers()["content-type"]).toBe("application/pdf");
  return readPdf(await pdf.body());
}

test("DON-4, DON-5, PRO-7, PRO-8: a member donates without typing their name, and finds the donation and its receipt", async ({
  page,
  context,
  donor,
  amount,
}) => {
  await logInMember(context, donor.email);
  await page.goto("/donation-history");
  await expect(main(page).getByText("You haven’t donated yet.")).toBeVisible();
  await main(page).getByRole("link", { name: "Donate" }).click();
  await donor.onStep(1);
  for (const [name, value] of [
    ["First Name", "Sana"],
    ["Last Name", "Malik"],
    ["Email", donor.email],
    ["Post Code", "3000"],
  ] as const) {
    await expect(page.getByRole("textbox", { name, exact: true })).toHaveValue(value);
  }
  await expect(page.getByRole("checkbox", { name: /Donate anonymously/ })).toHaveCount(0);
  await donor.next();
  await donor.onStep(2);
  await donor.addLine({ category: "Zakat", amount });
  await donor.next();
  await donor.onStep(3);
  await donor.next();
  await donor.onStep(4);
  await donor.giveByCard();
  await donor.seesSuccess();

  await page.goto("/donation-history");
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(rowsOf(page)).toContainText(/R-\d{6}/);
  await expect(rowsOf(page)).toContainText("Paid");
  await expect(rowsOf(page)).toContainText(/D-\w{4}-\w{4}-\w{4}/);
  const receipt = await readOpenedPdf(page, () =>
    rowsOf(page)
      .getByRole("link", { name: /^Open receipt/ })
      .click(),
  );
  expect(receipt).toContain("Sana Malik");
  expect(receipt).toContain(`$${Number(amount).toLocaleString("en-AU", { minimumFractionDigits: 2 })}`);
});

test("PRO-7, PRO-8, LAY-11: the history has ten rows a page, Previous and Next, a range of days, and a summary once both dates are set", {
  tag: ["@once", "@long"],
}, async ({ page, context, donor }) => {
  await logInMember(context, donor.email);
  const id = await idOf(context);
  for (let count = 0; count < 25; count += 5) {
    await Promise.all(Array.from({ length: 5 }, () => give(context, donor.email, id)));
  }
  await page.goto("/donation-history");
  const seen: string[] = [];
  const see = async (count: number) => {
    await expect(rowsOf(page)).toHaveCount(count);
    seen.push(...(await rowsOf(page).locator(".reference").allInnerTexts()));
  };
  await see(10);
  await expect(page.getByRole("button", { name: "Previous" })).toHaveAttribute("aria-disabled", "true");
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/after=/);
  await see(10);
  await page.getByRole("link", { name: "Next" }).click();
  await see(5);
  expect(new Set(seen).size).toBe(25);
  await expect(page.getByText("These are your oldest donations.")).toBeVisible();
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(rowsOf(page).locator(".reference")).toHaveText(seen.slice(10, 20));
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(rowsOf(page).locator(".reference")).toHaveText(seen.slice(0, 10));

  await expect(download(page)).toHaveAttribute("aria-disabled", "true");
  // Until the form's script has loaded, the server answers in a new tab.
  await page.waitForLoadState("networkidle");
  await page.getByLabel("End date").fill("2090-06-30");
  await download(page).click({ force: true });
  await expect(main(page).getByText("Choose both dates to download a summary.")).toHaveClass(/err/);
  await expect(page.getByLabel("Start date")).toBeFocused();
  await page.getByLabel("Start date").fill("2026-07-01");
  await expect(download(page)).toHaveAttribute("aria-disabled", "false");
  const summary = await readOpenedPdf(page, () => download(page).click());
  expect(summary).toContain("1 July 2026 to 30 June 2090");
  expect(summary).toContain("Total paid in 25 donations: $279.25");

  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL("/donation-history?startDate=2026-07-01&endDate=2090-06-30");
  await expect(rowsOf(page)).toHaveCount(10);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/startDate=2026-07-01&endDate=2090-06-30&after=/);
  await page.goto("/donation-history?startDate=2020-07-01&endDate=2021-06-30");
  await expect(main(page).getByText("You have no donations in this period.")).toBeVisible();
  await page.goto("/donation-history?startDate=2021-07-01&endDate=2020-06-30");
  await expect(main(page).getByText("Choose an end date on or after the start date")).toBeVisible();
});

test("PRO-7: the history is accessible and fits, in light and dark, at 320 pixels and with wide text, empty and full", {
  tag: "@long",
}, async ({ page, context, donor }) => {
  await logInMember(context, donor.email);
  await page.goto("/donation-history");
  await expectAccessible(page, "an empty history");
  const id = await idOf(context);
  await Promise.all(Array.from({ length: 11 }, () => give(context, donor.email, id)));
  await page.goto("/donation-history?startDate=2021-07-01&endDate=2020-06-30");
  await expectAccessible(page, "an invalid range");
  await page.goto("/donation-history");
  await expectAccessible(page, "a full history");
  await page.setViewportSize({ width: 320, height: 800 });
  await page.reload();
  await expectToFit(page, "the history at 320 pixels");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  // Without JavaScript, Chromium reports the page's scripts as refused.
  test.beforeEach(({ expected }) => void expected.push(/\.js csp$/));

  test("PRO-7, PRO-8: the history, its pages, its range and its PDFs also work without JavaScript", {
    tag: ["@once", "@long"],
  }, async ({ page, context, donor }) => {
    await logInMember(context, donor.email);
    const id = await idOf(context);
    await Promise.all(Array.from({ length: 11 }, () => give(context, donor.email, id)));
    await page.goto("/donation-history");
    await expect(rowsOf(page)).toHaveCount(10);
    await page.getByRole("link", { name: "Next" }).click();
    await expect(rowsOf(page)).toHaveCount(1);
    await main(page).getByRole("link", { name: "This financial year" }).click();
    await expect(rowsOf(page)).toHaveCount(10);
    await expect(download(page)).toHaveAttribute("aria-disabled", "false");
    const summary = await readOpenedPdf(page, () => download(page).click());
    expect(summary).toContain("Total paid in 11 donations: $122.87");
  });
});
