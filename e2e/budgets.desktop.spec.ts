import { readFileSync } from "node:fs";
import type { BrowserContext } from "@playwright/test";
import { USER_KEY } from "#shared/ui/session-record.ts";
import { contentPages } from "#test/public-pages.ts";
import { addAuthenticator } from "./authenticator.ts";
import { becomeGuest } from "./donor.ts";
import { expect, siteUrl, test } from "./journey.ts";
import { expectNoShifts, expectStill, watchShifts } from "./layout-shifts.ts";
import { logInMember } from "./member.ts";
import { brotliBytes, expectLightForm, kB, watchScripts } from "./script-budget.ts";
import { logInStaff } from "./staff-member.ts";
import { visitInTabs } from "./tabs.ts";
import { serveInTwoParts } from "./two-parts.ts";

test("HOME-12: home loads at most 5 kB of script before a carousel is in view, and the gallery at most 3 kB in all", async ({
  page,
  context,
}) => {
  const atHome = watchScripts(page);
  await page.goto("/", { waitUntil: "networkidle" });
  expect(await brotliBytes(atHome), atHome.join("\n")).toBeLessThanOrEqual(5 * kB);
  await expectFewScripts(context, ["/gallery"]);
});

test("HOME-12: content pages load at most 3 kB of script in all", { tag: "@long" }, ({ context }) =>
  expectFewScripts(context, Object.keys(contentPages)),
);

async function expectFewScripts(context: BrowserContext, paths: readonly string[]) {
  await visitInTabs(context, paths, async (tab, path) => {
    const scripts: string[] = [];
    tab.on("request", (request) => request.url().endsWith(".js") && scripts.push(request.url()));
    await tab.goto(path, { waitUntil: "networkidle" });
    await tab.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
    await tab.waitForLoadState("networkidle");
    expect(scripts.length, path).toBeGreaterThan(0);
    expect(await brotliBytes(scripts), `${path}: ${scripts.join("\n")}`).toBeLessThanOrEqual(3 * kB);
  });
}

const forms = ["/contact", "/volunteer", "/login", "/register", "/reset-password", "/selectTickets"];
/** They load the same as the log-in. */
const alike = ["/register", "/reset-password"];
for (const path of forms) {
  const tag = alike.includes(path) ? ["@long"] : [];
  test(
    `PAGE-7, LOG-1, VOL-1, TIC-2: the form of ${path} loads at most 95 kB of script in 12 requests`,
    { tag },
    ({ page }) => expectLightForm(page, path),
  );
}

test("PRO-1: each page of a profile loads at most 95 kB of script in 12 requests", async ({ page, context, donor }) => {
  await logInMember(context, donor.email);
  // The tab knows who is logged in, as after every log-in, and has nothing else stored.
  await page.goto("/");
  await expect.poll(() => page.evaluate((key) => sessionStorage.getItem(key), USER_KEY)).not.toBeNull();
  await (await context.newCDPSession(page)).send("Network.setCacheDisabled", { cacheDisabled: true });
  for (const path of ["/profile", "/edit-profile", "/change-password", "/verify-email"]) {
    await expectLightForm(page, path);
  }
});

test.describe("where there are passkeys", () => {
  test.use({ site: "as-live" });
  test("LOG-1, LOG-24: a log-in that suggests passkeys also loads at most 95 kB of script in 12 requests", async ({
    page,
  }) => {
    await addAuthenticator(page, { answers: false });
    // The page requests it when idle, which may be later than the rest.
    const suggested = page.waitForResponse((answer) => answer.url().endsWith("/api/login/passkey/options"));
    const requests = await expectLightForm(page, "/login", async () => void (await suggested));
    expect(requests.filter((url) => url.endsWith("/api/login/passkey/options"))).toHaveLength(1);
  });

  test("LAY-8: the layout does not shift while a log-in that suggests passkeys loads", async ({
    page,
    context,
    expected,
  }) => {
    await addAuthenticator(page, { answers: false });
    await watchShifts(context, expected);
    await expectStill(page, "/login");
  });
});

test("DON-4, DON-14: the first step loads at most 95 kB of script in 12 requests, the captcha 30 kB more", async ({
  page,
  donor,
  amount,
}) => {
  await becomeGuest(page, siteUrl());
  await expectLightForm(page, "/donation", () => donor.onStep(1));
  await donor.fillPersonal();
  await donor.next();
  await donor.onStep(2);
  await donor.addLine({ category: "Zakat", amount });
  await donor.next();
  await donor.onStep(3);
  const scripts = watchScripts(page);
  await donor.next();
  await donor.onStep(4);
  await donor.solveCaptcha();
  expect(scripts.length).toBeGreaterThan(0);
  expect(await brotliBytes(scripts), scripts.join("\n")).toBeLessThanOrEqual(30 * kB);
});

