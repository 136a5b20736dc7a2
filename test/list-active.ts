import { readPage } from "./read-page.ts";

/** What could run or lead out of a page, besides what the site itself puts there. */
export function listActive(html: string): string[] {
  const page = readPage(html);
  const handlers = [...page.querySelectorAll("*")].flatMap((element) =>
    element.getAttributeNames().filter((name) => /^on|^(?:srcdoc|formaction)$/.test(name) && !isOurs(element, name)),
  );
  const addresses = [...page.querySelectorAll("[href], [src], [action]")]
    .flatMap((element) => ["href", "src", "action"].map((name) => element.getAttribute(name) ?? ""))
    .filter((address) => /^[\s\p{Cc}]*(?:javascript|vbscript|data:text)/iu.test(address));
  const scripts = [...page.querySelectorAll("script")]
    .filter((script) => !/^(?:application\/(?:ld\+)?json|speculationrules)$/.test(script.type))
    .filter((script) => !/^\/assets\/[\w.-]+\.[jt]s$/.test(script.getAttribute("src") ?? ""));
  const frames = page.querySelectorAll("iframe, object, embed, base, frame, math, style, meta[http-equiv], marquee");
  return [
    ...handlers,
    ...addresses,
    ...scripts.map(({ outerHTML }) => outerHTML),
    ...[...frames].map(({ outerHTML }) => outerHTML),
  ];
}

/** The back office has buttons that send a form elsewhere. */
const isOurs = (element: Element, name: string) =>
  name === "formaction" && /^\/admin\//.test(element.getAttribute(name)!);
