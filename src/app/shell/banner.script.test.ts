// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  document.body.innerHTML =
    '<aside class="banner"><button type="button" data-close-banner>x</button></aside><p>text</p>';
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
  localStorage.clear();
});

/** Opens a page with this banner; says whether the banner was closed before anything was painted. */
async function open(key: string): Promise<boolean> {
  const script = Object.assign(document.createElement("script"), { type: "none" });
  script.dataset.banner = key;
  vi.spyOn(document, "currentScript", "get").mockReturnValue(script);
  vi.resetModules();
  await import("./banner.script.ts");
  return isClosed();
}
const isClosed = () => document.documentElement.hasAttribute("data-banner-closed");
const press = (selector: string) => document.querySelector<HTMLElement>(selector)!.click();

test("BAN-3: a banner that was closed stays closed in this browser, and another one shows", async () => {
  expect(await open("1-2026")).toBe(false);
  press("p");
  expect(isClosed()).toBe(false);
  press("button");
  expect(isClosed()).toBe(true);
  expect(await open("1-2026")).toBe(true);
  expect(await open("2-2026")).toBe(false);
  expect(await open("1-2026")).toBe(true);
});

test("BAN-3: with storage switched off it shows, and closes on its page", async () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(refuse);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse);
  expect(await open("3-2026")).toBe(false);
  press("button");
  expect(isClosed()).toBe(true);
});
