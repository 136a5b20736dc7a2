import { Extension, getSchema, Mark, Node } from "@tiptap/core";
import type { Schema } from "@tiptap/pm/model";
import { ownPicture, safeAddress } from "#shared/html/allowed.ts";

// What a text can contain: exactly the tags and attributes that `sanitiseHtml` allows. Parse rules read the form that
// `prepareHtml` makes. `writeHtml` writes the HTML; `renderHTML` only shows it in the editor.

const text = (name: string, fallback: string | null = null) => ({
  default: fallback,
  // Without this Tiptap would turn "012" into a number.
  parseHTML: (element: HTMLElement) => element.getAttribute(name) || fallback,
});
const span = (name: string) => ({
  default: 1,
  parseHTML: (element: HTMLElement) => Number(element.getAttribute(name) ?? 1),
});

const block = (name: string, tag: string, content: string, extra: object = {}) =>
  Node.create({
    name,
    content,
    defining: true,
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
    ...extra,
  });
const leaf = (name: string, tag: string, extra: object) =>
  Node.create({
    name,
    atom: true,
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes],
    ...extra,
  });

/** In these a paragraph is written without its tag, unless it has one already or needs one. */
export const bareParents = ["listItem", "term", "definition", "tableCell", "headerCell"];
const bareTags = ["LI", "DT", "DD", "TD", "TH"];

const flow = { group: "block" };
const picture = {
  addAttributes: () => ({ src: text("src", ""), alt: text("alt", ""), width: text("width"), height: text("height") }),
};
const ownPictures = (element: HTMLElement) =>
  ownPicture(element.getAttribute("src") ?? "") === undefined ? false : null;

const nodes = [
  Node.create({ name: "doc", topNode: true, content: "block+" }),
  Node.create({ name: "text", group: "inline" }),
  // The first of its group, because that is what a new block becomes.
  block("paragraph", "p", "inline*", {
    ...flow,
    defining: false,
    addAttributes: () => ({
      hasTag: {
        default: false,
        rendered: false,
        parseHTML: ({ parentElement }: HTMLElement) => bareTags.includes(parentElement?.tagName ?? ""),
      },
    }),
  }),
  Node.create({
    name: "heading",
    group: "block",
    content: "inline*",
    defining: true,
    addAttributes: () => ({ level: { default: 2, rendered: false } }),
    parseHTML: () => [2, 3, 4].map((level) => ({ tag: `h${level}`, attrs: { level } })),
    renderHTML: ({ node, HTMLAttributes }) => [`h${node.attrs.level}`, HTMLAttributes, 0],
  }),
  block("bulletList", "ul", "listItem+", flow),
  block("orderedList", "ol", "listItem+", { ...flow, addAttributes: () => ({ start: text("start") }) }),
  block("listItem", "li", "block+"),
  block("quote", "blockquote", "block+", flow),
  block("definitionList", "dl", "(term | definition)+", flow),
  block("term", "dt", "block+"),
  block("definition", "dd", "block+"),
  leaf("rule", "hr", flow),
  block("figure", "figure", "picture caption", { ...flow, isolating: true }),
  leaf("picture", "img", {
    ...picture,
    parseHTML: () => [{ tag: "img", context: "figure/", getAttrs: ownPictures }],
    selectable: false,
  }),
  block("caption", "figcaption", "inline*"),
  // Commands for tables expect only rows in a table, so its caption is beside it.
  Node.create({
    name: "tableBox",
    group: "block",
    content: "tableCaption table",
    isolating: true,
    parseHTML: () => [{ tag: "table-box" }],
    renderHTML: () => ["div", { class: "rt-table", role: "group", "aria-label": "Table" }, 0],
  }),
  block("tableCaption", "caption", "inline*", {
    renderHTML: ({ HTMLAttributes }: { HTMLAttributes: Record<string, string> }) => ["p", HTMLAttributes, 0],
  }),
  Node.create({
    name: "table",
    content: "tableRow+",
    isolating: true,
    parseHTML: () => [{ tag: "table" }],
    renderHTML: ({ HTMLAttributes }) => ["table", HTMLAttributes, ["tbody", 0]],
    // Only the types of Tiptap's own tables know it.
    ...{ tableRole: "table" },
  }),
  block("tableRow", "tr", "(tableCell | headerCell)*", {
    tableRole: "row",
    addAttributes: () => ({ section: { ...text("data-section", "tbody"), rendered: false } }),
  }),
  cell("tableCell", "td", "cell", {}),
  cell("headerCell", "th", "header_cell", { scope: text("scope") }),
  leaf("image", "img", {
    ...picture,
    group: "inline",
    inline: true,
    parseHTML: () => [{ tag: "img", getAttrs: ownPictures }],
  }),
  leaf("hardBreak", "br", { group: "inline", inline: true, selectable: false, linebreakReplacement: true }),
];

function cell(name: string, tag: string, tableRole: string, attributes: object) {
  return block(name, tag, "block+", {
    tableRole,
    isolating: true,
    addAttributes: () => ({
      colspan: span("colspan"),
      rowspan: span("rowspan"),
      // Commands for tables expect this attribute; we have no widths.
      colwidth: { default: null, rendered: false, parseHTML: () => null },
      ...attributes,
    }),
  });
}

const mark = (name: string, tag: string, extra: object = {}) =>
  Mark.create({
    name,
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
    ...extra,
  });

const marks = [
  mark("link", "a", {
    inclusive: false,
    addAttributes: () => ({ href: text("href", "") }),
    parseHTML: () => [
      {
        tag: "a[href]",
        getAttrs: (element: HTMLElement) =>
          safeAddress(element.getAttribute("href") ?? "") === undefined ? false : null,
      },
    ],
  }),
  mark("span", "span", { parseHTML: () => [{ tag: "span[lang]" }, { tag: "span[dir]" }] }),
  mark("abbr", "abbr", { inclusive: false, addAttributes: () => ({ title: text("title") }) }),
  mark("strong", "strong"),
  mark("em", "em"),
  ...["b", "i", "u", "s", "small"].map((tag) => mark(tag, tag)),
  mark("sub", "sub", { inclusive: false }),
  mark("sup", "sup", { inclusive: false }),
];

const named = [...nodes, ...marks].map(({ name }) => name);
const notWritten = ["doc", "text", "hardBreak", "tableBox"];

/** `lang` and `dir` of everything that has a tag, for passages in Urdu. */
const passages = Extension.create({
  name: "passages",
  addGlobalAttributes: () => [
    {
      types: named.filter((name) => !notWritten.includes(name)),
      attributes: { lang: text("lang"), dir: text("dir") },
    },
  ],
  extendNodeSchema: ({ config }) => ({ tableRole: (config as { tableRole?: string }).tableRole }),
});

/** The kinds of blocks and marks of a text. */
export const textParts = [...nodes, ...marks, passages];

let known: Schema | undefined;
/** The schema of `textParts`. */
export function textSchema(): Schema {
  known ??= getSchema(textParts);
  return known;
}
