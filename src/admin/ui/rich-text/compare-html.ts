import { parseInert } from "./parse-inert.ts";

const inlineTags = new Set(["strong", "em", "b", "i", "u", "s", "small", "sub", "sup", "abbr", "span", "a"]);
/** Directly in these, text is a paragraph. */
const paragraphParents = new Set(["body", "blockquote"]);
const captions = new Set(["caption", "figcaption"]);
/** Attributes that the sanitiser sets, whatever they were. */
const derived = new Set(["rel", "loading"]);
const withoutMeaning = new Set(["colspan=1", "rowspan=1", "title=", "lang=", "dir=", "start=", "scope="]);
const space = /([ \t\n\f\r]+)/;

type Piece = { readonly kind: "text" | "space" | "break" | "picture"; text: string; readonly marks: string };

/**
 * Describes what readers get from HTML, as a list of words, tags and attributes, so that two texts can be compared.
 * Leaves out the order of nested marks, spaces between blocks, and empty marks.
 */
export function listContent(html: string): string[] {
  return listChildren(parseInert(html), []);
}

function listChildren(parent: Element, marks: readonly string[]): string[] {
  const found: string[] = [];
  let line: Piece[] = [];
  const endLine = () => {
    found.push(...listLine(line, parent));
    line = [];
  };
  const walk = (inside: Element, around: readonly string[]) => {
    for (const node of inside.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) line.push(...splitText(node.nodeValue!, around.join(" ")));
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const element = node as Element;
      const tag = element.localName;
      const description = describeTag(element);
      if (inlineTags.has(tag)) {
        walk(element, description === "span" ? around : [...new Set([...around, description])].sort());
      } else if (tag === "br" || tag === "img") {
        line.push({ kind: tag === "br" ? "break" : "picture", text: `<${description}>`, marks: around.join(" ") });
      } else {
        endLine();
        found.push(...listBlock(element, description, around));
      }
    }
  };
  walk(parent, marks);
  endLine();
  return found;
}

function listBlock(element: Element, description: string, marks: readonly string[]): string[] {
  const inside = listChildren(element, marks);
  // An empty caption is not shown.
  if (inside.length === 0 && captions.has(element.localName)) return [];
  return [`<${description}>`, ...inside, `</${element.localName}>`];
}

function splitText(text: string, marks: string): Piece[] {
  return text
    .split(space)
    .filter((part) => part !== "")
    .map((part) => (space.test(part) ? { kind: "space", text: " ", marks: "" } : { kind: "text", text: part, marks }));
}

/** Spaces count as they are displayed: one between words, none at the ends of a line. */
function listLine(pieces: readonly Piece[], { localName }: Element): string[] {
  const shown: Piece[] = [];
  for (const piece of pieces) {
    const before = shown.at(-1);
    if (piece.kind === "space" && (before === undefined || before.kind === "space" || before.kind === "break"))
      continue;
    if (piece.kind === "break" && before?.kind === "space") shown.pop();
    // Joins two pieces of one word that have the same marks.
    if (piece.kind === "text" && before?.kind === "text" && before.marks === piece.marks) before.text += piece.text;
    else shown.push({ ...piece });
  }
  if (shown.at(-1)?.kind === "space") shown.pop();
  const written = shown.map(({ text, marks }) => (marks === "" ? text : `${text} {${marks}}`));
  return written.length > 0 && paragraphParents.has(localName) ? ["<p>", ...written, "</p>"] : written;
}

function describeTag(element: Element): string {
  const attributes = [...element.attributes]
    .filter(({ name }) => !derived.has(name))
    .map(({ name, value }) => `${name}=${value}`)
    .filter((written) => !withoutMeaning.has(written))
    .sort();
  return [element.localName, ...attributes].join(" ");
}
