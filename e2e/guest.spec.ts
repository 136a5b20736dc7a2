import type { Page } from "@playwright/test";
import { becomeGuest } from "./donor.ts";
import { expect, siteUrl, test } from "./journey.ts";

const guestLink = (page: Page) => page.getByRole("main").getByRole("link", { name: "Continue As a Guest User" });

/** The addresses that the page visits, in order, and the headings painted there. */
async function watchPage(page: Page): Promise<{ addresses: string[]; painted: string[] }> {
  const seen = { addresses: [] as string[], painted: [] as string[] };
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) seen.addresses.push(frame.url().replace(siteUrl(), ""));
  });
  await page.exposeFunction("notePainted", (heading: string) => void seen.painted.push(heading));
  await page.addInitScript(() => {
    const note = () => {
      const heading = document.querySelector<HTMLElement>("h1");
      const text = heading?.checkVisibility() ? (heading.textContent ?? "") : "";
      if (text !== "") (window as Window & { notePainted?(text: string): void }).notePainted?.(text);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  return seen;
}

test("DON-2, NAV-6, NAV-7: a visitor who is neither logged in nor a guest gets the log-in, never the form, and returns to the cause they chose", {
  tag: "@long",
}, async ({ page, donor }) => {
  const seen = await watchPage(page);
  await page.goto("/donation?cause=ambulance-fund");
  await expect(guestLink(page)).toHaveAttribute("href", /\/login\/guest\?return=/);
  await expect(page).toHaveURL("/login?return=%2Fdonation%3Fcause%3Dambulance-fund");
  expect(seen.addresses).toEqual(["/login?return=%2Fdonation%3Fcause%3Dambulance-fund"]);
  expect(new Set(seen.painted)).toEqual(new Set(["Log in"]));

  await guestLink(page).click();
  await donor.onStep(1);
  expect(seen.addresses).toContain("/donation?cause=ambulance-fund");
  expect(await page.evaluate(() => localStorage.getItem("guest"))).toBe("true");
  await page.goto("/login?return=https%3A%2F%2Felsewhere.example");
  await guestLink(page).click();
  await expect(page).toHaveURL("/donation");
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Donate", exact: true }).click();
  await expect(page).toHaveURL("/donation");
});

test("DON-2, LOG-3: a guest without the cookie goes straight back to the form, and may still log in", {
  tag: "@once",
}, async ({ page, context, donor }) => {
  await becomeGuest(page, siteUrl());
  await page.goto("/contact");
  await context.clearCookies({ name: "guest" });
  const seen = await watchPage(page);
  await page.goto("/donation?cause=ambulance-fund").catch(ignoreLeaving);
  await donor.onStep(1);
  expect(seen.addresses).toContain("/donation?cause=ambulance-fund");
  expect(seen.painted).not.toContain("Log in");
  expect((await context.cookies()).find(({ name }) => name === "guest")).toMatchObject({
    value: "true",
    sameSite: "Lax",
  });

  await context.clearCookies({ name: "guest" });
  for (const path of ["/login", "/login?return=%2Fprofile", "/login?return=%2Fdonation-history"]) {
    await page.goto(path);
    await expect(guestLink(page)).toHaveAttribute("href", /\/login\/guest/);
    await expect(page).toHaveURL(path);
  }
});

test("DON-2: an expired session leads to the log-in once, and both tabs stay there", {
  tag: ["@once", "@long"],
}, async ({ page, context, expected }) => {
  expected.push(/401/);
  const stale = { value: "A".repeat(43), url: siteUrl() };
  await context.addCookies([
    { ...stale, name: "session" },
    { ...stale, name: "user", value: "7" },
  ]);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    const seen = await watchPage(tab);
    await tab.goto("/donation");
    await expect(guestLink(tab)).toHaveAttribute("href", /\/login\/guest\?return=/);
    await expect.poll(() => tab.evaluate(() => document.cookie)).not.toContain("user=");
    expect(seen.addresses).toEqual(["/login?return=%2Fdonation"]);
  }
  await guestLink(page).click();
  await expect(page).toHaveURL("/donation");
  await other.reload();
  await expect(other).toHaveURL("/login?return=%2Fdonation");
  await guestLink(other).click();
  await expect(other).toHaveURL("/donation");
});

test("LOG-3: without local storage a guest can still donate; without cookies the log-in offers another way, and no page redirects in a circle", {
  tag: ["@once", "@long"],
}, async ({ page, donor, browser }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("off", "SecurityError");
      },
    });
  });
  await page.goto("/donation");
  await guestLink(page).click();
  await donor.onStep(1);

  const context = await browser.newContext({ baseURL: siteUrl() });
  await context.addInitScript(() => {
    localStorage.setItem("guest", "true");
    Object.defineProperty(Document.prototype, "cookie", { get: () => "", set: () => undefined });
    Object.defineProperty(Navigator.prototype, "cookieEnabled", { get: () => false });
  });
  await context.route("**/login/guest**", (route) =>
    route.fulfill({ status: 302, headers: { location: "/donation" } }),
  );
  const without = await context.newPage();
  const seen = await watchPage(without);
  await without.goto("/donation");
  await expect(without.getByText(/need cookies, which your browser blocks/)).toBeVisible();
  await expect(without.getByText(/BSB 111-111/).filter({ visible: true })).toBeVisible();
  await guestLink(without).click();
  await expect(without).toHaveURL("/login?return=%2Fdonation");
  await expect(without.getByText(/need cookies, which your browser blocks/)).toBeVisible();
  expect(seen.addresses).toEqual(Array(2).fill("/login?return=%2Fdonation"));
  await context.close();
});

/** Opens a page that redirects before it has loaded. */
function ignoreLeaving(error: Error) {
  if (!/ERR_ABORTED|interrupted by another navigation/.test(error.message)) throw error;
}
