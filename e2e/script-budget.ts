import { get } from "node:http";
import { expect, type Page } from "@playwright/test";

export const kB = 1000;

/**
 * Opens a page with a form and waits until it requests nothing more. 100 kB of script are allowed in 12 requests of any
 * kind; 5 kB of that are reserved for future features. Returns all requests.
 */
export async function expectLightForm(page: Page, path: string, untilReady?: () => Promise<void>): Promise<string[]> {
  const scripts = watchScripts(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(path, { waitUntil: "networkidle" });
  await untilReady?.();
  const fetched = requests.filter((url) => url.startsWith("http"));
  const bytes = await brotliBytes(scripts);
  expect(scripts.length, path).toBeGreaterThan(0);
  expect(bytes, [path, ...scripts].join("\n")).toBeLessThanOrEqual(95 * kB);
  expect(fetched.length, [path, ...fetched].join("\n")).toBeLessThanOrEqual(12);
  return requests;
}

/** The addresses of our own scripts, workers included, that are requested from now on. */
export function watchScripts(page: Page): string[] {
  const scripts: string[] = [];
  page.context().on("request", (request) => {
    const url = request.url();
    if (/^https?:\/\/[^/]+\/assets\/[^?]+\.js$/.test(url) && !scripts.includes(url)) scripts.push(url);
  });
  return scripts;
}

/** The size of these files under brotli; a browser may not accept brotli over plain HTTP, so they are fetched again. */
export async function brotliBytes(urls: readonly string[]): Promise<number> {
  const sizes = await Promise.all(urls.map(bytesOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function bytesOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": "br" } }, (response) => {
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      response.on("end", () => resolve(bytes));
      response.on("error", reject);
    }).on("error", reject);
  });
}
