import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import type { Role } from "#admin/rights.ts";
import { createStaffSessions } from "#admin/staff-sessions.ts";
import { makeStaff } from "#database/factories.ts";
import { createDatabase, createPool } from "#shared/database/connect.ts";
import { isLongRun } from "#test/long-run.ts";
import { expectAccessible, expectToFit } from "./accessible.ts";
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
  // To look it up by its role and name each time would take longer than to press the key.
  let element = await target.elementHandle();
  for (let presses = 0; presses < 120; presses += 1) {
    const found = await element!.evaluate((node) => {
      const isThere = (node as Element).checkVisibility({ visibilityProperty: true });
      return isThere ? node === document.activeElement : "replaced";
    });
    if (found === true) return;
    if (found === "replaced") element = await target.elementHandle();
    else await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not reach ${target}.`);
}

/** Focuses and presses it by the keyboard alone. */
export async function pressByKey(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Tabs, links of lists and what opens details, if they are below 24 pixels either way (WCAG 2.5.8). */
const findSmallTargets = (page: Page) =>
  page.locator(".views a, .crumbs a, table.cards tbody a, summary, .lk").evaluateAll((targets) =>
    targets
      .filter((target) => target.checkVisibility({ visibilityProperty: true }))
      .filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        return width < 24 || height < 24;
      })
      .map(({ textContent }) => textContent),
  );

/**
 * The screen as it is now breaks no rule of axe and fits, on a desktop and on a phone, light and dark: `npm test` leaves
 * dark, and axe on a phone, to the long run. `PICTURES` names a folder that gets a picture of each.
 */
export async function expectGoodScreen(page: Page, what: string): Promise<void> {
  const own = page.viewportSize()!;
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    if (width === 1440 || isLongRun) await expectAccessible(page, `${what} at ${width} px`);
    await expectToFit(page, `${what} at ${width} px`);
    if (width === 390) expect(await findSmallTargets(page), `${what}: too small to touch`).toEqual([]);
    const folder = process.env.PICTURES;
    if (folder) await page.screenshot({ path: join(folder, `${what} ${width}.png`), fullPage: true });
  }
  await page.setViewportSize(own);
}
