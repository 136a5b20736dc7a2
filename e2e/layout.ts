import type { Page } from "@playwright/test";

/** The widths at which every page is checked. */
export const widths = [1440, 1280, 1024, 844, 768, 390, 320] as const;

/** Pixels by which the page is too wide, clipped text, and broken words and numbers (LAY-13, LAY-14). */
export function findLayoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults = new Set<string>();
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.add(`${scrollWidth - clientWidth} pixels too wide`);
    const numbers =
      /\d{1,2}\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?:\s\d{4})?|\d{1,2}:\d\d(?:\s[AP]M)?|\$[\d,.]+(?:\sAUD)?|\+?\d+(?:\s\d+)+/gi;
    const range = document.createRange();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode() as Text | null; text !== null; text = texts.nextNode() as Text | null) {
      const parent = text.parentElement!;
      if (text.data.trim() === "" || !parent.checkVisibility({ visibilityProperty: true })) continue;
      // Only for screen readers, or reached by scrolling a carousel.
      if (parent.closest(".sr, .skip, .trap, .car-track, noscript, option")) continue;
      const ancestors: Element[] = [];
      for (let one: Element | null = parent; one !== null; one = one.parentElement) ancestors.push(one);
      if (ancestors.some((one) => getComputedStyle(one).clipPath === "inset(50%)")) continue;
      const said = `'${text.data.trim().slice(0, 40)}' in ${parent.tagName}.${parent.className}`;
      const clip = ancestors.find((one) => getComputedStyle(one).overflow !== "visible" && one !== document.body);
      const frame = clip?.getBoundingClientRect() ?? new DOMRect(0, 0, clientWidth, Number.POSITIVE_INFINITY);
      const countLines = (from: number, length: number) => {
        range.setStart(text!, from);
        range.setEnd(text!, from + length);
        const shown = [...range.getClientRects()].filter(({ width }) => width > 0);
        return new Set(shown.map(({ top }) => Math.round(top))).size;
      };
      range.selectNodeContents(text);
      for (const { left, right, top, bottom } of range.getClientRects()) {
        const isOut = left < frame.left - 1 || right > frame.right + 1;
        if (isOut || (clip !== undefined && (top < frame.top - 2 || bottom > frame.bottom + 2)))
          faults.add(`cut off: ${said}`);
      }
      for (const { index, 0: number } of text.data.matchAll(numbers)) {
        const lines = countLines(index, number.length);
        if (lines > 1) faults.add(`${number} goes over ${lines} lines: ${said}`);
      }
      if (countLines(0, text.length) === 1) continue;
      for (const { index, 0: word } of text.data.matchAll(/[\p{L}\p{M}\p{N}’'.,$%]+/gu)) {
        // An address of an email or a page may be longer than a line; a `wbr` divides that of an email into two texts.
        const unspaced = /\S*$/.exec(text.data.slice(0, index))![0] + /^\S*/.exec(text.data.slice(index))![0];
        const isAddress = /@|\/\/|\.au$/.test(
          text.nextSibling?.nodeName === "WBR" ? text.parentElement!.innerText : unspaced,
        );
        if (!isAddress && countLines(index, word.length) > 1) faults.add(`the word '${word}' is broken: ${said}`);
      }
    }
    return [...faults];
  });
}

/** Doubles the text size, as a browser setting does. */
export const doubleText = (page: Page) => styleAs(page, "html { font-size: 200% }");

/** The text spacing that a reader may choose (WCAG 1.4.12). */
export const spaceText = (page: Page) =>
  styleAs(
    page,
    `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
     p { margin-block-end: 2em !important }`,
  );

export const styleAsDesigned = (page: Page) => styleAs(page, "");

/** In place of an earlier style of this kind. It is a constructed sheet, because the page's policy refuses an element. */
async function styleAs(page: Page, styles: string): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, styles);
}

/** Text, fields and buttons that the badge covers at some scroll position, and whether it floats at all. */
export function findCovered(page: Page): Promise<{ floats: boolean; covered: string[] }> {
  return page.evaluate(() => {
    const badge = document.querySelector(".float-badge")!;
    if (getComputedStyle(badge).position !== "fixed") return { floats: false, covered: [] };
    const place = badge.getBoundingClientRect();
    const range = document.createRange();
    const covered: string[] = [];
    const highest = document.documentElement.scrollHeight - innerHeight;
    const note = (box: DOMRect, name: string) => {
      // The scroll position at which the box is behind the badge.
      const from = box.top + scrollY - place.bottom;
      const to = box.bottom + scrollY - place.top;
      const isBeside = box.left < place.right && box.right > place.left;
      if (isBeside && box.width > 0 && to > 0 && from < highest) covered.push(name);
    };
    for (const element of document.querySelectorAll("body *")) {
      if (badge.contains(element) || !element.checkVisibility() || element.closest(".sr, .skip, .trap, dialog"))
        continue;
      if (element.matches("a, button, input, select, textarea, summary"))
        note(element.getBoundingClientRect(), element.outerHTML.slice(0, 80));
      for (const text of element.childNodes) {
        if (text.nodeType !== Node.TEXT_NODE || text.textContent?.trim() === "") continue;
        range.selectNodeContents(text);
        for (const box of range.getClientRects()) note(box, text.textContent!.trim().slice(0, 60));
      }
    }
    return { floats: true, covered };
  });
}
