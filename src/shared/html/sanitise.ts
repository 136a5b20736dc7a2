import { createRequire } from "node:module";
import { LRUCache } from "lru-cache";
import type { Attributes, IOptions } from "sanitize-html";
import { MAX_DEPTH, MAX_SPAN, MAX_TAGS, ownPicture, safeAddress } from "./allowed.ts";
import { escapeText, toPlainCharacters } from "./characters.ts";
import { loadParser } from "./parser.ts";

// Loaded when first needed, because it would slow the start.
const require = createRequire(import.meta.url);
const loadSanitizer = () => require("sanitize-html") as typeof import("sanitize-html");

const MAX_PASSES = 4;
/** The most characters of texts whose words are remembered. */
const MAX_CHARACTERS = 1_000_000;

const textTags = ["p", "h2", "h3", "h4", "ul", "ol", "li", "blockquote", "figure", "figcaption", "dl", "dt", "dd"];
const tableTags = ["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"];
const blockTags = [...textTags, ...tableTags, "br", "hr"];
const inlineTags = ["strong", "em", "b", "i", "u", "s", "small", "sub", "sup", "abbr", "span", "a", "img"];

/** Tags that a browser may not parse as markup, or that draw instead of showing text: dropped with their content. */
const tagsThatTakeTheirContentAlong = [
  "script",
  "style",
  "template",
  "noscript",
  "noembed",
  "noframes",
  "iframe",
  "frameset",
  "object",
  "applet",
  "svg",
  "math",
  "textarea",
  "option",
  "select",
  "button",
  "xmp",
  "plaintext",
  "listing",
  "title",
  "audio",
  "video",
  "canvas",
];

type Rule = (value: string) => string | undefined;

const oneOf = (words: readonly string[]): Rule => {
  return (value) => words.find((word) => word === value.trim().toLowerCase());
};
const numberUpTo = (max: number, min = 1): Rule => {
  return (value) => {
    const text = value.trim();
    return /^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max ? String(Number(text)) : undefined;
  };
};
const anyText: Rule = (value) => value;

const everywhere: Record<string, Rule> = {
  lang: (value) => /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.exec(value.trim())?.[0],
  dir: oneOf(["ltr", "rtl", "auto"]),
};
const cell = { colspan: numberUpTo(MAX_SPAN.columns), rowspan: numberUpTo(MAX_SPAN.rows) };

/** The permitted attributes of each tag, with checks of their values. */
const rules: Record<string, Record<string, Rule>> = {
  a: { href: safeAddress },
  img: { src: ownPicture, alt: anyText, width: numberUpTo(10_000), height: numberUpTo(10_000) },
  abbr: { title: anyText },
  ol: { start: numberUpTo(99_999, 0) },
  th: { ...cell, scope: oneOf(["row", "col", "rowgroup", "colgroup"]) },
  td: cell,
};

function keepAllowed(tag: string, attributes: Attributes): Attributes {
  const judges = new Map(Object.entries({ ...everywhere, ...rules[tag] }));
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, written]) => {
      const value = judges.get(name)?.(written);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const options: IOptions = {
  allowedTags: [...blockTags, ...inlineTags],
  // The rules above check the values; this list only excludes other names.
  allowedAttributes: {
    "*": Object.keys(everywhere),
    ...Object.fromEntries(Object.entries(rules).map(([tag, named]) => [tag, Object.keys(named)])),
    a: ["href", "rel"],
    img: ["src", "alt", "width", "height", "loading"],
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowProtocolRelative: false,
  nonTextTags: tagsThatTakeTheirContentAlong,
  nestingLimit: MAX_DEPTH,
  transformTags: {
    h1: "h2",
    // A link without an address becomes plain text, and a forbidden picture its alternative text.
    a: (_, attributes) => {
      const kept = keepAllowed("a", attributes);
      if (kept.href === undefined) return { tagName: "span", attribs: kept };
      return { tagName: "a", attribs: /^http/i.test(kept.href) ? { ...kept, rel: "external noopener" } : kept };
    },
    img: (_, attributes) => {
      const { src, alt = "", ...kept } = keepAllowed("img", attributes);
      if (src === undefined) return { tagName: "span", attribs: {}, text: alt };
      return { tagName: "img", attribs: { src, alt, ...kept, loading: "lazy" } };
    },
    "*": (tagName, attributes) => ({
      tagName,
      attribs: tagName === "a" || tagName === "img" ? attributes : keepAllowed(tagName, attributes),
    }),
  },
};

/**
 * HTML that a page may show: text, lists, tables, links and this site's own pictures, with all tags closed. Anything
 * else is left out without an error. Runs before storing and before showing; running it twice changes nothing.
 */
export const sanitiseHtml = remembered((html) => {
  let text = toPlainCharacters(html);
  // Removing a tag may bring together two that cannot be nested, so it repeats until nothing changes.
  for (let pass = 0; pass < MAX_PASSES && !hasTooManyTags(text); pass += 1) {
    const clean = cleanOnce(text);
    if (clean === text) return clean;
    text = clean;
  }
  return `<p>${escapeText(dropTags(text))}</p>`;
});

function cleanOnce(text: string): string {
  // Each time it is parsed as browsers do, which moves misplaced content out of tables.
  const sanitizeHtml = loadSanitizer();
  const { parseFragment, serialize } = loadParser();
  const asRead = serialize(parseFragment(sanitizeHtml(text, options)));
  return toPlainCharacters(sanitizeHtml(asRead, options));
}

/** The words of some HTML on one line. The result is text and still needs escaping. */
export const textOfHtml = remembered((html) => {
  const text = toPlainCharacters(html);
  const words = hasTooManyTags(text)
    ? dropTags(text)
    : dropTags(
        loadSanitizer()(text, {
          allowedTags: blockTags,
          allowedAttributes: {},
          nonTextTags: tagsThatTakeTheirContentAlong,
          nestingLimit: MAX_DEPTH,
        }),
      )
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&amp;", "&");
  return words.replace(/\s+/g, " ").trim();
});

/**
 * Remembers results: pages show the same few texts again and again, and parsing HTML costs more than the rest of some
 * pages.
 */
function remembered(read: (html: string) => string): (html: string) => string {
  const known = new LRUCache<string, string>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (text, html) => html.length + text.length + 1,
  });
  return (html) => {
    const text = known.get(html) ?? read(html);
    known.set(html, text);
    return text;
  };
}

const count = (html: string, what: RegExp) => html.match(what)?.length ?? 0;
/** Every `<` counts, because a parser stops at each one, whether or not a tag comes of it. */
const hasTooManyTags = (html: string) => count(html, /<[a-z]/gi) > MAX_TAGS || count(html, /</g) > 2 * MAX_TAGS;
const dropTags = (html: string) => html.replace(/<[^<>]*>/g, " ");
