import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** No rule of axe is broken by what the page shows now; in dark only colours can differ, so only they are looked at. */
export async function expectAccessible(
  page: Page,
  what: string,
  schemes: readonly ("light" | "dark")[] = ["light", "dark"],
): Promise<void> {
  // Half under the header that stays in view, a button would count as too small.
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The card frame is the bank's own page. Without it axe needs no second page to gather its results, which is slow.
    const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });
    const { violations } = await (colorScheme === "light"
      ? axe.withTags(tags)
      : axe.withRules("color-contrast")
    ).analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary?.replace(/\s+/g, " ")}`),
    );
    expect(found, `axe on ${what}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: null });
}

/** Nothing makes the page scroll sideways, as it is or under the text spacing that people may set (WCAG 1.4.10, 1.4.12). */
export async function expectToFit(page: Page, what: string): Promise<void> {
  const overflow = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
  expect(await overflow(), `${what}: pixels too wide`).toBeLessThanOrEqual(0);
  const spacing =
    "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }";
  const sheet = await page.evaluateHandle((text) => {
    // A constructed sheet: the page's policy refuses a style element.
    const constructed = new CSSStyleSheet();
    constructed.replaceSync(`${text} p { margin-block-end: 2em !important }`);
    document.adoptedStyleSheets.push(constructed);
    return constructed;
  }, spacing);
  expect(await overflow(), `${what} with text spacing: pixels too wide`).toBeLessThanOrEqual(0);
  await sheet.evaluate((constructed) => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== constructed);
  });
}
