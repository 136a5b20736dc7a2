import { expect, test } from "./journey.ts";
import { visitInTabs } from "./tabs.ts";

const english =
  "The quick brown fox jumps over THE LAZY DOG: 0123456789 !\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~ £§©«®°·»×–—‘’‚“”„•…€™−";
const accented = "Zoë José Siobhán GARCÍA Ærø Œuvre ñ ß ¼ ½ ¾ ± ¿ ¡ ¶ ‹ ›";

test("PAGE-13: a page in English loads two files of fonts of at most 26 kB together", async ({ context }) => {
  await visitInTabs(
    context,
    ["/", "/news", "/gallery", "/events", "/vision", "/contact", "/login"],
    async (tab, path) => {
      const fonts: string[] = [];
      const sizes: Promise<number>[] = [];
      tab.on("response", (answer) => {
        if (!answer.url().endsWith(".woff2")) return;
        fonts.push(answer.url());
        sizes.push(answer.body().then((body) => body.length));
      });
      await tab.goto(path, { waitUntil: "networkidle" });
      expect(fonts, path).toHaveLength(2);
      expect(
        (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
        path,
      ).toBeLessThanOrEqual(26 * 1024);
    },
  );
});

test("PAGE-13: English and accented letters are drawn with the site's own fonts", async ({ page }) => {
  await page.goto("/vision", { waitUntil: "networkidle" });
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const accentedFiles: string[] = [];
  page.on("request", (request) => request.url().includes("-accented-") && accentedFiles.push(request.url()));
  for (const [text, files] of [
    [english, 0],
    [accented, 3],
  ] as const) {
    await page.evaluate((words) => {
      document.querySelector("main")!.replaceChildren(
        ...["display", "text", "italic"].map((id) => {
          const line = document.createElement("p");
          Object.assign(line, { id, textContent: words });
          line.style.fontFamily = id === "display" ? "var(--font-display)" : "var(--font-text)";
          line.style.fontStyle = id === "italic" ? "italic" : "normal";
          return line;
        }),
      );
    }, text);
    await page.evaluate(() => document.fonts.ready);
    await page.waitForLoadState("networkidle");
    const { root } = await session.send("DOM.getDocument");
    for (const id of ["display", "text", "italic"]) {
      const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector: `#${id}` });
      const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
      expect(
        fonts.filter(({ isCustomFont }) => !isCustomFont),
        `${id}: ${text}`,
      ).toEqual([]);
    }
    expect(accentedFiles).toHaveLength(files);
  }
});
