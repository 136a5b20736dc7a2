/** The first parts of addresses that are no pages. Nothing below them is redirected. */
const reserved: ReadonlySet<string> = new Set([
  "admin",
  "api",
  "assets",
  "brand",
  "dev",
  "icons",
  "identity",
  "images",
  "preview",
  "receipts",
  "sharing",
  "ticket-orders",
  "waiting-list",
  "healthz",
  "readyz",
  "metrics",
  "csp-reports",
  "malformed-address",
  ".well-known",
  ".vite",
  "favicon.ico",
  "manifest.webmanifest",
  "robots.txt",
  "security.txt",
  "sitemap.xml",
  "speculation-rules.json",
  // Documents of donors, and an address that the specification has redirected.
  "donation-summaries",
  "volunteerapplication",
]);

const MAX_LENGTH = 300;
/** Parts that are neither empty nor lead up, without what would begin a query or be an escape again. */
const plainPath = /^(?:\/(?!\.{1,2}(?:\/|$))[^/\\?#%\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+)+$/u;

/**
 * A path as redirects know it: without escapes, in lower case, and without a slash at the end. Null if none can be
 * redirected there.
 */
export function toRedirectPath(path: string): string | null {
  // An escaped slash or backslash is no part of a name.
  if (path.length > 3 * MAX_LENGTH || /%(?:2f|5c)/i.test(path)) return null;
  let text: string;
  try {
    text = decodeURIComponent(path);
  } catch {
    return null;
  }
  const plain = text.normalize("NFC").toLowerCase().replace(/\/$/, "");
  if (plain.length > MAX_LENGTH || !plainPath.test(plain)) return null;
  return reserved.has(plain.split("/")[1] ?? "") ? null : plain;
}

/** Only to complete paths of this site: it is removed again. */
const here = "https://this-site.invalid";

/** The address that a browser is sent to: the target, with the query that it came with ('?a=b' or empty). */
export function addressWithQuery(target: string, query: string): string {
  const url = new URL(target, here);
  if (query.length > 1) url.search = url.search === "" ? query : `${url.search}&${query.slice(1)}`;
  return url.origin === here ? url.pathname + url.search + url.hash : url.href;
}
