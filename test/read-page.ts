import { JSDOM } from "jsdom";

let window: InstanceType<typeof JSDOM>["window"] | undefined;

/** The document of a page, whose scripts do not run. One window serves all pages: making one takes twenty times as long. */
export function readPage(html: string): Document {
  window ??= new JSDOM("").window;
  return new window.DOMParser().parseFromString(html, "text/html");
}
