import type { BrowserContext, Page } from "@playwright/test";

/** Runs `visit` on each path in its own tab, four at a time, so that a page waiting for quiet does not hold up the rest. */
export async function visitInTabs(
  context: BrowserContext,
  paths: readonly string[],
  visit: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  const rest = [...paths];
  const work = async () => {
    for (let path = rest.shift(); path !== undefined; path = rest.shift()) {
      const page = await context.newPage();
      await visit(page, path);
      await page.close();
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
}
