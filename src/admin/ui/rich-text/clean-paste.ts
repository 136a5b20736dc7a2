import { ownPicture, safeAddress } from "#shared/html/allowed.ts";
import { listWordItems } from "./clean-word-lists.ts";
import { parseInert } from "./parse-inert.ts";

/** The kinds of things that a pasted text may have and the editor leaves out. */
export type LeftOutKind = "pictures" | "comments" | "deleted" | "looks" | "links" | "parts";

const blocks = "p,h2,h3,h4,ul,ol,li,blockquote,figure,figcaption,dl,dt,dd,table,caption,thead,tbody,tfoot,tr,td,th,hr";
const kept = new Set([...blocks.split(","), "strong", "em", "s", "sub", "sup", "abbr", "a", "br", "img", "span"]);
const renamed: Readonly<Record<string, string>> = {
  h1: "h2",
  h5: "h4",
  h6: "h4",
  b: "strong",
  i: "em",
  cite: "em",
  dfn: "em",
  strike: "s",
  div: "p",
  address: "p",
  pre: "p",
  section: "p",
  article: "p",
  header: "p",
  footer: "p",
  main: "p",
  center: "p",
  aside: "p",
  nav: "p",
  summary: "p",
  details: "p",
  legend: "p",
  fieldset: "p",
};
const parts = "iframe,object,embed,video,audio,canvas,form,input,select,textarea,button,map";
const silent = "script,style,meta,link,title,base,template,noscript,xml,head";
const attributesOf: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  abbr: ["title"],
  ol: ["start"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan", "scope"],
  img: ["src", "alt", "width", "height"],
};

/**
 * Turns HTML from the clipboard into HTML of ours: keeps its words and structure, and drops how it looked. Addresses on
 * this site (`origin`) become paths. Returns also what was left out.
 */
export function cleanPaste(html: string, origin: string): { readonly html: string; readonly left: Set<LeftOutKind> } {
  const left = new Set<LeftOutKind>();
  const body = parseInert(html);
  removeUnseen(body, left);
  listWordItems(body);
  readStyles(body, left);
  cleanLinks(body, origin, left);
  cleanPictures(body, origin, left);
  unwrapLayoutTables(body);
  renameTags(body);
  nestLists(body);
  keepKnown(body);
  tidyBlocks(body);
  return { html: body.innerHTML, left };
}

const all = (body: Element, selector: string) => [...body.querySelectorAll<HTMLElement>(selector)];
const unwrap = (element: Element) => element.replaceWith(...element.childNodes);
const styleOf = (element: Element) => (element.getAttribute("data-style") ?? "").toLowerCase();

function removeWith(body: Element, selector: string, left: Set<LeftOutKind>, what: LeftOutKind): void {
  for (const element of all(body, selector)) {
    left.add(what);
    element.remove();
  }
}

function removeUnseen(body: Element, left: Set<LeftOutKind>): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const remarks: Node[] = [];
  while (walker.nextNode() !== null) remarks.push(walker.currentNode);
  for (const remark of remarks) remark.parentNode!.removeChild(remark);
  for (const element of all(body, silent)) element.remove();
  removeWith(
    body,
    "[class*=msocom], [data-style*='mso-element:comment'], [href^='#cmnt'], [id^=cmnt]",
    left,
    "comments",
  );
  removeWith(body, "del, .msoDel", left, "deleted");
  removeWith(body, "svg, picture > source", left, "pictures");
  removeWith(body, parts, left, "parts");
  for (const element of all(body, "*")) {
    // Word's drawings and the own tags of such programs have a prefix.
    if (element.localName.startsWith("v:")) removeWith(body, element.localName.replace(":", "\\:"), left, "pictures");
    else if (/display:\s*none|mso-hide:\s*all/.test(styleOf(element)) || element.hidden) element.remove();
  }
  const text = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (text.nextNode() !== null) {
    text.currentNode.nodeValue = text.currentNode.nodeValue!.replace(/[\u00a0\u200b\ufeff]/g, (c) =>
      c === "\u00a0" ? " " : "",
    );
  }
}

const looks = /(?:^|;)\s*(?:color|background(?:-color)?|font-size|font-family|text-align|mso-highlight)\s*:/;
const fromStyle: readonly (readonly [string, RegExp])[] = [
  ["strong", /font-weight:\s*(?:bold|[6-9]00)/],
  ["em", /font-style:\s*italic/],
  ["s", /text-decoration[^;]*:[^;]*line-through/],
  ["sup", /vertical-align:\s*super/],
  ["sub", /vertical-align:\s*sub(?!\w|per)/],
];

