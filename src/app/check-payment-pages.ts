import sanitizeHtml from "sanitize-html";
import { hashOf, type PaymentScript } from "./rendering/script-files.ts";

/** What a browser gets: one page with the headers that say what it may do. */
export type Delivered = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly html: string;
};

export type Fetch = (path: string) => Promise<{ status: number; headers: Record<string, string>; body: Buffer }>;

export type PageCheck = {
  /** Pages that take payments. */
  readonly paths: readonly string[];
  /** What this process answers, asked without the network. */
  readonly expect: (path: string) => Promise<Delivered>;
  /** What arrives at a browser. */
  readonly fetch: Fetch;
  /** What the build wrote down. */
  readonly scripts: readonly PaymentScript[];
};

/** Headers that keep scripts, frames and windows of others out. */
const GUARDS = [
  "content-security-policy",
  "content-security-policy-report-only",
  "cross-origin-opener-policy",
  "referrer-policy",
  "x-content-type-options",
  "x-frame-options",
] as const;

/** Scripts that only hold data, which no browser runs. */
const DATA = new Set(["application/ld+json"]);
const LOADS_OTHERS = new Set(["iframe", "frame", "object", "embed", "applet", "base", "portal", "fencedframe"]);

/**
 * Compares the pages that take payments, as they arrive, with what this process answers and with the scripts of its build
 * (PCI DSS 6.4.3, 11.6.1): what proxies, caches or intruders on the way changed. Gives a sentence for each difference.
 * @throws when a page or script cannot be fetched at all.
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
    ...without(theirs, ours).map(({ says }) => `it has ${says}`),
    ...without(ours, theirs).map(({ says }) => `it lacks ${says}`),
    ...new Set(strange.map((script) => `the inventory of scripts does not have ${script}`)),
  ];
}

type Active = { readonly says: string; readonly script?: string };

/** What of a page can run or fetch code, each in words that name it and its integrity. */
function listActive(html: string): Active[] {
  const found: Active[] = [];
  sanitizeHtml(html, {
    ...{ allowedTags: false, allowedAttributes: false, allowVulnerableTags: true },
    ...{ allowedSchemesAppliedToAttributes: [], parseStyleAttributes: false },
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
    found.push({ says: `the script ${src} (${type || "classic"}, integrity ${integrity})`, script: src });
  } else if (tag === "script" && !DATA.has(type)) {
    found.push({ says: `an inline script (${type || "classic"}, ${hashOf(text)})` });
  } else if (tag === "link" && /\b(?:modulepreload|preload|import)\b/i.test(rel) && attributes.as !== "font") {
    found.push({ says: `the link ${rel} to ${href} (integrity ${integrity})`, script: href });
  } else if (LOADS_OTHERS.has(tag)) {
    found.push({ says: `an element <${tag}> to ${src ?? href ?? attributes.data}` });
  } else if (tag === "meta" && attributes["http-equiv"] !== undefined) {
    found.push({ says: `a <meta> for ${attributes["http-equiv"]}` });
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (/^on/i.test(name)) found.push({ says: `a handler ${name} on <${tag}>` });
    else if (
      /^\s*(?:javascript|data\s*:\s*text\/html)/i.test(value) &&
      /^(?:href|src|action|formaction|xlink:href)$/i.test(name)
    ) {
      found.push({ says: `${name} of <${tag}> runs a script` });
    }
  }
  return found;
}

/** What of the first is not in the second, each as often as it stands there too often. */
function without(all: readonly Active[], others: readonly Active[]): Active[] {
  const left = others.map(({ says }) => says);
  return all.filter(({ says }) => {
    const at = left.indexOf(says);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