test("TIC-3, TIC-6: the checkout loads at most 95 kB of script in 12 requests, two of which hold the seats; payment scripts come with the first touch", async ({
  page,
}) => {
  await page.goto("/selectTickets");
  await page.getByRole("button", { name: "Add one Standard Seat" }).click();
  await expectLightForm(page, "/ticketsCheckout", () => expect(page.getByRole("timer")).toBeVisible());
  const scripts = watchScripts(page);
  await page.getByRole("textbox", { name: "Email" }).focus();
  await expect(page.getByRole("button", { name: "Pay $50.00" })).toBeVisible();
  await expect(page.getByRole("option", { name: "Pakistan" })).toBeAttached();
  await expect(page.getByRole("checkbox")).toBeVisible();
  expect(await brotliBytes(scripts), scripts.join("\n")).toBeLessThanOrEqual(40 * kB);
});

test("LAY-8: the layout does not shift while login, volunteering, donation and tickets load", async ({
  page,
  context,
  expected,
}) => {
  await watchShifts(context, expected);
  await becomeGuest(page, siteUrl());
  for (const path of ["/login", "/register", "/volunteer", "/donation", "/selectTickets"])
    await expectStill(page, path);
});

test("LAY-8: neither the header nor the note below a form shifts when the rest of it comes late", async ({
  page,
  context,
  expected,
}) => {
  await watchShifts(context, expected);
  for (const before of ['<a class="mail"', '<div class="head-actions"', '<a class="btn btn-cta"', "</a>.</p>"]) {
    const slow = await serveInTwoParts(siteUrl(), "/login", before);
    await page.goto(`${slow.url}/login`, { waitUntil: "commit" });
    await page.waitForFunction(() => performance.getEntriesByType("paint").length > 0);
    slow.sendRest();
    await page.waitForLoadState("load");
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    await expectNoShifts(page, before);
    slow.stop();
  }
});

test("PAGE-12: cheap phones load pictures no wider than they can show", async ({ browser }) => {
  for (const [width, deviceScaleFactor] of [
    [360, 2],
    [412, 1.75],
  ] as const) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, deviceScaleFactor, isMobile: true });
    const page = await context.newPage();
    for (const path of ["/news", "/gallery", "/events", "/events/flood-relief-campaign"]) {
      await page.goto(siteUrl() + path, { waitUntil: "networkidle" });
      const loaded = await page.evaluate(() =>
        [...document.images].map(({ currentSrc }) => currentSrc).filter((address) => address.includes("/images/")),
      );
      expect(loaded.length, path).toBeGreaterThan(0);
      expect(
        loaded.filter((address) => !/\/(320|480|640)\.\w+$/.test(address)),
        `${path} at ${width}`,
      ).toEqual([]);
    }
    await context.close();
  }
});

test("ADM-9: a visitor's pages load nothing of the back office, and never name it", async ({ page }) => {
  const files = Object.values(
    JSON.parse(readFileSync("dist/client/.vite/admin-manifest.json", "utf8")) as Record<string, { file: string }>,
  )
    .map(({ file }) => `/${file}`)
    // Fonts are shared: the same bytes at the same address.
    .filter((file) => /\.(css|js)$/.test(file));
  expect(files.some((file) => file.endsWith(".css"))).toBe(true);
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  for (const path of ["/", "/gallery", "/login", "/volunteer", "/contact", "/events"]) {
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    expect(await page.content(), path).not.toMatch(/\/admin\b|back.office/i);
  }
  expect(loaded.filter((path) => files.includes(path) || /admin|back-office/.test(path))).toEqual([]);
  expect(loaded.length).toBeGreaterThan(20);
});

test("ADM-9: a screen of the back office loads only the scripts that it uses", async ({ page }) => {
  await logInStaff(page, "Noor Siddiqui", "administrator");
  for (const [path, used] of [
    ["/admin", ["palette", "places"]],
    ["/admin/donations", ["choose-rows", "palette", "places"]],
    ["/admin/settings/brand", ["check-connection", "colour-field", "palette", "picture", "places"]],
  ] as const) {
    const scripts = watchScripts(page);
    await page.goto(path, { waitUntil: "networkidle" });
    const names = scripts.flatMap((script) => /([\w-]+)\.admin-/.exec(script)?.[1] ?? []);
    expect(names.sort(), path).toEqual(used);
    expect(await brotliBytes(scripts), scripts.join("\n")).toBeLessThanOrEqual(8 * kB);
  }
});
