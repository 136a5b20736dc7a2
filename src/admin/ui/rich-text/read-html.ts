import { DOMParser as ModelParser, type Node } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import { fixTables } from "@tiptap/pm/tables";
import { listContent } from "./compare-html.ts";
import { parseInert } from "./parse-inert.ts";
import { textSchema } from "./schema.ts";
import { writeHtml } from "./write-html.ts";

/** A text that was read. If the editor would lose something of it, `lost` has the words before that place. */
type ReadText = { readonly doc: Node; readonly lost: { readonly after: string } | null };

/**
 * Reads HTML into the editor's document, and compares the two, because the editor silently drops what the schema lacks.
 */
export function readHtml(html: string): ReadText {
  const doc = withWholeTables(ModelParser.fromSchema(textSchema()).parse(prepareHtml(parseInert(html))));
  const before = listContent(html);
  const after = listContent(writeHtml(doc));
  const place = before.findIndex((one, index) => one !== after[index]);
  if (place === -1 && before.length === after.length) return { doc, lost: null };
  const words = before.slice(0, place === -1 ? before.length : place).filter((one) => !one.startsWith("<"));
  return { doc, lost: { after: words.slice(-6).join("").trim() } };
}

/**
 * Brings tables into the form of the schema: caption and rows directly in a box, each row with the name of its section.
 * Changes the given document.
 */
export function prepareHtml(body: HTMLElement): HTMLElement {
  const page = body.ownerDocument;
  for (const table of [...body.querySelectorAll("table")].reverse()) {
    const box = page.createElement("table-box");
    const rows = [...table.querySelectorAll("tr")].filter((row) => row.closest("table") === table);
    const caption = [...table.children].find(({ localName }) => localName === "caption");
    for (const row of rows) row.setAttribute("data-section", row.parentElement!.localName);
    table.replaceWith(box);
    table.replaceChildren(...rows);
    box.append(caption ?? page.createElement("caption"), table);
  }
  return body;
}

/** Repairs missing or overlapping cells, as the commands for tables would at the first change. */
function withWholeTables(doc: Node): Node {
  const state = EditorState.create({ doc });
  return fixTables(state)?.doc ?? doc;
}
