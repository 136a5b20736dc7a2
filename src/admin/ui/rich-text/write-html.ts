import type { Fragment, Mark, Node } from "@tiptap/pm/model";
import { MAX_DEPTH, MAX_SPAN, MAX_TAGS } from "#shared/html/allowed.ts";
import { escapeText, toPlainCharacters } from "#shared/html/characters.ts";
import { bareParents } from "./schema.ts";

const tags: Readonly<Record<string, string>> = {
  paragraph: "p",
  bulletList: "ul",
  orderedList: "ol",
  listItem: "li",
  quote: "blockquote",
  definitionList: "dl",
  term: "dt",
  definition: "dd",
  rule: "hr",
  figure: "figure",
  caption: "figcaption",
  tableCaption: "caption",
  table: "table",
  tableRow: "tr",
  tableCell: "td",
  headerCell: "th",
  picture: "img",
  image: "img",
  hardBreak: "br",
  link: "a",
};
const tagOf = (name: string) => tags[name] ?? name;

/** The attributes in this order; empty ones, such as an abbreviation's `title`, are left out. */
const attributeNames = ["href", "title", "start", "scope", "colspan", "rowspan", "width", "height", "lang", "dir"];

/** Nodes never change, so the HTML of one is kept for as long as the node exists. */
const written = new WeakMap<Node, string>();

/** The text as HTML, byte for byte as `sanitiseHtml` leaves it. A text without any words is "". */
export function writeHtml(doc: Node): string {
  if (doc.childCount === 1 && doc.firstChild!.type.name === "paragraph" && doc.firstChild!.content.size === 0)
    return "";
  return doc.children.map(writeBlock).join("\n");
}

/** Writes a part of a text for the clipboard, where rows and cells need the tags around them. */
export function writeFragment({ content }: Fragment): string {
  const [first] = content;
  if (first?.isInline) return writeInline(content);
  const html = content.map(writeBlock).join("");
  if (first?.type.name === "tableRow") return `<table><tbody>${html}</tbody></table>`;
  return first?.type.spec.tableRole?.endsWith("cell") ? `<table><tbody><tr>${html}</tr></tbody></table>` : html;
}

/**
 * Whether the sanitiser would keep the text as it is, and not only its words: it may be neither too long nor nested too
 * deeply.
 */
export function fits(doc: Node): boolean {
  const measures = doc.children.map(measure);
  return (
    measures.reduce((sum, { count }) => sum + count, 0) <= MAX_TAGS &&
    measures.every(({ depth, areSpansAllowed }) => depth <= MAX_DEPTH && areSpansAllowed)
  );
}

type Measure = { readonly count: number; readonly depth: number; readonly areSpansAllowed: boolean };
const measured = new WeakMap<Node, Measure>();

function measure(block: Node): Measure {
  const known = measured.get(block);
  if (known !== undefined) return known;
  let [count, depth, deepestHere] = [0, 0, 0];
  for (const [, slash, name] of writeBlock(block).matchAll(/<(\/?)([a-z]+)/g)) {
    depth += slash === "/" ? -1 : 1;
    count += slash === "/" ? 0 : 1;
    deepestHere = Math.max(deepestHere, depth);
    if (name === "br" || name === "hr" || name === "img") depth -= 1;
  }
  let areSpansAllowed = true;
  block.descendants(({ attrs: { colspan = 1, rowspan = 1 } }) => {
    if (colspan > MAX_SPAN.columns || rowspan > MAX_SPAN.rows) areSpansAllowed = false;
  });
  const found = { count, depth: deepestHere, areSpansAllowed };
  measured.set(block, found);
  return found;
}

function writeBlock(node: Node): string {
  const known = written.get(node);
  if (known !== undefined) return known;
  const html = createBlock(node);
  written.set(node, html);
  return html;
}

function createBlock(node: Node): string {
  const { name } = node.type;
  if (node.isLeaf && !node.isTextblock) return writeEmptyTag(node);
  if (name === "tableBox") return writeTable(node);
  const inside = node.inlineContent ? writeInline(node.children) : writeChildren(node);
  if (inside === "" && name === "caption") return "";
  const tag = name === "heading" ? `h${node.attrs.level}` : tagOf(name);
  return `<${tag}${writeAttributes(node.attrs)}>${inside}</${tag}>`;
}

function writeChildren(node: Node): string {
  if (!bareParents.includes(node.type.name)) return node.children.map(writeBlock).join("");
  return node.children
    .map((child, index) => {
      const isBare =
        isBareParagraph(child) && ![node.maybeChild(index - 1), node.maybeChild(index + 1)].some(isBareParagraph);
      return isBare ? writeInline(child.children) : writeBlock(child);
    })
    .join("");
}

/** A paragraph that may be written without its tag, but not beside another one: the two would become one. */
const isBareParagraph = (node: Node | null) =>
  node?.type.name === "paragraph" && !node.attrs.hasTag && node.attrs.lang === null && node.attrs.dir === null;

/** Puts the caption into the table, and the rows of each section into the section's tag. */
function writeTable(box: Node): string {
  const [caption, table] = box.children as [Node, Node];
  const sections: { tag: string; rows: string }[] = [];
  for (const row of table.children) {
    const tag = row.attrs.section as string;
    if (sections.at(-1)?.tag !== tag) sections.push({ tag, rows: "" });
    sections.at(-1)!.rows += writeBlock(row);
  }
  const head = caption.content.size === 0 ? "" : writeBlock(caption);
  const body = sections.map(({ tag, rows }) => `<${tag}>${rows}</${tag}>`).join("");
  return `<table${writeAttributes(table.attrs)}>${head}${body}</table>`;
}

function writeInline(pieces: readonly Node[]): string {
  const open: Mark[] = [];
  let html = "";
  const closeTo = (length: number) => {
    while (open.length > length) html += `</${tagOf(open.pop()!.type.name)}>`;
  };
  for (const child of pieces) {
    const same = child.marks.findIndex((mark, index) => open[index] === undefined || !mark.eq(open[index]));
    const kept = same === -1 ? child.marks.length : same;
    closeTo(kept);
    for (const mark of child.marks.slice(kept)) {
      open.push(mark);
      html += openMark(mark);
    }
    html += child.isText ? escapeText(toPlainCharacters(child.text!)) : writeEmptyTag(child);
  }
  closeTo(0);
  return html;
}

function openMark({ type, attrs }: Mark): string {
  const rel = /^http/i.test(attrs.href ?? "") ? ' rel="external noopener"' : "";
  return `<${tagOf(type.name)}${writeAttributes(attrs)}${rel}>`;
}

function writeEmptyTag({ type, attrs }: Node): string {
  const tag = tagOf(type.name);
  if (tag !== "img") return `<${tag}${writeAttributes(attrs)} />`;
  const picture = `${writeAttribute("src", attrs.src)}${writeAttribute("alt", attrs.alt)}`;
  return `<img${picture}${writeAttributes(attrs)} loading="lazy" />`;
}

function writeAttributes(attrs: Readonly<Record<string, unknown>>): string {
  return attributeNames
    .filter((name) => attrs[name] !== undefined && attrs[name] !== null && attrs[name] !== "")
    .filter((name) => !/^(?:colspan|rowspan)$/.test(name) || attrs[name] !== 1)
    .map((name) => writeAttribute(name, attrs[name]))
    .join("");
}

const writeAttribute = (name: string, value: unknown) =>
  ` ${name}="${escapeText(toPlainCharacters(String(value))).replaceAll('"', "&quot;")}"`;
