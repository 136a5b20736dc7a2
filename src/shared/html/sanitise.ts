import sanitizeHtml, { type Attributes, type IOptions } from "sanitize-html";

/** A page's text has some hundred tags. Above this many the words are kept and the markup is not: parsing it gets slow. */
const mostTags = 12_000;
const deepest = 48;
const mostPasses = 4;

const textTags = ["p", "h2", "h3", "h4", "ul", "ol", "li", "blockquote", "figure", "figcaption", "dl", "dt", "dd"];
const tableTags = ["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"];
const blockTags = [...textTags, ...tableTags, "br", "hr"];
const inlineTags = ["strong", "em", "b", "i", "u", "s", "small", "sub", "sup", "abbr", "span", "a", "img"];

/** What a browser may read as something else than markup, and what draws instead of saying: it goes with all it holds. */
const tagsThatTakeTheirContentAlong = [
  ...["script", "style", "template", "noscript", "noembed", "noframes", "iframe", "frameset", "object", "applet"],
  ...["svg", "math", "textarea", "option", "select", "button", "xmp", "plaintext", "listing", "title"],
  ...["audio", "video", "canvas"],
];

type Rule = (value: string) => string | undefined;

const oneOf = (words: readonly string[]): Rule => {
  return (value) => words.find((word) => word === value.trim().toLowerCase());
};
const numberUpTo = (most: number, least = 1): Rule => {
  return (value) => {
    const text = value.trim();
    return /^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most ? String(Number(text)) : undefined;
  };
};
const anyText: Rule = (value) => value;

const everywhere: Record<string, Rule> = {
  lang: (value) => /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.exec(value.trim())?.[0],
  dir: oneOf(["ltr", "rtl", "auto"]),
};
const cell = { colspan: numberUpTo(50), rowspan: numberUpTo(200) };

/** The attributes of each tag and what their values may be; nothing else passes. */
const rules: Record<string, Record<string, Rule>> = {
  a: { href: safeAddress },
  img: { src: ownPicture, alt: anyText, width: numberUpTo(10_000), height: numberUpTo(10_000) },
  abbr: { title: anyText },
  ol: { start: numberUpTo(99_999, 0) },
  th: { ...cell, scope: oneOf(["row", "col", "rowgroup", "colgroup"]) },
  td: cell,
};

/** Other sites, letters, telephones, and paths of this site; never an address that a browser would read otherwise. */
function safeAddress(value: string): string | undefined {
  const address = value.trim();
  // A browser takes a backslash for a slash, and tabs and line ends for nothing.
  if (/[\\\s\p{Cc}]/u.test(address)) return undefined;
  if (/^\/(?!\/)/.test(address)) return address;
  if (/^(mailto:|tel:)[^/]/i.test(address)) return address;
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address) ? address : undefined;
}

function ownPicture(value: string): string | undefined {
  const address = value.trim();
  return /^\/(images|identity)(\/[\w-]+(\.[\w-]+)*)+$/.test(address) ? address : undefined;
}

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
  // Each value was judged above; here stands only that no other name passes.
  allowedAttributes: {
    "*": Object.keys(everywhere),
    ...Object.fromEntries(Object.entries(rules).map(([tag, named]) => [tag, Object.keys(named)])),
    a: ["href", "rel"],
    img: ["src", "alt", "width", "height", "loading"],
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowProtocolRelative: false,
  nonTextTags: tagsThatTakeTheirContentAlong,
  nestingLimit: deepest,
  transformTags: {
    h1: "h2",
    // What leads nowhere is a word like any other, and a picture that may not show leaves its words.
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

const tableParts: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["table", ["caption", "thead", "tbody", "tfoot", "tr"]],
  ...["thead", "tbody", "tfoot"].map((tag) => [tag, ["tr"]] as const),
  ["tr", ["th", "td"]],
]);
const partNames = new Set([...tableParts.values()].flat());

/**
 * Whether every table is built of its parts alone. A browser moves whatever else it finds in one, and may move it again
 * when it reads the outcome. Takes clean HTML, where every `<` begins a tag and every tag is closed.
 */
function hasWholeTables(cleanHtml: string): boolean {
  const open: string[] = [];
  for (const [token, slash, tag] of cleanHtml.matchAll(/<(\/?)([a-z0-9]+)[^>]*>|[^<]+/g)) {
    const parent = open.at(-1) ?? "";
    const parts = tableParts.get(parent);
    if (tag === undefined) {
      if (parts !== undefined && token.trim() !== "") return false;
    } else if (slash === "/") open.pop();
    else if (parts === undefined ? partNames.has(tag) : !parts.includes(tag)) return false;
    else if (!token.endsWith("/>")) open.push(tag);
  }
  return true;
}

/** What the tables held, each cell on a line of its own. */
function dropTables(cleanHtml: string): string {
  return cleanHtml
    .replace(/<\/(caption|th|td)>/g, "<br />")
    .replace(/<\/?(table|caption|thead|tbody|tfoot|tr|th|td)\b[^>]*>/g, "");
}

/**
 * HTML that a page may show: text, lists, tables, links and this site's own pictures, with every tag closed. What is not
 * allowed is left out, never refused. Runs on the way into the database and on the way out; twice is the same as once.
 */
export function sanitiseHtml(html: string): string {
  const text = toPlainCharacters(html);
  if (hasTooManyTags(text)) return `<p>${escapeText(dropTags(text))}</p>`;
  // A tag that was left out may have kept two others apart that cannot hold each other, so it is read until nothing changes.
  let before = text;
  let clean = cleanOnce(text);
  for (let pass = 1; pass < mostPasses && clean !== before; pass += 1) {
    before = clean;
    clean = cleanOnce(clean);
  }
  return clean;
}

function cleanOnce(text: string): string {
  const clean = sanitizeHtml(text, options);
  return toPlainCharacters(hasWholeTables(clean) ? clean : sanitizeHtml(dropTables(clean), options));
}

/** The words of a piece of HTML on one line. What comes out is text, to be escaped like any other. */
export function plainText(html: string): string {
  const text = toPlainCharacters(html);
  const words = hasTooManyTags(text)
    ? dropTags(text)
    : dropTags(
        sanitizeHtml(text, {
          allowedTags: blockTags,
          allowedAttributes: {},
          nonTextTags: tagsThatTakeTheirContentAlong,
          nestingLimit: deepest,
        }),
      )
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&amp;", "&");
  return words.replace(/\s+/g, " ").trim();
}

/** One kind of line end, no control characters, no half of a pair: what parsers, and PostgreSQL, disagree about. */
function toPlainCharacters(html: string): string {
  return html
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "");
}

const hasTooManyTags = (html: string) =>
  [/<[a-z]/gi, /<\//g].some((start) => (html.match(start)?.length ?? 0) > mostTags);
const dropTags = (html: string) => html.replace(/<[^<>]*>/g, " ");
export const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