/** Bold and the like, on pieces of text, that a style expressed. */
function readStyles(body: Element, left: Set<LeftOutKind>): void {
  for (const element of all(body, "[data-style], font, u, [bgcolor], [color]")) {
    const style = styleOf(element);
    if (looks.test(style) || /^(?:font|u)$/.test(element.localName)) left.add("looks");
    // Google Docs puts everything into a `b` that is not bold.
    if (/^(?:b|strong)$/.test(element.localName) && /(?:^|;)\s*font-weight:\s*(?:normal|[1-5]00)/.test(style)) {
      unwrap(element);
      continue;
    }
    if (!/^(?:span|font|a)$/.test(element.localName)) continue;
    for (const [tag] of fromStyle.filter(([, pattern]) => pattern.test(style))) {
      const inner = body.ownerDocument.createElement(tag);
      inner.append(...element.childNodes);
      element.append(inner);
    }
  }
  for (const paragraph of all(body, "p.MsoTitle, p.title")) rename(paragraph, "h2");
}

/** Tracking addresses redirect to the address that is meant. */
const counters: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/www\.google\.[a-z.]+\/url\?/, "q"],
  [/^https?:\/\/[\w.]*safelinks\.protection\.outlook\.com\//, "url"],
];

function cleanLinks(body: Element, origin: string, left: Set<LeftOutKind>): void {
  for (const link of all(body, "a")) {
    let address = (link.getAttribute("href") ?? "").trim();
    for (const [pattern, name] of counters) {
      if (pattern.test(address)) address = new URL(address).searchParams.get(name) ?? address;
    }
    address = toPath(address, origin);
    if (safeAddress(address) === undefined) {
      if (address !== "" && !address.startsWith("#")) left.add("links");
      unwrap(link);
    } else link.setAttribute("href", address);
  }
}

const toPath = (address: string, origin: string) =>
  address === origin || address.startsWith(`${origin}/`) ? address.slice(origin.length) || "/" : address;

function cleanPictures(body: Element, origin: string, left: Set<LeftOutKind>): void {
  for (const picture of all(body, "img")) {
    const address = toPath(picture.getAttribute("src") ?? "", origin);
    if (ownPicture(address) === undefined) {
      left.add("pictures");
      picture.remove();
    } else picture.setAttribute("src", address);
  }
}

/** Tables with one cell in each row, from which emails are built, are only layout. */
function unwrapLayoutTables(body: Element): void {
  for (const table of all(body, "table").reverse()) {
    const rows = all(table, "tr").filter((row) => row.closest("table") === table);
    const isLayout = table.getAttribute("role") === "presentation" || rows.every((row) => row.children.length < 2);
    if (!isLayout) continue;
    const cells = rows.flatMap((row) => [...row.children]);
    for (const cell of cells) rename(cell, "div");
    table.replaceWith(...rows.flatMap((row) => [...row.children]));
  }
}

function rename(element: Element, tag: string): Element {
  const other = element.ownerDocument.createElement(tag);
  for (const { name, value } of element.attributes) if (/^[a-z-]+$/.test(name)) other.setAttribute(name, value);
  other.append(...element.childNodes);
  element.replaceWith(other);
  return other;
}

function renameTags(body: Element): void {
  for (const pre of all(body, "pre")) {
    const lines = pre.textContent!.replace(/\n$/, "").split("\n");
    pre.replaceChildren(
      ...lines.flatMap((line, index) => [...(index > 0 ? [body.ownerDocument.createElement("br")] : []), line]),
    );
  }
  for (const [from, to] of Object.entries(renamed)) for (const element of all(body, from)) rename(element, to);
}

/** Google Docs and old web pages put a nested list beside the item that it belongs to. */
function nestLists(body: Element): void {
  for (const list of all(body, "ul > ul, ul > ol, ol > ul, ol > ol")) {
    const item =
      list.previousElementSibling ?? list.parentElement!.insertBefore(body.ownerDocument.createElement("li"), list);
    item.append(list);
  }
}

