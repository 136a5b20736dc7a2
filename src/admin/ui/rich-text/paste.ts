import { Extension } from "@tiptap/core";
import { Fragment, DOMParser as ModelParser, type Schema, Slice } from "@tiptap/pm/model";
import { Plugin, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { lineEnds } from "#shared/contract/plain-line.ts";
import { cleanPaste, type LeftOutKind } from "./clean-paste.ts";
import { parseInert } from "./parse-inert.ts";
import { prepareHtml } from "./read-html.ts";
import { writeFragment } from "./write-html.ts";

const sentences: Readonly<Record<LeftOutKind, string>> = {
  pictures: "Pictures were left out: add them with the Picture button.",
  comments: "Comments were left out.",
  deleted: "Words that were marked as deleted were left out.",
  looks: "Colours, sizes and fonts were left out: the site has its own.",
  links: "Links to files and programs became plain words.",
  parts: "Videos, forms and embedded pages were left out.",
};

/** Marks what was copied from this editor, which needs no cleaning. */
const OWN = "almoner";

/** A sentence for each kind of thing that was left out of a pasted text. */
export function describeLeftOut(left: ReadonlySet<LeftOutKind>): string {
  const found = (Object.keys(sentences) as LeftOutKind[]).filter((what) => left.has(what));
  return found.map((what) => sentences[what]).join(" ");
}

/** Cleans what is pasted or dropped, and copies text as the site's own HTML. */
export function pasteCleanly(say: (sentence: string) => void): Extension {
  const insert = (view: EditorView, data: DataTransfer | null): boolean => {
    const slice = data === null ? null : readClipboard(data, view.state.schema, say);
    if (slice === null) return false;
    view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView().setMeta("paste", true));
    return true;
  };
  return Extension.create({
    name: "pasteCleanly",
    addProseMirrorPlugins: () => [
      new Plugin({
        props: {
          clipboardSerializer: {
            serializeFragment: (fragment: Fragment) => {
              const own = document.createElement("div");
              own.dataset.text = OWN;
              own.append(...parseInert(writeFragment(fragment)).childNodes);
              return own;
            },
          } as never,
          handleDOMEvents: {
            paste: (view, event) => {
              if (!view.editable) return false;
              event.preventDefault();
              insert(view, event.clipboardData);
              return true;
            },
            drop: (view, event) => {
              // Moving text within the editor needs no cleaning.
              if (!view.editable || view.dragging !== null) return false;
              event.preventDefault();
              const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
              if (at !== null) moveCursor(view, at.pos);
              insert(view, event.dataTransfer);
              return true;
            },
          },
        },
      }),
    ],
  });
}

function moveCursor(view: EditorView, position: number): void {
  const { state } = view;
  view.dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(position))));
}

function readClipboard(data: DataTransfer, schema: Schema, say: (sentence: string) => void): Slice | null {
  const html = data.getData("text/html");
  const text = data.getData("text/plain");
  if (html === "" && text === "") {
    if (data.files.length > 0) say(sentences.pictures);
    return null;
  }
  if (html === "") {
    say("");
    return sliceOfText(text, schema);
  }
  const own = parseInert(html).querySelector<HTMLElement>(`[data-text="${OWN}"]`);
  const { html: clean, left } = own === null ? cleanPaste(html, location.origin) : { html: own.innerHTML, left: none };
  say(describeLeftOut(left));
  const { content } = ModelParser.fromSchema(schema).parseSlice(prepareHtml(parseInert(clean)));
  return Slice.maxOpen(content, false);
}

const none: ReadonlySet<LeftOutKind> = new Set();

/** An empty line separates paragraphs. */
export function sliceOfText(text: string, schema: Schema): Slice {
  const paragraphs = text
    .replace(lineEnds, "\n")
    .trim()
    .split(/\n{2,}/);
  const { paragraph, hardBreak } = schema.nodes;
  const nodes = paragraphs.map((lines) =>
    paragraph!.create(
      null,
      lines
        .split("\n")
        .flatMap((line, index) => [
          ...(index > 0 ? [hardBreak!.create()] : []),
          ...(line === "" ? [] : [schema.text(line)]),
        ]),
    ),
  );
  return new Slice(Fragment.from(nodes), 1, 1);
}
