import sanitizeHtml from "sanitize-html";
import { hashOf, type PaymentScript } from "./rendering/script-files.ts";

/** A page as delivered to a browser, with its headers. */
type Delivered = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly html: string;
};

export type Fetch = (path: string) => Promise<{ status: number; headers: Record<string, string>; body: Buffer }>;

export type PageCheck = {
  /** Pages that take payments. */
  readonly paths: readonly string[];
  /** Returns what this process answers, without the network. */
  readonly expect: (path: string) => Promise<Delivered>;
  /** Fetches what arrives at a browser. */
  readonly fetch: Fetch;
  /** The inventory that the build wrote. */
  readonly scripts: readonly PaymentScript[];
};

/** Headers that keep out foreign scripts, frames and windows. */
const GUARDS = [
  "content-security-policy",
  "content-security-policy-report-only",
  "cross-origin-opener-policy",
  "referrer-policy",
  "x-content-type-options",
  "x-frame-options",
] as const;

/** Types of scripts that only hold data, which browsers don't run. */
const DATA = new Set(["application/ld+json"]);
const LOADS_OTHERS = new Set(["iframe", "frame", "object", "embed", "applet", "base", "portal", "fencedframe"]);

/**
 * Compares the pages that take payments, as they arrive, with what this process answers and the scripts of its build
 * (PCI DSS 6.4.3, 11.6.1), to detect changes by proxies, caches or intruders. Returns a sentence for each difference.
 * @throws if a page or script can't be fetched at all.
 */
export async function checkPaymentPages({ paths, expect, fetch, scripts }: PageCheck): Promise<string[]> {
  const differences: string[] = [];
  for (const path of paths) {
    const { status, headers, body } = await fetch(path);
    const found = comparePages(await expect(path), { status, headers, html: body.toString("utf8") }, scripts);
    differences.push(...found.map((difference) => `${path}: ${difference}`));
  }
  for (const { address, integrity } of scripts) {
    const { status, body } = await fetch(address);
    if (status !== 200) differences.push(`${address}: answered ${status}`);
    else if (hashOf(body) !== integrity) differences.push(`${address}: its bytes are not those of the build`);
  }
  return differences;
}

function comparePages(expected: Delivered, delivered: Delivered, scripts: readonly PaymentScript[]): string[] {
  if (delivered.status !== 200) return [`answered ${delivered.status}`];
  const guards = GUARDS.filter((name) => expected.headers[name] !== delivered.headers[name]);
  const [ours, theirs] = [listActive(expected.html), listActive(delivered.html)];
  const known = new Set(scripts.map(({ address }) => address));
  const strange = theirs.flatMap(({ script }) => (script === undefined || known.has(script) ? [] : [script]));
  return [
    ...guards.map((name) => `the header ${name} is changed`),
    ...without(theirs, ours).map(({ text }) => `it has ${text}`),
    ...without(ours, theirs).map(({ text }) => `it lacks ${text}`),
    ...new Set(strange.map((script) => `the inventory of scripts does not have ${script}`)),
  ];
}

type Active = { readonly text: string; readonly script?: string };

/** Everything on a page that can run or fetch code, each described with its integrity. */
function listActive(html: string): Active[] {
  const found: Active[] = [];
  sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    allowedSchemesAppliedToAttributes: [],
    parseStyleAttributes: false,
    exclusiveFilter: ({ tag, attribs, text }) => {
      found.push(...describe(tag, attribs, text));
      return false;
    },
  });
  return found;
}

function describe(tag: string, attributes: Record<string, string>, text: string): Active[] {
  const { src, type = "", rel = "", href = "", integrity = "none" } = attributes;
  const found: Active[] = [];
  if (tag === "script" && src !== undefined) {
    found.push({ text: `the script ${src} (${type || "classic"}, integrity ${integrity})`, script: src });
  } else if (tag === "script" && !DATA.has(type)) {
    found.push({ text: `an inline script (${type || "classic"}, ${hashOf(text)})` });
  } else if (tag === "link" && /\b(?:modulepreload|preload|import)\b/i.test(rel) && attributes.as !== "font") {
    found.push({ text: `the link ${rel} to ${href} (integrity ${integrity})`, script: href });
  } else if (LOADS_OTHERS.has(tag)) {
    found.push({ text: `an element <${tag}> to ${src ?? href ?? attributes.data}` });
  } else if (tag === "meta" && attributes["http-equiv"] !== undefined) {
    found.push({ text: `a <meta> for ${attributes["http-equiv"]}` });
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (/^on/i.test(name)) found.push({ text: `a handler ${name} on <${tag}>` });
    else if (
      /^\s*(?:javascript|data\s*:\s*text\/html)/i.test(value) &&
      /^(?:href|src|action|formaction|xlink:href)$/i.test(name)
    ) {
      found.push({ text: `${name} of <${tag}> runs a script` });
    }
  }
  return found;
}

function without(all: readonly Active[], others: readonly Active[]): Active[] {
  const left = others.map(({ text }) => text);
  return all.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
