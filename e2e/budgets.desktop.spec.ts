import { get } from "node:http";
import type { Page } from "@playwright/test";
import { contentPages } from "#test/public-pages.ts";
import { addAuthenticator } from "./authenticator.ts";
import { becomeGuest } from "./donor.ts";
import { expect, type Site, siteUrl, test } from "./journey.ts";
import { expectStill, watchShifts } from "./layout-shifts.ts";

const kB = 1000;

test("HOME-12: home loads at most 5 kB of script before a carousel is in view, and content pages at most 3 kB in all", async ({
  page,
}) => {
  test.slow();
  const scripts = watchScripts(page);
  await page.goto("/", { waitUntil: "networkidle" });
  expect(await brotliBytes(scripts), scripts.join("\n")).toBeLessThanOrEqual(5 * kB);
  for (const path of Object.keys(contentPages)) {
    scripts.length = 0;
    await page.goto(path, { waitUntil: "networkidle" });
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
    await page.waitForLoadState("networkidle");
    expect(scripts.length, path).toBeGreaterThan(0);
    expect(await brotliBytes(scripts), `${path}: ${scripts.join("\n")}`).toBeLessThanOrEqual(3 * kB);
  }
});

for (const path of ["/contact", "/volunteer", "/login", "/register", "/reset-password", "/selectTickets"]) {
  test(`PAGE-7, LOG-1, VOL-1, TIC-2: the form of ${path} loads at most 100 kB of script in 12 requests`, async ({
    page,
  }) => {
    const scripts = watchScripts(page);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(path, { waitUntil: "networkidle" });
    expect(await brotliBytes(scripts), scripts.join("\n")).toBeLessThanOrEqual(100 * kB);
    expect(requests.filter((url) => url.startsWith("http")).length, requests.join("\n")).toBeLessThanOrEqual(12);
  });
}

test.describe("where there are passkeys", () => {
  test.use({ site: "as-live" });
  test("LOG-1, LOG-24: the log-in that suggests passkeys loads at most 100 kB of script in 12 requests, too", async ({
    page,
  }) => {
    await addAuthenticator(page, { answers: false });
    await page.addInitScript(watchShifts);
    const scripts = watchScripts(page, "as-live");
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto("/login", { waitUntil: "networkidle" });
    expect(requests.filter((url) => url.endsWith("/api/login/passkey/options"))).toHaveLength(1);
    expect(await brotliBytes(scripts), scripts.join("\n")).toBeLessThanOrEqual(100 * kB);
    expect(requests.filter((url) => url.startsWith("http")).length, requests.join("\n")).toBeLessThanOrEqual(12);
    await expectStill(page, "/login");
  });
});

test("DON-4, DON-14: the first step loads at most 100 kB of script in 12 requests, the captcha 30 kB more", async ({
  page,
  donor,
  amount,
}) => {
  await becomeGuest(page, siteUrl());
  const scripts = watchScripts(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto("/donation", { waitUntil: "networkidle" });
  await donor.onStep(1);
  const first = [...scripts];
  expect(await brotliBytes(first), first.join("\n")).toBeLessThanOrEqual(100 * kB);
  expect(requests.filter((url) => url.startsWith("http")).length, requests.join("\n")).toBeLessThanOrEqual(12);
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  await donor.addLine({ category: "Zakat", amount });
  await donor.next();
  await donor.onStep(3);
  scripts.length = 0;
  await donor.next();
  await donor.onStep(4);
  await donor.solveCaptcha();
  expect(scripts.length).toBeGreaterThan(0);
  expect(await brotliBytes(scripts), scripts.join("\n")).toBeLessThanOrEqual(30 * kB);
});

test("TIC-3, TIC-6: the checkout loads at most 104 kB of script in 12 requests, two of which hold the seats; what pays comes with the first touch", async ({
  page,
}) => {
  await page.goto("/selectTickets");
  await page.getByRole("button", { name: "Add one Standard Seat" }).click();
  const scripts = watchScripts(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto("/ticketsCheckout", { waitUntil: "networkidle" });
  await expect(page.getByRole("timer")).toBeVisible();
  expect(await brotliBytes(scripts), scripts.join("\n")).toBeLessThanOrEqual(104 * kB);
  expect(requests.filter((url) => url.startsWith("http")).length, requests.join("\n")).toBeLessThanOrEqual(12);
  scripts.length = 0;
  await page.getByRole("textbox", { name: "Email" }).focus();
  await expect(page.getByRole("button", { name: "Pay $50.00" })).toBeVisible();
  await expect(page.getByRole("option", { name: "Pakistan" })).toBeAttached();
  await expect(page.getByRole("checkbox")).toBeVisible();
  expect(await brotliBytes(scripts), scripts.join("\n")).toBeLessThanOrEqual(40 * kB);
});

test("LAY-8: nothing moves by itself while login, volunteering, donation and tickets load", async ({ page }) => {
  await page.addInitScript(watchShifts);
  await becomeGuest(page, siteUrl());
  for (const path of ["/login", "/register", "/volunteer", "/donation", "/selectTickets"])
    await expectStill(page, path);
});

/** The addresses of our own scripts, workers included, as they are asked for from now on. */
function watchScripts(page: Page, site: Site = "usual"): string[] {
  const scripts: string[] = [];
  page.context().on("request", (request) => {
    const url = request.url();
    if (url.startsWith(siteUrl(site)) && /\.js$/.test(url) && !scripts.includes(url)) scripts.push(url);
  });
  return scripts;
}

/** What these files weigh on the wire, asked for anew with brotli: a browser may not take it over plain HTTP. */
async function brotliBytes(urls: readonly string[]): Promise<number> {
  const sizes = await Promise.all(urls.map(bytesOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function bytesOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": "br" } }, (response) => {
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      response.on("end", () => resolve(bytes));
      response.on("error", reject);
    }).on("error", reject);
  });
}
