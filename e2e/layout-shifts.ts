import { expect, type Page } from "@playwright/test";

/** For `addInitScript`: notes what moves in the page, and by how much. */
export function watchShifts(): void {
  const shifts: unknown[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; sources: { node?: Element }[] }[]) {
      shifts.push({ value: entry.value, moved: entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120)) });
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Opens a page that `watchShifts` watches; nothing moves by itself until all of it is there. */
export async function expectStill(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: "networkidle" });
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
  const shifts = await page.evaluate(() => (window as unknown as { shifts: { value: number }[] }).shifts);
  // A font that comes after the first paint, as on a busy machine, differs from its stand-in by a few pixels of the menu:
  // up to 0.009 was seen. From 0.1 on people notice (Core Web Vitals).
  const score = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(score, `${path}: ${JSON.stringify(shifts)}`).toBeLessThan(0.015);
}