/** Replaces unknown tags with their content, and removes attributes without a meaning. */
function keepKnown(body: Element): void {
  for (const element of all(body, "*")) {
    const tag = element.localName;
    for (const { name, value } of [...element.attributes]) {
      if (!isAttributeKept(tag, name, value)) element.removeAttribute(name);
      else if (name === "lang" || name === "dir") element.setAttribute(name, value.toLowerCase());
    }
    if (!kept.has(tag) || (tag === "span" && element.attributes.length === 0)) unwrap(element);
  }
}

function isAttributeKept(tag: string, name: string, value: string): boolean {
  // Word processors name the language of each word; only languages other than the page's are kept.
  if (name === "lang") return !/^en|^x-none$/i.test(value);
  if (name === "dir") return value.toLowerCase() === "rtl";
  return attributesOf[tag]?.includes(name) ?? false;
}

function tidyBlocks(body: Element): void {
  // A paragraph with blocks in it was only a container; one within an item, cell or caption adds nothing.
  for (const paragraph of all(body, "p, h2, h3, h4, figcaption, caption")) {
    if (paragraph.querySelector(blocks) !== null) unwrapBlocks(paragraph);
  }
  unwrapBlocks(body);
  for (const paragraph of all(body, "li > p:only-child, td > p:only-child, th > p:only-child")) {
    if (paragraph.parentElement!.textContent!.trim() === paragraph.textContent!.trim()) unwrap(paragraph);
  }
  for (const item of all(body, "li > p:first-child")) if (item.nextElementSibling?.matches("ul, ol")) unwrap(item);
  for (const figure of all(body, "figure")) if (figure.querySelector("img") === null) unwrapFigure(figure);
  for (const paragraph of all(body, "p:has(> br)")) splitAtBreaks(paragraph);
  for (const list of all(body, "ul, ol")) if (list.closest("p") !== null) unwrap(list.closest("p")!);
  removeEmpty(body);
}

/** In a container that is a paragraph, or in the whole text, turns text between blocks into paragraphs. */
function unwrapBlocks(frame: Element): void {
  const isCut = frame.matches("p, body");
  const pieces: Node[] = [];
  let line: HTMLElement | null = null;
  for (const child of [...frame.childNodes]) {
    const element = child.nodeType === Node.ELEMENT_NODE ? (child as Element) : null;
    const isBlock = element?.matches(blocks) === true || (element?.querySelector(blocks) ?? null) !== null;
    if (isBlock || !isCut) line = null;
    else if (line === null) {
      line = frame.ownerDocument.createElement("p");
      pieces.push(line);
    }
    if (line === null) pieces.push(child);
    else line.append(child);
  }
  if (frame.matches("body")) frame.replaceChildren(...pieces);
  else frame.replaceWith(...pieces);
}

function unwrapFigure(figure: Element): void {
  for (const caption of all(figure, "figcaption")) rename(caption, "p");
  unwrap(figure);
}

/** Two breaks in a row were meant as a new paragraph. */
function splitAtBreaks(paragraph: Element): void {
  const breaks = [...paragraph.children].filter(({ localName }) => localName === "br");
  const end = breaks.find((one) => isBreak(nextShown(one)));
  if (end === undefined || !paragraph.isConnected) return;
  const rest = paragraph.ownerDocument.createElement("p");
  while (end.nextSibling !== null) rest.append(end.nextSibling);
  end.remove();
  while (isBreak(rest.firstChild)) rest.firstChild!.remove();
  paragraph.after(rest);
  splitAtBreaks(rest);
}

const isBreak = (node: Node | null): node is ChildNode => node?.nodeName === "BR";
function nextShown(node: Node): Node | null {
  let next = node.nextSibling;
  while (next !== null && next.nodeType === 3 && next.nodeValue!.trim() === "") next = next.nextSibling;
  return next;
}

function removeEmpty(body: Element): void {
  for (const pause of all(body, "p > br:last-child")) if (nextShown(pause) === null) pause.remove();
  for (const element of all(
    body,
    "p, h2, h3, h4, li, ul, ol, blockquote, dl, strong, em, s, sub, sup, a, span, figcaption",
  ).reverse()) {
    const isEmpty = element.textContent!.trim() === "" && element.querySelector("img, hr, table") === null;
    // A space still separates two words if it is bold.
    if (isEmpty && element.matches("strong, em, s, sub, sup, a, span")) unwrap(element);
    else if (isEmpty) element.remove();
  }
}
