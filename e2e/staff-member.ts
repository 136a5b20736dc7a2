import type { Locator, Page } from "@playwright/test";
import type { Role } from "#admin/rights.ts";
import { createStaffSessions } from "#admin/staff-sessions.ts";
import { makeStaff } from "#database/factories.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { isLongRun } from "#test/long-run.ts";
import { expectAccessible, expectToFit, usualSchemes } from "./accessible.ts";
import { databaseOf, expect, siteUrl } from "./journey.ts";

/** Adds a member of staff and logs this browser in. Returns who it is. */
export const logInStaff = (page: Page, name: string, ...roles: Role[]) =>
  logInStaffAt({ url: siteUrl(), databaseUrl: databaseOf("usual") }, page, name, ...roles);

/** The same at a journey's own site. */
export async function logInStaffAt(
  site: { readonly url: string; readonly databaseUrl: string },
  page: Page,
  name: string,
  ...roles: Role[]
) {
  const database = createDatabase(createPool(site.databaseUrl, () => undefined));
  const { id, email } = await makeStaff(database, { name, roles });
  const sessions = createStaffSessions({ database, now: () => new Date(), isSecure: false });
  const request = { cookies: {}, ip: "127.0.0.1", headers: { "user-agent": "Journey" } };
  const value = await sessions.begin(database, id, request as never);
  await database.destroy();
  await page.context().addCookies([{ name: "staff", value, url: site.url }]);
  return { id, name, email, roles };
}

/** Presses Tab until this has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 120; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not reach ${target}.`);
}

/** Focuses and presses it by the keyboard alone. */
export async function pressByKey(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/**
 * The screen as it is now breaks no rule of axe and fits, on a desktop and on a phone, light and dark: `npm test` leaves
 * dark, and axe on a phone, to the long run unless `isWhole` is set.
 */
export async function expectGoodScreen(page: Page, what: string, isWhole = isLongRun): Promise<void> {
  const schemes = isWhole ? (["light", "dark"] as const) : usualSchemes;
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    if (width === 1440 || isWhole) await expectAccessible(page, `${what} at ${width} px`, schemes);
    await expectToFit(page, `${what} at ${width} px`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
