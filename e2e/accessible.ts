import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";
import { isLongRun } from "#test/long-run.ts";
import { spaceText, styleAsDesigned } from "./layout.ts";

type Scheme = "light" | "dark";
/** In `npm test` a page is checked in light: `/dev/parts` shows every part in dark, and the long run every page. */
export const usualSchemes: readonly Scheme[] = isLongRun ? ["light", "dark"] : ["light"];

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The page as it is now breaks no rule of axe. In dark only colours can differ, so only they are checked. */
export async function expectAccessible(
  page: Page,
  what: string,
  schemes: readonly Scheme[] = usualSchemes,
): Promise<void> {
  // Scrolls to the top, because a button half under the sticky header would count as too small.
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await runAxe(page, colorScheme === "light" ? tags : ["color-contrast"]);
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary?.replace(/\s+/g, " ")}`),
    );
    expect(found, `axe on ${what}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  // Changes the colours before motion is allowed again: otherwise the next check would measure a colour while it fades.
  await page.evaluate(() => document.body.offsetHeight);
  await page.emulateMedia({ reducedMotion: null });
}

/** The minified axe: half of what a check costs is to load it. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Loads axe once per page. Frames, such as the card's, are not ours. Only the rule on fixed orientation looks at loaded
 * stylesheets (`preload`), which takes as long as the other rules: the long run has it.
 */
async function runAxe(page: Page, runOnly: readonly string[]): Promise<axe.AxeResults> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const options: axe.RunOptions = {
    runOnly: [...runOnly],
    resultTypes: ["violations"],
    iframes: false,
    preload: isLongRun,
  };
  return page.evaluate((options) => (window as unknown as { axe: typeof axe }).axe.run(document, options), options);
}

/** Nothing makes the page scroll sideways, with its own text spacing or a reader's (WCAG 1.4.10, 1.4.12). */
export async function expectToFit(page: Page, what: string): Promise<void> {
  const overflow = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
  expect(await overflow(), `${what}: pixels too wide`).toBeLessThanOrEqual(0);
  await spaceText(page);
  expect(await overflow(), `${what} with text spacing: pixels too wide`).toBeLessThanOrEqual(0);
  await styleAsDesigned(page);
}
