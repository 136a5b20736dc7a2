import type { DefaultTreeAdapterTypes } from "parse5";
import { loadParser } from "./parser.ts";

/** The addresses that a text links to, each once, in the order of the text. */
type TextLinks = {
  /** Paths of this site, without what follows `?` or `#`. */
  readonly own: readonly string[];
  readonly others: readonly string[];
};

/** All links of a sanitised text. */
export function listLinks(html: string): TextLinks {
  const addresses = listAddresses(loadParser().parseFragment(html));
  const isOwn = (address: string) => address.startsWith("/");
  const own = addresses.filter(isOwn).map((address) => address.replace(/[?#].*$/s, ""));
  return { own: [...new Set(own)], others: [...new Set(addresses.filter((address) => !isOwn(address)))] };
}

function listAddresses({ childNodes }: { childNodes: DefaultTreeAdapterTypes.ChildNode[] }): string[] {
  return childNodes.flatMap((node) => {
    if (!("attrs" in node)) return [];
    const address = node.tagName === "a" ? node.attrs.find(({ name }) => name === "href")?.value : undefined;
    return [...(address === undefined ? [] : [address]), ...listAddresses(node)];
  });
}

/**
 * Whether the form of an address outside this site is plausible: a web address has a host with a dot and no password,
 * an email address both its halves, a telephone number digits.
 */
export function canLead(address: string): boolean {
  if (/^mailto:/i.test(address)) return /^mailto:[^@\s?]+@[^@\s?]+\.[^@\s?.]+(?:\?.*)?$/i.test(address);
  if (/^tel:/i.test(address)) return /^tel:\+?[\d()\s.-]*\d{3}[\d()\s.-]*$/i.test(address);
  const url = URL.parse(address);
  return url !== null && url.username === "" && url.password === "" && /^[^.].*\.[^.]{2,}$/.test(url.hostname);
}
