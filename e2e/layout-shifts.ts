import { type BrowserContext, expect, type Page } from "@playwright/test";

type Source = { readonly node?: Node | null; readonly previousRect: DOMRect; readonly currentRect: DOMRect };
type Shift = PerformanceEntry & { readonly value: number; readonly sources: readonly Source[] };

/**
 * Records what moves on pages from now on, and by how much. Pages get no fonts, because how far a late font moves the
 * text depends on the machine's own fonts. Call it before the first page, which would leave our fonts in the browser's
 * cache. `expected` is the journey's.
 */
export async function watchShifts(context: BrowserContext, expected: RegExp[]): Promise<void> {
  expected.push(/\.woff2/);
  await context.route("**/*.woff2", (route) => route.abort());
  await context.addInitScript(() => {
    const shifts: unknown[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
          // A text has no HTML of its own.
          const shown = node instanceof Element ? node.outerHTML : node?.textContent;
          return { shown: shown?.slice(0, 120) ?? "is gone", from: previousRect, to: currentRect };
        });
        shifts.push({ value: entry.value, at: entry.startTime, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Opens a page after `watchShifts`; nothing may move until it has loaded fully. */
export async function expectStill(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: "networkidle" });
  await expectNoShifts(page, path);
}

/** Nothing has moved on the page that is open. */
export async function expectNoShifts(page: Page, path: string): Promise<void> {
  await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
  const shifts = await page.evaluate(() => (window as Window & { shifts?: { value: number }[] }).shifts ?? []);
  const score = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(score, `${path}: ${JSON.stringify(shifts)}`).toBeLessThan(0.001);
}
